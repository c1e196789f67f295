// The program's writable data, put back before each execution.
//
// What is saved: the writable segments of the executable, of its instrumented libraries and of libstdc++, never of libc.
// After the snapshot they are write-protected; the first write to a page faults once, marks the page *hot* and unprotects
// it for good. Putting back means copying the hot pages, which soon are all that the program ever writes. Addresses of functions
// that the loader has filled in meanwhile stay.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ordeal::runtime {

class Snapshot {
 public:
  /// Saves everything and protects it. REQUIRES: once, before the first execution.
  static void take();
  /// Copies what was ever written. Cost: the hot pages.
  static void restore();
  /// For a milestone (milestone.h).
  static void keep(std::vector<unsigned char>& image);
  static void go_back(const std::vector<unsigned char>& image);
  /// A write fault at `address`: true if it was one of ours and the write can be tried again.
  static bool heat(std::uintptr_t address);
  /// Whether the address lies in saved data: a global or static variable.
  static bool contains(std::uintptr_t address);
  /// Calls `visit(data, size)` for what was ever written.
  template <class Visit>
  static void for_each_written(Visit&& visit) {
    for (std::size_t i = 0; i < hot_parts(); ++i) visit(hot_part(i).data(), hot_part(i).size());
  }

 private:
  static std::size_t hot_parts();
  static std::span<const unsigned char> hot_part(std::size_t i);
};

}  // namespace ordeal::runtime
