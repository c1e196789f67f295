// What a read could have read instead.
//
// A read of the execution is taken out, with all that depends on it (through program order and reads-from): what is left would have
// happened whatever it reads. Of each store of its location the model is asked whether the read, put at the end, may read it. A store
// that depends on the read itself comes too late.
//
// Where the answer is no, the first of these reasons that holds is given, with an event that shows it:
//   kLater        it depends on the read
//   kOverwritten  another store, behind it in modification order, happens before the read              [intro.races]p15
//   kSeenNewer    a read that happens before this one has read a store behind it                       [intro.races]p16
//   kTaken        a read-modify-write has built upon it, and this read is one, too                     [atomics.order]p10
//   kSeqCst       the order of seq_cst operations                                                      [atomics.order]p3–p6
//   kModel        the model sc or tso
//
// A compare-exchange is another operation with another value: one that failed would have succeeded where the value is the expected one, and
// is looked at as a read-modify-write there; one that succeeded would have failed elsewhere, and is looked at as a load with its failure
// order. A weak one may also fail where it cannot succeed. Older traces do not tell a compare-exchange from other operations: it
// is looked at as what it was.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/edge.h"
#include "analysis/graph_of_trace.h"

namespace ordeal::analysis {

enum class Exclusion : std::uint8_t { kNone, kLater, kOverwritten, kSeenNewer, kTaken, kSeqCst, kModel };

/// Of a compare-exchange: what it would have done, having read the store.
enum class Outcome : std::uint8_t { kAsItDid, kSucceeds, kFails, kFailsSpuriously };

struct Candidate {
  EventIndex store = kNoEvent;      // an event, or the initial write
  Exclusion why = Exclusion::kNone; // kNone: it could have been read
  EventIndex reason = kNoEvent;     // the event that excludes it, if there is one to name
  Outcome outcome = Outcome::kAsItDid;
  bool operator==(const Candidate&) const = default;
};

struct ReadChoices {
  EventIndex read = kNoEvent;
  std::vector<Candidate> stores;    // all of its location, the initial one first
};

/// REQUIRES: `of_trace` is of this trace, and consistent; `read` is a read.
ReadChoices choices_of_read(const trace::Trace& trace, const GraphOfTrace& of_trace, std::size_t read);
/// Of all reads. O(reads · events).
std::vector<ReadChoices> choices_of_reads(const trace::Trace& trace, const GraphOfTrace& of_trace);
/// The same; none if the trace is not one that its model allows.
std::vector<ReadChoices> choices_of_reads(const trace::Trace& trace);

}  // namespace ordeal::analysis
