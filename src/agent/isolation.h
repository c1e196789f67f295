// An execution in a process of its own: what it does to the system, or to itself, does not reach the next.
#pragma once

#include <string>

namespace ordeal::agent {

class Isolation {
 public:
  struct Outcome {
    std::string text;  // what `run` returned
    int signal = 0;    // not 0: the process was ended by it, and there is no text
    bool is_started = false;
  };
  /// Calls `run(data)` in a fork of this process. `seconds`: for so long at most; 0: any time.
  static Outcome run(std::string (*run)(void* data), void* data, double seconds);
};

}  // namespace ordeal::agent
