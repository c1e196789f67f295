#include "report/page_execution.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analysis/relations.h"
#include "report/litmus_report.h"
#include "report/printable.h"
#include "trace/trace_words.h"

namespace ordeal::report {

using analysis::Candidate;
using analysis::EventIndex;
using analysis::Exclusion;
using model::EventKind;
using trace::TraceEvent;

namespace {

constexpr std::size_t kMostRows = 3000;    // what browsers still step through at once
constexpr std::size_t kMostStores = 40;    // of one read
constexpr std::int64_t kNoRow = -2;        // it is not on the page
constexpr std::int64_t kInitialRow = -1;

class Execution {
 public:
  Execution(PageJson& json, const PageExecution& execution, SourceNames& names, const UseLine& use_line)
      : json_(json), view_(execution.view), trace_(execution.view.trace()), file_(execution.file), names_(names), use_line_(use_line), relations_(analysis::relations(trace_)) {}

  void add() {
    lines_ = execution_lines(trace_, view_.texts());
    cut();
    row_of_.assign(trace_.events.size(), kNoRow);
    std::vector<std::int64_t> line_of(view_.rows().events().size(), kNoRow);  // by row of the table
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (lines_[i].event >= 0) line_of[view_.rows().row(static_cast<std::size_t>(lines_[i].event))] = static_cast<std::int64_t>(i);
    for (std::size_t i = 0; i < row_of_.size(); ++i) row_of_[i] = line_of[view_.rows().row(i)];
    json_["order"] = view_.rows().is_interleaving() ? "interleaving" : view_.rows().is_weak() ? "weak" : "any";
    json_["threads"] = PageJson::array();
    for (std::size_t t = 0; t < std::max(trace_.threads.size(), threads_of_lines()); ++t)
      json_["threads"].push_back(view_.thread(static_cast<std::int32_t>(t)));
    json_["rows"] = PageJson::array();
    for (const TableLine& line : lines_) json_["rows"].push_back(line.event >= 0 ? event_row(line) : extra_row(line));
    add_stores();
    add_edges();
    add_remarks();
  }

 private:
  std::size_t threads_of_lines() const {
    std::size_t count = 0;
    for (const TableLine& line : lines_) count = std::max(count, line.thread + 1);
    return count;
  }

  /// Of very many rows the last, and what the bug is about.
  void cut() {
    if (lines_.size() <= kMostRows) return;
    left_out_ = lines_.size();
    const std::size_t first = lines_.size() - kMostRows;
    std::vector<TableLine> kept;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (i >= first || lines_[i].is_marked) kept.push_back(std::move(lines_[i]));
    lines_ = std::move(kept);
    left_out_ -= lines_.size();
  }

  // --- rows ----------------------------------------------------------------------------------------------------------------------

  static PageJson start_of_row(const TableLine& line, std::string_view kind) {
    PageJson row;
    row["letter"] = line.letter;
    row["thread"] = line.thread;
    row["kind"] = kind;
    row["text"] = line.text;
    if (!line.place.empty()) row["place"] = line.place;
    if (line.is_marked) row["marked"] = true;
    if (line.is_aside) row["aside"] = true;
    return row;
  }
  void put_place(PageJson& row, const SourcePlace& place) const {
    if (!place.function.empty()) row["function"] = printable(place.function);
    if (place.file.empty() || place.line == 0) return;
    row["file"] = use_line_(place.file, place.line);
    row["line"] = place.line;
  }
  void put_calls(PageJson& row, const std::vector<SourcePlace>& calls) const {
    if (calls.size() < 2) return;
    for (const SourcePlace& call : calls) {
      std::string text = printable(call.function);
      if (!call.file.empty()) text += fmt::format("{}{}", text.empty() ? "" : "  ", view_.short_place(call));
      row["calls"].push_back(text);
    }
  }

  PageJson extra_row(const TableLine& line) const {
    PageJson row = start_of_row(line, "");
    if (line.party < 0) return row;
    const PartyView& party = view_.parties()[static_cast<std::size_t>(line.party)];
    put_place(row, party.source);
    put_calls(row, party.calls);
    return row;
  }

  PageJson event_row(const TableLine& line) const {
    const auto index = static_cast<std::size_t>(line.event);
    const TraceEvent& event = trace_.events[index];
    const std::ptrdiff_t second = second_half(index);
    PageJson row = start_of_row(line, kind_of(event, second));
    if (event.location >= 0) row["variable"] = view_.texts().locations[static_cast<std::size_t>(event.location)];
    if (is_memory(event)) {
      row["value"] = second < 0 ? value(index) : value(index) + " → " + value(static_cast<std::size_t>(second));
      if (event.failed_spuriously) row["value"] = value(index) + " (failed spuriously)";
    }
    const bool has_order = (is_memory(event) && event.order != model::MemoryOrder::kPlain) || event.kind == EventKind::kFence;
    if (has_order) row["order"] = trace::kOrderWords.at(static_cast<std::size_t>(event.order));
    if (trace::has_source(event)) put_row(row, "from", source_row(event));
    if (const std::ptrdiff_t skipped = view_.rows().skipped(index); skipped >= 0) put_row(row, "skipped", row_of_[static_cast<std::size_t>(skipped)]);
    SourcePlace place = names_.place(event.stack);
    if (place.file.empty() && event.line != 0) place = {"", file_, event.line, 0};
    put_place(row, place);
    put_calls(row, names_.calls(event.stack));
    return row;
  }

