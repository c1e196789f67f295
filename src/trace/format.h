// A trace as text: lines, one fact each. Made to be written inside a tested process, and read by people too.
//
//   ordeal-trace 2                                                          the version of the format
//   program "mp.litmus"
//   model "cpp20"
//   ending complete                                                         or blocked
//   thread "P0"                                                             numbered from 0 as they come
//   thread "P1"
//   location "x" 0                                                          its initial value
//   location "" 0 address=0x55aa10 size=4                                   a native program: the address tells the name
//   location "" 0 address=0x55aa20 sort=mutex                               or condition
//   object address=0x7f00 size=32 thread=0 allocated=0x4010,0x4120          a heap block; `freed_by=1 freed=0x4055`
//   object address=0x8f00 size=64 thread=1 frame=0x4188                     a function's frame; `module=0x4000`: thread-local storage
//   event 0.0 write relaxed inserted=1 location=0 value=7                   event 0 of thread 0
//   event 1.0 read acquire inserted=0 location=0 value=7 rf=0.0 line=12     `rf=initial.0`: reads the initial value
//   event 1.1 write plain inserted=2 location=1 value=1 stack=0x4188,0x4120
//   end                                                                     without it the file was cut off
//
// Fields of an event stand in this order; all but `inserted` are left out where they are 0 or do not apply: location,
// value, rf, mo, line, the words rmw and spurious, other (the thread that a create or join is about), woken (the
// bit that a notify clears), about (what a choice is about, unless the program asked for it), expected (what a compare-exchange compares with, 0 too; behind it `otherwise`, its order had it gone the
// other way, and the word weak), stack. A stack is
// return addresses, innermost first. Strings are quoted; `\"`, `\\`, `\n` and `\x00` … stand for bytes that would be in the
// way, so any bytes survive. To add a kind of event, add its word in trace_words.h; to add a field, a line in append_event
// and one at the same place in TraceReader::read_fields.
//
// What `read` returns keeps these promises, so nobody behind it needs to check again:
//   F1  an event's thread is one of the threads, and its index counts the events of that thread;
//   F2  accesses and wakes have a location, which is one of the locations; other events have none;
//   F3  exactly the reads and wakes have an rf, which names a write of the trace, or an initial write, of the same location;
//   F4  the `inserted` of n events are 0 … n-1, each once;
//   F5  only a write has an mo position, only an access is part of an RMW, only a read failed spuriously, woke a thread or compares, only
//       a create or join has another thread, only a choice is about something;
//   F6  only an object that was freed has a stack of where.
// Not promised: that the thread of an object, or the other one of a create or join, is among the threads. -1 is "unknown".
//
// The version goes up whenever an older reader could misunderstand a file. A reader takes its own version only. A field that is new and
// may be left out is no reason: older files are read as before, and an older reader says at which field it stops.
#pragma once

#include <string>
#include <string_view>

#include "trace/line.h"
#include "trace/trace.h"

namespace ordeal::trace {

constexpr int kFormatVersion = 2;

std::string write(const Trace& trace);
/// Throws FormatError, and nothing else but std::bad_alloc. O(length of the text).
Trace read(std::string_view text);

}  // namespace ordeal::trace
