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
    const bool has_old = told.empty() || std::any_of(told.begin(), told.end(), [&](std::size_t read) { return is_old(read); });
    sentences_.push_back(fmt::format("No interleaving of the threads does this: it takes weak memory, where {}.",
                                     reads_ahead() ? "a load may return a value that is stored later (load buffering)"
                                     : has_old     ? "a load may return an older value"
                                                   : "stores of two threads may take effect in another order than that of the rows"));
    for (auto read = told.rbegin(); read != told.rend(); ++read) is_old(*read) ? tell_old(*read) : tell_overtaken(*read);
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
    sentences_.push_back(fmt::format("{} reads {} = {}{}, although {} had stored {}{}.", thread(read), location(read), value(read), where(read),
                                     thread(newer), value(newer), where(newer)));
    if (!answers_.is_known() || event(newer).name.thread == event(read).name.thread) return;
    if (const std::string why = why_unordered(newer, read); !why.empty())
      sentences_.push_back(fmt::format("Nothing forbids that, because the store does not happen before the load: {}.", why));
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
    for (const analysis::Hop& hop : chain.broken)
      if (const std::string weak = weakness(hop); !weak.empty()) return fmt::format("{}, but {}", reads_from(index(hop.read)), weak);
    return "";
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