  static void put_row(PageJson& json, const char* name, std::int64_t row) {
    if (row != kNoRow) json[name] = row;
  }
  std::int64_t source_row(const TraceEvent& event) const {
    const std::ptrdiff_t source = view_.rows().index_of(event.rf);
    return source < 0 ? kInitialRow : row_of_[static_cast<std::size_t>(source)];
  }
  bool is_memory(const TraceEvent& event) const {
    return trace::is_access(event) && trace_.locations[static_cast<std::size_t>(event.location)].sort == trace::LocationSort::kMemory;
  }
  /// Of a read-modify-write: its write; -1: it is none.
  std::ptrdiff_t second_half(std::size_t index) const {
    const TraceEvent& event = trace_.events[index];
    if (event.kind != EventKind::kRead || !event.is_rmw) return -1;
    const std::ptrdiff_t second = view_.rows().index_of({event.name.thread, event.name.index + 1});
    return second >= 0 && view_.rows().row(static_cast<std::size_t>(second)) == view_.rows().row(index) ? second : -1;
  }
  std::string_view kind_of(const TraceEvent& event, std::ptrdiff_t second) const {
    if (!trace::is_access(event)) return trace::kKindWords.at(static_cast<std::size_t>(event.kind));
    if (!is_memory(event)) return "sync";
    if (event.kind == EventKind::kWrite) return "store";
    return second >= 0 ? "rmw" : "load";
  }
  std::string value(std::size_t index) const {
    const std::string& text = view_.texts().values[index];
    return text.empty() ? std::to_string(trace_.events[index].value) : text;
  }

  // --- what reads could have read ----------------------------------------------------------------------------------------------------

  void add_stores() {
    for (const analysis::ReadChoices& choice : relations_.choices) {
      const auto read = static_cast<std::size_t>(choice.read);
      if (row_of_[read] == kNoRow || !is_memory(trace_.events[read])) continue;
      PageJson& row = json_["rows"][static_cast<std::size_t>(row_of_[read])];
      row["stores"] = PageJson::array();
      const std::vector<Candidate> stores = shown_stores(choice.stores, source_row(trace_.events[read]));
      for (const Candidate& store : stores)
        row["stores"].push_back({{"row", row_of(store)}, {"value", stored(store.store, trace_.events[read].location)}, {"can", store.why == Exclusion::kNone}, {"why", reason(store)}});
      if (stores.size() < choice.stores.size()) row["moreStores"] = choice.stores.size() - stores.size();
    }
  }
  std::int64_t row_of(const Candidate& store) const { return store.store < 0 ? kInitialRow : row_of_[static_cast<std::size_t>(store.store)]; }

  /// First those that it could have read. Of very many the last, and what it did read.
  std::vector<Candidate> shown_stores(std::vector<Candidate> stores, std::int64_t chosen) const {
    std::erase_if(stores, [&](const Candidate& store) { return row_of(store) == kNoRow; });
    const auto could = std::stable_partition(stores.begin(), stores.end(), [](const Candidate& store) { return store.why == Exclusion::kNone; }) - stores.begin();
    std::ptrdiff_t too_many = std::ssize(stores) - static_cast<std::ptrdiff_t>(kMostStores);
    const auto drop_first = [&](std::ptrdiff_t from, std::ptrdiff_t to) {
      const auto first = stores.begin() + from, last = stores.begin() + to;
      stores.erase(std::remove_if(first, last, [&](const Candidate& store) { return row_of(store) != chosen && too_many-- > 0; }), last);
    };
    drop_first(could, std::ssize(stores));
    drop_first(0, could);
    return stores;
  }
  std::string stored(EventIndex store, std::int32_t location) const {
    if (store >= 0) return value(static_cast<std::size_t>(store));
    const std::string& text = view_.initial(location);
    return text.empty() ? std::to_string(trace_.locations[static_cast<std::size_t>(location)].initial) : text;
  }
  /// "[c]" with its thread; of an initial write: that.
  std::string name_of(EventIndex event) const {
    if (event < 0) return "another event";
    const auto index = static_cast<std::size_t>(event);
    return fmt::format("[{}] of {}", view_.rows().letter(index), view_.thread(trace_.events[index].name.thread));
  }
  std::string reason(const Candidate& store) const {
    switch (store.why) {
      case Exclusion::kNone: return "";
      case Exclusion::kLater: return "It depends on this read, so it comes later.";
      case Exclusion::kOverwritten: return fmt::format("Overwritten: {} comes behind it in modification order and happens before this read.", name_of(store.reason));
      case Exclusion::kSeenNewer: return fmt::format("A newer store was seen: {} has read one, and happens before this read.", name_of(store.reason));
      case Exclusion::kTaken: return fmt::format("Taken: the read-modify-write {} has built upon it, and no two can.", name_of(store.reason));
      case Exclusion::kSeqCst: return "The order of the seq_cst operations forbids it.";
      case Exclusion::kModel: return fmt::format("The model {} forbids it.", printable(trace_.model));
    }
    return "";
  }

