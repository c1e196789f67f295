#include "report/kept_turns.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "report/printable.h"
#include "trace/run_result_format.h"

namespace ordeal::report {
namespace {

using trace::KeptBy, trace::KeptOperation;

constexpr std::size_t kMostShown = 40;

/// All but how often.
auto key_of(const KeptPlace& kept) {
  const auto key = [](const SourcePlace& place) { return std::tie(place.file, place.line, place.column, place.function); };
  return std::tuple_cat(key(kept.place), std::tie(kept.operation, kept.by), key(kept.because), std::tie(kept.because_operation));
}

/// " at line 28", or with another file's name; nothing if that is not known.
std::string at(const KeptPlace& kept) {
  if (kept.because.file.empty()) return "";
  return kept.because.file == kept.place.file ? fmt::format(" at line {}", kept.because.line) : fmt::format(" at {}:{}", printable(kept.because.file), kept.because.line);
}

std::string later_read(const KeptPlace& kept) { return kept.operation == KeptOperation::kCompareExchange ? "failed compare-exchange" : std::string(trace::word(kept.operation)); }

std::string effect_text(const KeptPlace& kept) {
  const std::string where = at(kept);
  switch (kept.by) {
    case KeptBy::kStore: return fmt::format("the store{} is one that others may read", where);
    case KeptBy::kReadModifyWrite: return fmt::format("the read-modify-write{} changes what others may read", where);
    case KeptBy::kCompareExchange: return fmt::format("the compare-exchange{} succeeded", where);
    case KeptBy::kWritesShown: return fmt::format("it writes plain memory, which others may read after the release{}", where);
    case KeptBy::kAllocation: return fmt::format("it allocates memory{}", where);
    case KeptBy::kFree: return fmt::format("it frees memory{}", where);
    case KeptBy::kLargeWrite: return "it writes more plain memory than is kept track of";
    case KeptBy::kWakeUp: return fmt::format("it may wake other threads{}", where);
    case KeptBy::kWoken: return fmt::format("it waited{}, and was woken", where);
    case KeptBy::kInputOutput: return fmt::format("it reads or writes files{}", where);
    default: return fmt::format("it calls something{} that changes what the system or the library keeps", where);
  }
}

}  // namespace

std::string reason_text(const KeptPlace& kept) {
  const std::string earlier = fmt::format("the {}{}", trace::word(kept.because_operation), at(kept));
  switch (kept.by) {
    case KeptBy::kAcquire: return fmt::format("{} acquires, the {} does not", earlier, later_read(kept));
    case KeptBy::kSeqCst: return fmt::format("{} is seq_cst, the {} is not", earlier, later_read(kept));
    case KeptBy::kBarrier: return fmt::format("{} is a barrier on x86, the {} is not", earlier, later_read(kept));
    case KeptBy::kHiddenCode: return "it calls code that was not compiled by ordeal, and that may write";
    case KeptBy::kUnknownCode: return "the code after it cannot be followed (a call by pointer, a computed jump, or code that was not compiled by ordeal)";
    case KeptBy::kRace: return "an access in it may be in a race";
    case KeptBy::kLock: return "it takes a lock that another thread tries to take";
    case KeptBy::kSpuriousFailure: return fmt::format("the compare-exchange{} failed spuriously, and did not lead back to the same state", at(kept));
    case KeptBy::kHeldLock: return "it ends with other locks held than it began with";
    case KeptBy::kClock: return "it looks at a clock";
    case KeptBy::kPlainWrite: return "it leaves other values in memory";
    case KeptBy::kOwnState: return "it leaves other values in the thread's own variables (a counter, or what it has read)";
    case KeptBy::kLoadBuffering: return "with --load-buffering turns are left out only if they come back to the same state";
    default: return effect_text(kept);
  }
}

std::vector<KeptPlace> kept_places(const trace::RunResult& result, SourceNames& names) {
  std::vector<KeptPlace> all;
  for (const trace::KeptTurn& turn : result.kept_turns) {
    KeptPlace kept{names.place(turn.stack), turn.because.empty() ? SourcePlace{} : names.place(turn.because), turn.operation, turn.because_operation, turn.by, turn.times};
    const auto same = std::find_if(all.begin(), all.end(), [&](const KeptPlace& other) { return key_of(other) == key_of(kept); });
    if (same != all.end()) same->times += kept.times;
    else all.push_back(std::move(kept));
  }
  std::sort(all.begin(), all.end(), [](const KeptPlace& one, const KeptPlace& other) { return key_of(one) < key_of(other); });
  return all;
}

std::string kept_turns_text(const trace::RunResult& result, SourceNames& names) {
  const std::vector<KeptPlace> all = kept_places(result, names);
  if (all.empty()) return "";
  std::string text = "turns of loops that were explored, and what kept them:\n";
  for (std::size_t i = 0; i < std::min(all.size(), kMostShown); ++i) {
    const KeptPlace& kept = all[i];
    const std::string place = kept.place.file.empty() ? "unknown place" : fmt::format("{}:{}", printable(kept.place.file), kept.place.line);
    text += fmt::format("  {} {}: {}\n", place, trace::word(kept.operation), reason_text(kept));
  }
  if (all.size() > kMostShown) text += fmt::format("  and {} more (--json has all)\n", all.size() - kMostShown);
  return text;
}

}  // namespace ordeal::report
