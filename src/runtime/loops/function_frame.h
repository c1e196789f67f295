// Which bytes of its frame, and of those of its callers, a function may still read after each of its calls: dataflow on its machine code.
//
//     while (!top.compare_exchange_strong(old, node)) …     // at -O0: calls std::atomic::compare_exchange_strong(&top, &old, node), which spills &old to a slot
//
// 1. Forwards: what may registers and slots of the frame hold? An address of the own frame and an offset, what a register held at the beginning (perhaps an address in a
//    caller's frame) and an offset, nothing of the kind, or one of several. Such values may be copied between registers and own slots, and moved by constants.
// 2. Each access at a known place counts as a read or a write of those bytes. An address *escapes* if it is used otherwise: stored elsewhere, computed with, indexed, a part of it
//    read, handed to a function that is not understood. If an address of the own frame escapes, if one of several addresses is used, or if the code is not understood, nothing is known of the
//    function. If what a register held escapes, that is said in the summary.
// 3. Backwards: which bytes may be read before they are written?
// A called function that is understood is applied as its summary says. What it reads of the caller's slots must hold no addresses: it would have them then, and nobody followed
// that. What it only may write does not count as written; nor what it writes for sure (it may throw before). Where calls may go on with an exception is part of the flow. A function that calls setjmp
// or the like is not understood: it goes on twice.
//
// Why it is right: an address of a frame is made from the stack pointer, and step 1 follows all copies, or it escapes. So whoever reads a byte of the frame does it by an access that is counted in step 2, in the function itself,
// in one that it has called and that holds the address as an argument, or in one called by that. What is assumed: compiled code keeps to the calling convention (it reads no register that a call may have changed, but for
// results; leaves registers alone that it must keep; reads no arguments where none were put), and a pointer that is not made from an address of the frame does not point there. Both are
// what C and C++ promise.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <map>
#include <vector>

#include "runtime/loops/frame_values.h"

namespace ordeal::runtime {

/// What a call of a function is.
struct Callee {
  enum class Kind : std::uint8_t {
    kAccess,        // announced, or the border of a function
    kOperation,     // atomic
    kEnd,           // does not return, and gets nothing on the stack
    kReturnsTwice,  // setjmp
    kFunction,      // of the program: its code can be looked through
    kOther,
  };
  Kind kind = Kind::kOther;
  std::uintptr_t function = 0;       // kFunction: where it begins
  std::uint8_t size = 16;            // kOperation: of the object,
  std::uint16_t pointers = 0;        // … registers that point to it or to what is expected,
  std::uint16_t values = 0xFFFF;     // … and registers whose values go to others
  int sized_by = -1;                 // … and a register that says the size, if the function knows it
  int size_at(const Value* registers) const {
    return sized_by >= 0 && registers[sized_by].base == Value::kNumber ? std::min<int>(size, registers[sized_by].offset) : size;
  }
};

/// What is known of code elsewhere.
struct CodeReader {
  Callee (*callee_at)(std::uintptr_t code);
  /// Adds where calls of the function may go on when they throw. False: nobody knows.
  bool (*add_catches)(std::uintptr_t function, std::vector<std::uintptr_t>& catches);
  /// Whether what begins there is a function, and not a part of one.
  bool (*is_function)(std::uintptr_t code);
};

/// After a call.
struct FrameAfterCall {
  Places::Bytes live;
  int stack = 0;                // the stack pointer
  std::uintptr_t function = 0;  // which was called; 0: nobody knows
  Value arguments[kRegisters];  // the registers before it
};

struct FunctionFrame {
  bool is_known = false;
  bool returns = false;
  Places::Bytes reads_first, reads, writes;  // of a call of it: what it may read before it writes it, may read, may write. Not of its own frame
  std::bitset<kRegisters> escaped;           // what they held may be used by anybody
  Value results[kRegisters];                 // the registers when it returns
  std::map<std::uintptr_t, FrameAfterCall> calls;  // by where they return to

  /// Looks through the function. REQUIRES: it begins there; it is no part of one.
  static FunctionFrame look_at(std::uintptr_t function, const CodeReader& reader);
  /// Likewise; the answer is kept.
  static const FunctionFrame& of(std::uintptr_t function, const CodeReader& reader);

  /// Adds what a called function still reads to what the caller does. False: nobody knows.
  static bool add_callee(FrameAfterCall& caller, const Places::Bytes& callee);
};

}  // namespace ordeal::runtime
