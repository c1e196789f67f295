#include "report/why_old_values.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/telling.h"

namespace ordeal::report {

using analysis::Spot;
using model::EventKind;
using trace::BugKind;
using trace::TraceEvent;

namespace {

class WhyOldValues : private Telling {
 public:
  explicit WhyOldValues(const BugView& bug) : Telling(bug) {}

  std::vector<std::string> sentences() {
    if (bug_.rows().is_weak()) tell_weak();
    else if (bug_.rows().is_interleaving() && !tells_enough() && has_reads_of_others())
      sentences_.emplace_back("It takes no weak memory: the threads take turns, in the order of the rows.");
    return std::move(sentences_);
  }

 private:
  void tell_weak() {
    constexpr std::size_t kMost = 3;
    const Rows& rows = bug_.rows();
    std::vector<std::size_t> told;
    for (std::size_t r = rows.events().size(); r-- > 0 && told.size() < kMost;)
      if (const std::size_t read = rows.events()[r]; event(read).kind == EventKind::kRead && rows.skipped(read) >= 0) told.push_back(read);
    std::vector<std::size_t> from_below;
    for (const std::size_t read : rows.events())
      if (from_below.size() < kMost && event(read).kind == EventKind::kRead && stands_above_its_source(read)) from_below.push_back(read);
    const bool has_old = (told.empty() && from_below.empty()) || std::any_of(told.begin(), told.end(), [&](std::size_t read) { return is_old(read); });
    sentences_.push_back(fmt::format("No interleaving of the threads does this: it takes weak memory, where {}.",
                                     reads_ahead() ? "a load may return a value that is stored later (load buffering)"
                                     : has_old     ? "a load may return an older value"
                                                   : "stores of two threads may take effect in another order than that of the rows"));
    for (auto read = told.rbegin(); read != told.rend(); ++read) is_old(*read) ? tell_old(*read) : tell_overtaken(*read);
    if (reads_ahead()) return;
    for (const std::size_t read : from_below)
      sentences_.push_back(reads_from(read) + ", which stands below it: the rows keep the order of the seq_cst operations, and so not this one.");
  }
  bool stands_above_its_source(std::size_t read) const {
    const std::ptrdiff_t source = bug_.rows().index_of(event(read).rf);
    return source >= 0 && bug_.rows().row(static_cast<std::size_t>(source)) > bug_.rows().row(read);
  }

  /// Where two events are: the first itself, and before the second.
  Spot of_store(std::size_t store) const { return {event(store).name.thread, event(store).name.index, true}; }
  Spot before(std::size_t second) const { return {event(second).name.thread, event(second).name.index, false}; }

  /// What is read may be newer than what the rows show last.
  bool is_old(std::size_t read) const {
    const auto skipped = static_cast<std::size_t>(bug_.rows().skipped(read));
    const std::ptrdiff_t source = bug_.rows().index_of(event(read).rf);
    if (source >= 0 && answers_.is_before(static_cast<analysis::EventIndex>(skipped), static_cast<analysis::EventIndex>(source))) return false;
    return !answers_.happens_before(of_store(skipped), before(read));
  }

