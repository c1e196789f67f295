#include "report/relevance.h"

#include <algorithm>
#include <set>

namespace ordeal::report {

using model::EventKind;
using trace::BugKind;
using trace::TraceEvent;

namespace {

class Relevance {
 public:
  explicit Relevance(const BugView& bug) : bug_(bug), trace_(bug.trace()), matters_(trace_.events.size(), false) {}

  std::vector<bool> events(const std::vector<std::string>& sentences) {
    if (!is_about_memory()) return {};
    find_subjects();
    const std::set<std::string> cited = cited_rows(sentences);
    for (std::size_t i = 0; i < trace_.events.size(); ++i)
      if (is_needed(i) || cited.count(bug_.rows().letter(i)) != 0) add(i);
    return std::move(matters_);
  }

  std::vector<bool> cited(const std::vector<std::string>& sentences) {
    const std::set<std::string> rows = cited_rows(sentences);
    for (std::size_t i = 0; i < trace_.events.size(); ++i)
      if (rows.count(bug_.rows().letter(i)) != 0) add(i);
    return std::move(matters_);
  }

 private:
  /// Or about threads that wait for it, or about the order of accesses.
  bool is_about_memory() const {
    switch (bug_.bug().kind) {
      case BugKind::kAssertion:
      case BugKind::kException:
      case BugKind::kAbort:
      case BugKind::kSignal:
      case BugKind::kExitCode:
      case BugKind::kObserver: return false;
      default: return true;
    }
  }
  void find_subjects() {
    const auto note = [&](std::uint64_t address) {
      if (const std::int32_t location = address == 0 ? -1 : bug_.location_of(address); location >= 0) subjects_.insert(location);
    };
    note(bug_.bug().address);
    for (const trace::Party& party : bug_.bug().parties) note(party.address);
    for (const trace::Party& party : bug_.bug().parties) threads_.insert(party.thread);
  }
  /// "… [c] … [d1] …": c and d1.
  static std::set<std::string> cited_rows(const std::vector<std::string>& sentences) {
    std::set<std::string> rows;
    for (const std::string& sentence : sentences)
      for (std::size_t at = sentence.find('['); at != std::string::npos; at = sentence.find('[', at + 1))
        if (const std::size_t end = sentence.find(']', at); end != std::string::npos) rows.insert(sentence.substr(at + 1, end - at - 1));
    return rows;
  }
  bool is_needed(std::size_t index) const {
    const TraceEvent& event = trace_.events[index];
    if (event.kind == EventKind::kCreate) return threads_.count(event.other) != 0;
    return subjects_.count(event.location) != 0 || bug_.rows().is_surprising(index);
  }
  /// With the store that it reads, and the one that it does not.
  void add(std::size_t index) {
    matters_[index] = true;
    const TraceEvent& event = trace_.events[index];
    if (event.kind != EventKind::kRead) return;
    for (const std::ptrdiff_t write : {bug_.rows().index_of(event.rf), bug_.rows().skipped(index)})
      if (write >= 0) matters_[static_cast<std::size_t>(write)] = true;
  }

  const BugView& bug_;
  const trace::Trace& trace_;
  std::vector<bool> matters_;
  std::set<std::int32_t> subjects_, threads_;
};

}  // namespace

std::vector<bool> relevant_events(const BugView& bug, const std::vector<std::string>& sentences) { return Relevance(bug).events(sentences); }
std::vector<bool> cited_events(const BugView& bug, const std::vector<std::string>& sentences) { return Relevance(bug).cited(sentences); }

}  // namespace ordeal::report
