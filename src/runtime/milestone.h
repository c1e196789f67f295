// The milestone: the whole program as it stood at one moment of an execution, all its threads at operations, to go back to it
// as often as one likes. Executions that have the same beginning need not run it again (engine/milestone.h says which).
//
// Kept are the hot pages of its data, what it has of the heap, stacks, thread-local storage, the shadow and the locations. What
// libc and the kernel keep is beyond reach: a program that has changed anything there has no milestone.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/native_program.h"

namespace ordeal::runtime {

class Milestone {
 public:
  /// Something was done that cannot be undone, so nothing behind it can be kept in this execution.
  static void forbid() { is_forbidden_ = true; }

  explicit Milestone(NativeProgram& program) : program_(program) {}
  /// An execution begins, and what is kept is lost.
  void begin();
  /// Keeps the program as it stands. False: that is not possible.
  bool keep();
  bool is_kept() const { return is_kept_; }
  /// REQUIRES: is_kept.
  void go_back();

 private:
  struct ThreadImage {
    ThreadPosition position;
    std::vector<base::ClockEntry> hb;
    SpinState spin;
    std::vector<std::uintptr_t> frames;
    RandomState random;
    std::vector<ThreadDestructor> destructors;
    std::vector<void*> keys;
    std::uintptr_t stack_begin = 0;
    std::vector<unsigned char> stack;
  };
  bool can_keep();
  void keep(const Thread& thread, ThreadImage& image, int keys);
  static void go_back(Thread& thread, const ThreadImage& image, int keys);

  NativeProgram& program_;
  bool is_kept_ = false;
  int first_file_ = -1;  // the number that the next file gets when an execution begins
  std::vector<ThreadImage> threads_;
  static bool is_forbidden_;
};

}  // namespace ordeal::runtime
