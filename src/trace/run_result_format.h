// The result of a run as text, in the manner of format.h; also the replay file.
//
//   ordeal-result 1
//   verdict bug                                     verified, sampled, bug, bounded, cannot-check
//   model "cpp20"
//   option "--loop-bound=3"                         any number, as the next
//   argument "-v"
//   executions 6
//   blocked 0
//   seconds 0.0012
//   threads 3
//   events 17                                       of the longest execution
//   symmetric 2                                     left out if 0
//   strategy "portfolio" seed=1 first=0 atomics=12 failed=1    of random testing; left out if it was none
//   spurious 12 blocked=3 after=all                 after=some: not all others were explored; left out if the search was not cut
//   bound "the time limit of 10 s"                  any number, as the next
//   note "only one thread"
//   cannot_check "syscall futex"                    left out if empty, as the next
//   where 0x4010,0x4120
//   party 1 "made 1000 operations" stack=0x4010     any number; as those of a bug
//   kept compare-exchange acquire times=4 stack=0x4010,0x4120 because=load 0x4000     any number; because is left out if that has no place
//   module "/home/a/test" base=0x555555554000 end=0x555555560000 build_id="0a1b"
//   execution                                       any number, each followed by its trace
//   bug data-race count=1 first=7 address=0x55aa10 size=4   first, address and size are left out if 0
//   message ""
//   party 1 "writes 4 bytes" address=0x55aa10 before=3 stack=0x4010,0x4120     any number; thread -1: unknown
//   output "hello\n"
//   ordeal-trace 2                                  the execution, as format.h has it, with its line `end`
//   …
//   end
//   end                                             of the result: behind the last bug
//
// What `read_run_result` returns keeps the promises of format.h for each trace, and R1: `seconds` is finite and not
// negative. Not promised: that the thread of a party is among the threads of the trace.
#pragma once

#include <string>
#include <string_view>

#include "trace/line.h"
#include "trace/run_result.h"

namespace ordeal::trace {

constexpr int kResultFormatVersion = 1;

std::string write(const RunResult& result);
/// Throws FormatError, and nothing else but std::bad_alloc. O(length of the text).
RunResult read_run_result(std::string_view text);

/// "data-race": as in the file and in JSON.
std::string_view word(BugKind kind);
/// "cannot-check".
std::string_view word(Verdict verdict);

}  // namespace ordeal::trace
