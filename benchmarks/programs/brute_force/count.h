// Counts the execution classes of a program by brute force: from the graph in which no read has an answer, every answer to every
// thread's next read gives another graph, and those that are complete are counted. Graphs that were met before, and those that
// are not consistent, are dropped; writes and fences have no choice and are added at once.
//
// Example: store x, load y ∥ store y, load x has 3 classes with seq_cst, 4 with relaxed.
#pragma once
#include <cstddef>
#include <map>

#include "execution.h"

struct Count {
  std::size_t classes = 0, graphs = 0;
};

Count count_classes(const Program& program, const std::map<int, Value>& initial);