  void tell_old(std::size_t read) {
    const auto newer = static_cast<std::size_t>(bug_.rows().skipped(read));
    const std::size_t other = last_other_value(read, newer);
    std::string text = fmt::format("{} reads {} = {}{}, although {} had stored {}{}", thread(read), location(read), value(read), where(read), thread(other), value(other), where(other));
    if (other != newer) text += fmt::format(", and then {}{}{}", event(newer).name.thread == event(other).name.thread ? "" : thread(newer) + " ", value(newer), where(newer));
    sentences_.push_back(text + ".");
    if (!answers_.is_known() || event(other).name.thread == event(read).name.thread) return;
    if (const std::string why = why_unordered(other, read); !why.empty())
      sentences_.push_back(fmt::format("Nothing forbids that, because the store does not happen before the load: {}.", why));
  }
  /// The last store that the read skips and that has another value: of the same value it would not be seen that it is skipped. Rather one of which
  /// something has reached the read: there a chain is broken. `newest`, if there is none.
  std::size_t last_other_value(std::size_t read, std::size_t newest) const {
    const Rows& rows = bug_.rows();
    const std::ptrdiff_t source = rows.index_of(event(read).rf);
    std::ptrdiff_t last = -1;
    for (std::size_t row = rows.row(newest) + 1; row-- > 0;) {
      const std::size_t first = rows.events()[row];
      const std::ptrdiff_t half = event(first).is_rmw && event(first).kind == EventKind::kRead ? rows.index_of({event(first).name.thread, event(first).name.index + 1}) : -1;
      const std::size_t store = half >= 0 && Rows::are_halves(event(first), event(static_cast<std::size_t>(half))) ? static_cast<std::size_t>(half) : first;
      if (event(store).kind != EventKind::kWrite || event(store).location != event(read).location) continue;
      if (static_cast<std::ptrdiff_t>(store) == source) break;
      if (event(store).value == event(read).value || answers_.happens_before(of_store(store), before(read))) continue;
      if (source >= 0 && answers_.is_before(static_cast<analysis::EventIndex>(store), static_cast<analysis::EventIndex>(source))) continue;
      if (last < 0) last = static_cast<std::ptrdiff_t>(store);
      if (event(store).name.thread != event(read).name.thread && answers_.is_known() && answers_.chain(of_store(store), before(read)).exists) return store;
    }
    return last < 0 ? newest : static_cast<std::size_t>(last);
  }
  /// What is read was stored above the store that is skipped, and yet is later in modification order.
  void tell_overtaken(std::size_t read) {
    const auto last = static_cast<std::size_t>(bug_.rows().skipped(read));
    const std::ptrdiff_t found = bug_.rows().index_of(event(read).rf);
    if (found < 0 || !answers_.is_known()) return;
    const auto source = static_cast<std::size_t>(found);
    sentences_.push_back(fmt::format("{}, although {} had stored {}{}: of the two stores the one that is read took effect last.", reads_from(read), thread(last),
                                     value(last), where(last)));
    if (const std::string why = why_unordered(source, last); !why.empty())
      sentences_.push_back(fmt::format("Nothing forbids that, because the store [{}] does not happen before the store [{}]: {}.", bug_.rows().letter(source),
                                       bug_.rows().letter(last), why));
  }
  /// Why what a thread did by then was not known to the other one.
  std::string why_unordered(std::size_t store, std::size_t later) const {
    const analysis::Chain chain = answers_.chain(of_store(store), before(later));
    return chain.exists ? why_broken(chain) : fmt::format("what {} did from there on had not reached {}", thread(store), thread(later));
  }
  std::string why_broken(const analysis::Chain& chain) const {
    constexpr int kMost = 3;
    std::string text;
    int told = 0;
    for (const analysis::Hop& hop : chain.broken)
      if (const std::string weak = weakness(hop); !weak.empty() && told++ < kMost) text += fmt::format("{}{}, but {}", text.empty() ? "" : "; and ", reads_from(index(hop.read)), weak);
    return text;
  }

  /// Whether some read stands before the store that it reads.
  bool reads_ahead() const {
    for (auto read = trace_.events.begin(); read != trace_.events.end(); ++read)
      if (read->kind == EventKind::kRead && read->rf.thread >= 0 &&
          std::any_of(read, trace_.events.end(), [&](const TraceEvent& other) { return other.name == read->rf; }))
        return true;
    return false;
  }
  bool tells_enough() const {
    const BugKind kind = bug_.bug().kind;
    return kind == BugKind::kDeadlock || kind == BugKind::kNoProgress || kind == BugKind::kDataRace || kind == BugKind::kLockMisuse;
  }
  bool has_reads_of_others() const {
    return trace_.threads.size() > 1 && std::any_of(trace_.events.begin(), trace_.events.end(), [](const TraceEvent& event) {
             return event.kind == EventKind::kRead && event.rf.thread != event.name.thread;
           });
  }

  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> why_old_values(const BugView& bug) { return WhyOldValues(bug).sentences(); }

}  // namespace ordeal::report
