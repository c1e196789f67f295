#include "report/page_execution.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/candidates_text.h"
#include "report/execution_rows.h"
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
constexpr std::int64_t kNoRow = ExecutionRows::kNone;
constexpr std::int64_t kInitialRow = -1;

class Execution {
 public:
  Execution(PageJson& json, const PageExecution& execution, SourceNames& names, const UseLine& use_line)
      : json_(json), view_(execution.view), trace_(execution.view.trace()), file_(execution.file), names_(names), use_line_(use_line), rows_(view_, kMostRows) {}

  void add() {
    json_["order"] = view_.rows().is_interleaving() ? "interleaving" : view_.rows().is_weak() ? "weak" : "any";
    json_["threads"] = PageJson::array();
    for (std::size_t t = 0; t < rows_.threads(); ++t)
      json_["threads"].push_back(view_.thread(static_cast<std::int32_t>(t)));
    json_["rows"] = PageJson::array();
    for (const TableLine& line : rows_.lines()) json_["rows"].push_back(line.event >= 0 ? event_row(line) : extra_row(line));
    add_stores();
    add_edges();
    add_remarks();
  }

 private:
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
    if (const std::ptrdiff_t skipped = view_.rows().skipped(index); skipped >= 0) put_row(row, "skipped", rows_.row_of(static_cast<std::size_t>(skipped)));
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
    return source < 0 ? kInitialRow : rows_.row_of(static_cast<std::size_t>(source));
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
    for (const analysis::ReadChoices& choice : rows_.relations().choices) {
      const auto read = static_cast<std::size_t>(choice.read);
      if (rows_.row_of(read) == kNoRow || !is_memory(trace_.events[read])) continue;
      PageJson& row = json_["rows"][static_cast<std::size_t>(rows_.row_of(read))];
      row["stores"] = PageJson::array();
      std::vector<Candidate> stores = choice.stores;
      std::erase_if(stores, [&](const Candidate& store) { return row_of(store) == kNoRow; });
      stores = shown_candidates(std::move(stores), static_cast<EventIndex>(view_.rows().index_of(trace_.events[read].rf)));
      for (const Candidate& store : stores)
        row["stores"].push_back({{"row", row_of(store)}, {"value", stored_text(view_, store.store, trace_.events[read].location)}, {"can", store.why == Exclusion::kNone}, {"why", candidate_text(view_, store)}});
      if (stores.size() < choice.stores.size()) row["moreStores"] = choice.stores.size() - stores.size();
    }
  }
  std::int64_t row_of(const Candidate& store) const { return store.store < 0 ? kInitialRow : rows_.row_of(static_cast<std::size_t>(store.store)); }

  // --- edges -----------------------------------------------------------------------------------------------------------------------

  void add_edges() {
    const RowEdges edges = rows_.edges();
    json_["edges"] = {{"rf", edges.rf}, {"mo", edges.forced_mo}, {"moChosen", edges.chosen_mo}, {"fr", edges.fr}, {"sw", edges.sw}, {"hb", edges.hb}};
  }

  void add_remarks() {
    json_["remarks"] = rows_.remarks();
    if (rows_.relations().leaves_choices_out) json_["remarks"].push_back("The execution is too long to tell what reads could have read.");
  }

  PageJson& json_;
  const BugView& view_;
  const trace::Trace& trace_;
  const std::string& file_;
  SourceNames& names_;
  const UseLine& use_line_;
  const ExecutionRows rows_;
};

}  // namespace

void add_execution(PageJson& json, const PageExecution& execution, SourceNames& names, const UseLine& use_line) {
  Execution(json, execution, names, use_line).add();
}

}  // namespace ordeal::report
