// The words of the trace format, aligned with the enumerations: a new kind of event is one more word here.
#pragma once

#include <array>
#include <string_view>

#include "trace/trace.h"

namespace ordeal::trace {

inline constexpr std::array<std::string_view, 8> kKindWords{"read", "write",  "fence", "create",
                                                           "join", "choice", "note",  "wake"};
inline constexpr std::array<std::string_view, 6> kOrderWords{"plain",   "relaxed", "acquire",
                                                             "release", "acq_rel", "seq_cst"};
inline constexpr std::array<std::string_view, 2> kEndingWords{"complete", "blocked"};
inline constexpr std::array<std::string_view, 7> kSortWords{"memory", "mutex", "condition", "shared-mutex", "semaphore", "barrier", "files"};
inline constexpr std::array<std::string_view, 6> kChoiceWords{"program", "wake-up", "time-limit", "time", "notification", "waiter"};
inline constexpr std::string_view kTraceMagic = "ordeal-trace ";

constexpr bool is_access(const TraceEvent& event) {
  return event.kind == model::EventKind::kRead || event.kind == model::EventKind::kWrite;
}
/// A read, or a thread that goes on behind the write that woke it.
constexpr bool has_source(const TraceEvent& event) {
  return event.kind == model::EventKind::kRead || event.kind == model::EventKind::kWake;
}
constexpr bool has_other(const TraceEvent& event) {
  return event.kind == model::EventKind::kCreate || event.kind == model::EventKind::kJoin;
}

}  // namespace ordeal::trace
