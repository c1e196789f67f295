// The axioms of C++20 for a graph of program order and reads-from: is there a modification order that satisfies them? Every order is
// tried, location by location. An RMW is one event.
#pragma once
#include <vector>

#include "execution.h"

// `events` in an order that respects reads-from; `threads`: the events of each thread.
bool is_consistent(const std::vector<Event>& events, const std::vector<std::vector<int>>& threads);
