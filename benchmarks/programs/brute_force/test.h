// A program with a name, for the brute force.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "execution.h"

struct Test {
  std::string name;
  Program program;
  std::map<int, Value> initial = {};
};

// Main creates all threads and joins them.
inline Program in_threads(const Program& threads) {
  const int count = static_cast<int>(threads.size());
  Program program = {[count](Context& c) {
    for (int i = 1; i <= count; ++i) c.create(i);
    for (int i = 1; i <= count; ++i) c.join(i);
  }};
  program.insert(program.end(), threads.begin(), threads.end());
  return program;
}

std::vector<Test> queues();  // the queues, and the hash table
