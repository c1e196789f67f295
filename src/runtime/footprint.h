// What an execution leaves behind in the system, where nothing puts it back before the next: then each needs a process of its own
// (agent/isolation.h).
#pragma once

#include <fcntl.h>

namespace ordeal::runtime {

class Footprint {
 public:
  /// The first that was seen: "the program …"; nullptr: nothing.
  static inline const char* found = nullptr;
  static void note(const char* what) {
    if (found == nullptr) found = what;
  }
  /// Libraries that were opened stay, with their data: no execution comes after that in the same process.
  static inline bool has_libraries = false;
  /// Nothing is to run in this process after the execution, unless it has no libraries of its own.
  static inline bool is_own_process = false;
  /// The execution cannot be made here, and is to begin again in a process of its own.
  static inline bool must_begin_again = false;
  /// At the end of an execution. `first_file`: the number that its first file got.
  static void look_at_files(int first_file) {
    if (fcntl(first_file, F_GETFD) >= 0) note("leaves files open");
    look_at_standard_files();
  }
  /// REQUIRES: once, before the first execution.
  static void begin();

 private:
  /// What it has closed, or put others in place of. In the first execution, which has a process of its own, all is looked at.
  static void look_at_standard_files();
};

}  // namespace ordeal::runtime
