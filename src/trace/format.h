// A trace as text: lines, one fact each. Made to be written inside a tested process, and read by people too.
//
//   ordeal-trace 1                                                          the version of the format
//   program "mp.litmus"
//   model "cpp20"
//   ending complete                                                         or blocked
//   thread "P0"                                                             numbered from 0 as they come
//   thread "P1"
//   location "x" 0                                                          its initial value
//   event 0.0 write relaxed inserted=1 location=0 value=7                   event 0 of thread 0
//   event 1.0 read acquire inserted=0 location=0 value=7 rf=0.0 line=12     `rf=initial.0`: reads the initial value
//   end                                                                     without it the file was cut off
//
// Fields of an event stand in this order; all but `inserted` are left out where they are 0 or do not apply: location,
// value, rf, mo, line, the words rmw and spurious, and woken (the bit that a notify clears, also 0; left out: none).
// Strings are quoted; `\"`, `\\`, `\n` and `\x00` … stand for bytes that would be in the way, so any bytes survive.
//
// What `read` returns keeps these promises, so nobody behind it needs to check again:
//   F1  an event's thread is one of the threads, and its index counts the events of that thread;
//   F2  accesses and wakes have a location, which is one of the locations; other events have none;
//   F3  exactly the reads and wakes have an rf, which names a write of the trace, or an initial write, of the same location;
//   F4  the `inserted` of n events are 0 … n-1, each once;
//   F5  only a write has an mo position, only an access is part of an RMW, only a read failed spuriously or woke a thread.
//
// The version goes up whenever an older reader could misunderstand a file. A reader takes its own version only.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "trace/trace.h"

namespace ordeal::trace {

constexpr int kFormatVersion = 1;

/// The text is not a trace, or not one that this version reads.
class FormatError : public std::runtime_error {
 public:
  FormatError(int line, const std::string& message)
      : std::runtime_error("line " + std::to_string(line) + ": " + message), line_(line) {}
  int line() const { return line_; }

 private:
  int line_;
};

std::string write(const Trace& trace);
/// Throws FormatError, and nothing else but std::bad_alloc. O(length of the text).
Trace read(std::string_view text);

}  // namespace ordeal::trace
