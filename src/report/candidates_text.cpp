#include "report/candidates_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/printable.h"

namespace ordeal::report {

using analysis::Candidate;
using analysis::EventIndex;
using analysis::Exclusion;

namespace {

constexpr std::size_t kMostStores = 40;

/// "[c]" with its thread; of an initial write: that.
std::string name_of(const BugView& view, EventIndex event) {
  if (event < 0) return "another event";
  const auto index = static_cast<std::size_t>(event);
  return fmt::format("[{}] of {}", view.rows().letter(index), view.thread(view.trace().events[index].name.thread));
}

std::string outcome_text(analysis::Outcome outcome) {
  switch (outcome) {
    case analysis::Outcome::kAsItDid: return "";
    case analysis::Outcome::kSucceeds: return "The compare-exchange would have succeeded.";
    case analysis::Outcome::kFails: return "The compare-exchange would have failed.";
    case analysis::Outcome::kFailsSpuriously: return "The compare-exchange would have failed spuriously.";
  }
  return "";
}

}  // namespace

std::vector<Candidate> shown_candidates(std::vector<Candidate> stores, EventIndex chosen) {
  const auto could = std::stable_partition(stores.begin(), stores.end(), [](const Candidate& store) { return store.why == Exclusion::kNone; }) - stores.begin();
  std::ptrdiff_t too_many = std::ssize(stores) - static_cast<std::ptrdiff_t>(kMostStores);
  const auto is_chosen = [&](const Candidate& store) { return store.store < 0 ? chosen < 0 : store.store == chosen; };
  const auto drop_first = [&](std::ptrdiff_t from, std::ptrdiff_t to) {
    const auto first = stores.begin() + from, last = stores.begin() + to;
    stores.erase(std::remove_if(first, last, [&](const Candidate& store) { return !is_chosen(store) && too_many-- > 0; }), last);
  };
  drop_first(could, std::ssize(stores));
  drop_first(0, could);
  return stores;
}

std::string candidate_text(const BugView& view, const Candidate& store) {
  switch (store.why) {
    case Exclusion::kNone: return outcome_text(store.outcome);
    case Exclusion::kLater: return "It depends on this read, so it comes later.";
    case Exclusion::kOverwritten: return fmt::format("Overwritten: {} comes behind it in modification order and happens before this read.", name_of(view, store.reason));
    case Exclusion::kSeenNewer: return fmt::format("A newer store was seen: {} has read one, and happens before this read.", name_of(view, store.reason));
    case Exclusion::kTaken:
      return fmt::format("{}: the read-modify-write {} has built upon it, and no two can.", store.outcome == analysis::Outcome::kSucceeds ? "The compare-exchange would have succeeded, but it is taken" : "Taken",
                         name_of(view, store.reason));
    case Exclusion::kSeqCst: return "The order of the seq_cst operations forbids it.";
    case Exclusion::kModel: return fmt::format("The model {} forbids it.", printable(view.trace().model));
  }
  return "";
}

std::string stored_text(const BugView& view, EventIndex store, std::int32_t location) {
  const std::string& text = store >= 0 ? view.texts().values[static_cast<std::size_t>(store)] : view.initial(location);
  if (!text.empty()) return text;
  return std::to_string(store >= 0 ? view.trace().events[static_cast<std::size_t>(store)].value : view.trace().locations[static_cast<std::size_t>(location)].initial);
}

}  // namespace ordeal::report
