// Reads litmus tests in herd's C dialect.
//
//   C SB                                        the name; an info string and Key=value lines may follow
//   { atomic_int x = 0; y = 0; 1:r1 = 5; }      locations and registers with their initial values
//   P0 (atomic_int* x, atomic_int* y) {         threads; a parameter points to the location of the same name
//     atomic_store_explicit(x, 1, memory_order_relaxed);
//     int r0 = atomic_load(y);
//   }
//   P1 (atomic_int* x, atomic_int* y) { … }
//   locations [x; y;]                           also shown
//   exists (0:r0=0 /\ 1:r1=0)                   or ~exists, forall; `filter (…)` may stand before it
//
// What goes beyond herd, and what is refused, stands in the tests: tests/unit/litmus. Precedences in conditions are
// herd's: `not`, then `=>`, then `/\`, then `\/`. An order that the standard forbids, as that of an acquire store, is read
// as herd reads it: what of it fits counts, and Test::notes says so.
//
// A file of n bytes takes O(n) time; blocks and expressions may be nested kMaximumNesting deep.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "litmus/ast.h"
#include "litmus/diagnostic.h"

namespace ordeal::litmus {

/// What `*x` is where `x` points to an atomic object.
enum class AtomicDereference : std::uint8_t {
  kPlain,   // a plain access, as in herd, which does not look at the type
  kSeqCst,  // a seq_cst access, as in C
};

struct ParseOptions {
  AtomicDereference atomic_dereference = AtomicDereference::kPlain;
};

/// The test that `text` describes. `file_name` is only for messages and Test::file. Throws ParseError, and nothing else
/// but std::bad_alloc.
Test parse(std::string_view text, std::string file_name, const ParseOptions& options = {});

}  // namespace ordeal::litmus