  // --- edges -----------------------------------------------------------------------------------------------------------------------

  using Pairs = std::set<std::pair<std::int64_t, std::int64_t>>;

  void add_edges() {
    Pairs rf, sw, hb, forced, chosen, fr;
    for (const analysis::Edge& edge : relations_.rf) put(rf, edge);
    for (const analysis::Edge& edge : relations_.sw) put(sw, edge);
    for (const analysis::Edge& edge : relations_.hb) put(hb, edge);
    for (const analysis::OrderEdge& edge : relations_.mo) put(edge.necessity == analysis::Necessity::kForced ? forced : chosen, edge.edge);
    for (const analysis::OrderEdge& edge : relations_.fr) put(fr, edge.edge);
    add_threads_without_events(sw);
    std::erase_if(hb, [&](const auto& pair) { return thread_at(pair.first) == thread_at(pair.second); });  // they are po
    PageJson& json = json_["edges"];
    json = {{"rf", rf}, {"mo", forced}, {"moChosen", chosen}, {"fr", fr}, {"sw", sw}, {"hb", hb}};
  }
  /// The first and the last row of a thread may be no events, but they are created and joined, too.
  void put(Pairs& pairs, const analysis::Edge& edge) const {
    if (edge.from < 0 || edge.to < 0) return;
    const TraceEvent &source = trace_.events[static_cast<std::size_t>(edge.from)], &target = trace_.events[static_cast<std::size_t>(edge.to)];
    std::int64_t from = row_of_[static_cast<std::size_t>(edge.from)], to = row_of_[static_cast<std::size_t>(edge.to)];
    if (from == kNoRow || to == kNoRow || from == to) return;
    if (source.kind == EventKind::kCreate && source.other == target.name.thread) to = first_row(lines_[static_cast<std::size_t>(to)].thread);
    if (target.kind == EventKind::kJoin && target.other == source.name.thread) from = last_row(lines_[static_cast<std::size_t>(from)].thread);
    pairs.insert({from, to});
  }
  std::int64_t first_row(std::size_t thread) const {
    return std::find_if(lines_.begin(), lines_.end(), [&](const TableLine& line) { return line.thread == thread; }) - lines_.begin();
  }
  std::int64_t last_row(std::size_t thread) const {
    return lines_.rend() - std::find_if(lines_.rbegin(), lines_.rend(), [&](const TableLine& line) { return line.thread == thread; }) - 1;
  }
  std::size_t thread_at(std::int64_t row) const { return lines_[static_cast<std::size_t>(row)].thread; }

  /// What such a thread does is no event, but it is created and joined.
  void add_threads_without_events(Pairs& sw) const {
    std::vector<bool> has_events(threads_of_lines(), false);
    for (const TraceEvent& event : trace_.events)
      if (static_cast<std::size_t>(event.name.thread) < has_events.size()) has_events[static_cast<std::size_t>(event.name.thread)] = true;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (has_events[lines_[i].thread]) continue;
      for (std::size_t e = 0; e < trace_.events.size(); ++e) {
        const TraceEvent& event = trace_.events[e];
        if (!trace::has_other(event) || event.other != static_cast<std::int32_t>(lines_[i].thread) || row_of_[e] == kNoRow) continue;
        const auto row = static_cast<std::int64_t>(i);
        sw.insert(event.kind == EventKind::kCreate ? std::pair{row_of_[e], row} : std::pair{row, row_of_[e]});
      }
    }
  }

  void add_remarks() {
    PageJson& remarks = json_["remarks"] = PageJson::array();
    if (left_out_ > 0) remarks.push_back(fmt::format("The execution is long: its first rows are left out, {} of {}.", grouped(left_out_), grouped(left_out_ + lines_.size())));
    switch (relations_.standing) {
      case analysis::Standing::kConsistent: break;
      case analysis::Standing::kInconsistent: remarks.push_back(fmt::format("The model {} does not allow this execution: mo, fr and what reads could have read are not known.", printable(trace_.model))); break;
      case analysis::Standing::kUnknownModel: remarks.push_back(fmt::format("The model {} is not known here: there are no edges.", printable(trace_.model))); break;
      case analysis::Standing::kTooLarge: remarks.push_back("The execution is too large: there are no edges."); break;
    }
    if (relations_.leaves_choices_out) remarks.push_back("The execution is too long to tell what reads could have read.");
  }

  PageJson& json_;
  const BugView& view_;
  const trace::Trace& trace_;
  const std::string& file_;
  SourceNames& names_;
  const UseLine& use_line_;
  const analysis::Relations relations_;
  std::vector<TableLine> lines_;
  std::vector<std::int64_t> row_of_;  // by event: the line that it is on
  std::size_t left_out_ = 0;
};

}  // namespace

void add_execution(PageJson& json, const PageExecution& execution, SourceNames& names, const UseLine& use_line) {
  Execution(json, execution, names, use_line).add();
}

}  // namespace ordeal::report
