// Milestones: the whole program as it stood at some moments of an execution, its threads at operations, to go back there as
// often as one likes. Executions that have the same beginning need not run it again (engine/milestones.h says where).
//
// Kept are the hot pages of its data, what it has of the heap, stacks, thread-local storage, the shadow and the locations. What
// libc and the kernel keep is beyond reach: a program that has changed anything there has no milestone.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/heap.h"
#include "runtime/native_program.h"

namespace ordeal::runtime {

class Milestones {
 public:
  /// Something was done that cannot be undone, so nothing behind it can be kept in this execution.
  static void forbid() { is_forbidden_ = true; }
  /// The thread goes on. Threads that have not need not be put back, except for what others may do to them.
  static void note_run(Thread& thread) { thread.same_since = count_; }

  explicit Milestones(NativeProgram& program) : program_(program) {}
  /// An execution begins, and all milestones are lost.
  void begin();
  /// engine::Program
  bool keep(int milestone);
  int count() const { return count_; }
  void go_back(int milestone);

 private:
  /// What nobody but the thread itself changes: kept at the first milestone after it has run, which is `same_since` of the images from there on.
  struct OwnImage {
    std::vector<base::ClockEntry> hb;
    LoopTrace spin;
    KeptTrace kept;
    std::vector<base::ClockEntry> effects;
    std::vector<WatchedAdd> adds;
    std::vector<ActiveFunction> frames;
    RandomState random;
    std::vector<ThreadDestructor> destructors;
    std::vector<void*> keys;
  };
  struct ThreadImage {
    int same_since = 0;
    ThreadPosition position;
    OwnImage own;
    std::vector<unsigned char> storage;
    std::uintptr_t stack_begin = 0;
    std::vector<unsigned char> stack;
  };
  struct Image {
    std::vector<unsigned char> data;
    ProgramHeap::Image heap;
    Shadow::Image shadow;
    Locations::Image locations;
    ExitHandlers exit_handlers;
    std::vector<Key> keys;
    std::vector<ThreadImage> threads;
  };
  bool can_keep();
  void keep(const Thread& thread, OwnImage& image, std::size_t keys);
  static void keep_memory(const Thread& thread, ThreadImage& image);
  void go_back(Thread& thread, const ThreadImage& image, int keys);
  static void go_back(Thread& thread, const OwnImage& image, int keys);
  static void put_back_memory(Thread& thread, const ThreadImage& image);

  NativeProgram& program_;
  std::vector<Image> images_;
  bool has_begun_ = false;
  static bool is_forbidden_;
  static int count_;  // of those in use
};

}  // namespace ordeal::runtime
