// Blocks of thread-local storage for fibers.
//
// Only the dynamic loader knows how to lay out such a block, so each is made by a kernel thread that notes its base and
// leaves by the bare system call: the block stays. A block is put back by copying its first contents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::runtime {

class TlsPool {
 public:
  /// Makes `count` blocks in all. REQUIRES: no fiber runs. False: the system refused.
  static bool make(int count);
  static int count();
  static std::uintptr_t base(int block);
  /// The block that this address lies in; -1: none.
  static int find(std::uintptr_t address);
  /// As it was when it was made.
  static void reset(int block);
  /// A library was opened: if its variables have their place in the blocks, that is how they begin, also for threads that run. (The loader
  /// knows of none of them in a process that was forked.) REQUIRES: the storage of a block is in force.
  static void note_opened(std::size_t module);
  /// For a milestone (milestone.h).
  static void keep(int block, std::vector<unsigned char>& image);
  static void go_back(int block, const std::vector<unsigned char>& image);
  /// Calls `visit(data, size)` with the block.
  template <class Visit>
  static void visit(int block, Visit&& visit) {
    visit(reinterpret_cast<const void*>(base(block) - size()), size());
  }
  static std::size_t size();
};

}  // namespace ordeal::runtime
