// What the program gets instead of the real thing, so that each execution is the same; told in a note if it was asked for.
#pragma once

#include <string>
#include <vector>

namespace ordeal::runtime {

struct StandIns {
  static inline bool gave_random_numbers = false;
  static inline bool gave_time = false;
  static inline bool gave_named_semaphores = false;

  static std::vector<std::string> notes() {
    std::vector<std::string> notes;
    if (gave_random_numbers) notes.emplace_back("random numbers are the same in each execution");
    if (gave_time) notes.emplace_back("clocks show a time of their own, the same in each execution");
    if (gave_named_semaphores) notes.emplace_back("semaphores with names are those of this process only, and there are none when it begins");
    return notes;
  }
};

}  // namespace ordeal::runtime
