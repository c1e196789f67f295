// Whether all that the program's code may do on its way to a thread's next operation is seen by the runtime.
//
// A configuration has what the thread has written, and a speculation puts that back: both know of it by the calls that the compiler has put before each access.
// Code without them, of a library or in assembler, may write anywhere. So the machine code is looked through: from the place where an
// operation returns, all paths are followed to the next call of the runtime that is no plain access, or to where the function returns; functions that
// are called there too. Code is seen if it belongs to an instrumented function; or if it writes nothing but its own stack and calls nothing.
// What cannot be followed (a computed jump, a call by pointer) is not seen. Without the decoder nothing is.
#pragma once

#include <cstdint>

namespace ordeal::runtime {

class CodePaths {
 public:
  /// Of the code from `site` on, which lies behind a call. The answer is kept.
  static bool are_seen(std::uintptr_t site);
};

}  // namespace ordeal::runtime
