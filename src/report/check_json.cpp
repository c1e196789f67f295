#include "report/check_json.h"

#include <nlohmann/json.hpp>

#include "report/bug_view.h"
#include "report/candidates_text.h"
#include "report/cycle_text.h"
#include "report/explanation.h"
#include "report/headline.h"
#include "report/kept_turns.h"
#include "report/sample_text.h"
#include "trace/run_result_format.h"
#include "trace/trace_words.h"

namespace ordeal::report {
namespace {

using Json = nlohmann::ordered_json;
using trace::TraceEvent;

void put_place(Json& json, const SourcePlace& place) {
  if (!place.function.empty()) json["function"] = place.function;
  if (place.file.empty()) return;
  json["file"] = place.file;
  json["line"] = place.line;
  if (place.column != 0) json["column"] = place.column;
}

constexpr std::size_t kMostWithCandidates = 1000;  // events: the lists are long

constexpr const char* word(analysis::Exclusion why) {
  switch (why) {
    case analysis::Exclusion::kNone: return "";
    case analysis::Exclusion::kLater: return "later";
    case analysis::Exclusion::kOverwritten: return "overwritten";
    case analysis::Exclusion::kSeenNewer: return "seen-newer";
    case analysis::Exclusion::kTaken: return "taken";
    case analysis::Exclusion::kSeqCst: return "seq-cst";
    case analysis::Exclusion::kModel: return "model";
  }
  return "";
}

/// What a read could have read, and what not.
Json candidates_json(const BugView& bug, const analysis::ReadChoices& choices) {
  const TraceEvent& read = bug.trace().events[static_cast<std::size_t>(choices.read)];
  const auto row = [&](analysis::EventIndex event) { return event < 0 ? "init" : bug.rows().letter(static_cast<std::size_t>(event)); };
  Json json = Json::array();
  for (const analysis::Candidate& store : shown_candidates(choices.stores, static_cast<analysis::EventIndex>(bug.rows().index_of(read.rf)))) {
    Json& added = json.emplace_back();
    added["store"] = row(store.store);
    added["value"] = store.store < 0 ? bug.trace().locations[static_cast<std::size_t>(read.location)].initial : bug.trace().events[static_cast<std::size_t>(store.store)].value;
    added["can"] = store.why == analysis::Exclusion::kNone;
    if (store.why != analysis::Exclusion::kNone) added["excluded"] = word(store.why);
    if (store.reason >= 0) added["by"] = row(store.reason);
    if (std::string why = candidate_text(bug, store); !why.empty()) added["why"] = std::move(why);
  }
  return json;
}

void put_candidates(Json& events, const BugView& bug) {
  if (bug.trace().events.size() > kMostWithCandidates) return;
  for (const analysis::ReadChoices& choices : analysis::choices_of_reads(bug.trace())) {
    const auto read = static_cast<std::size_t>(choices.read);
    const bool is_memory = bug.trace().locations[static_cast<std::size_t>(bug.trace().events[read].location)].sort == trace::LocationSort::kMemory;
    if (is_memory) events[read]["candidates"] = candidates_json(bug, choices);
  }
}

Json event_json(const BugView& bug, std::size_t index, SourceNames& names) {
  const TraceEvent& event = bug.trace().events[index];
  Json json;
  json["row"] = bug.rows().letter(index);
  json["position"] = bug.rows().row(index);
  json["thread"] = bug.thread(event.name.thread);
  json["index"] = event.name.index;
  json["kind"] = trace::kKindWords.at(static_cast<std::size_t>(event.kind));
  json["order"] = trace::kOrderWords.at(static_cast<std::size_t>(event.order));
  if (event.location >= 0) json["location"] = bug.texts().locations[static_cast<std::size_t>(event.location)];
  json["value"] = event.value;
  if (!bug.texts().values[index].empty()) json["value_text"] = bug.texts().values[index];
  if (event.is_rmw) json["rmw"] = true;
  if (event.failed_spuriously) json["failed_spuriously"] = true;
  if (trace::has_other(event) && event.other >= 0) json["other"] = bug.thread(event.other);
  if (event.kind == model::EventKind::kRead) {
    const std::ptrdiff_t source = bug.rows().index_of(event.rf);
    json["reads_from"] = source < 0 ? "init" : bug.rows().letter(static_cast<std::size_t>(source));
    if (const std::ptrdiff_t skipped = bug.rows().skipped(index); skipped >= 0) json["skips"] = bug.rows().letter(static_cast<std::size_t>(skipped));
    if (event.expected) json["expected"] = *event.expected;
  }
  put_place(json, names.place(event.stack));
  return json;
}

Json stack_json(const std::vector<SourcePlace>& calls) {
  Json json = Json::array();
  for (const SourcePlace& call : calls) {
    json.push_back(Json::object());
    put_place(json.back(), call);
  }
  return json;
}

Json party_json(const PartyView& party) {
  Json json;
  json["name"] = party.thread;
  json["what"] = party.what;
  if (!party.memory.empty()) json["memory"] = party.memory;
  put_place(json, party.source);
  json["stack"] = stack_json(party.calls);
  return json;
}

Json events_json(const BugView& view, SourceNames& names) {
  Json json = Json::array();
  for (std::size_t i = 0; i < view.trace().events.size(); ++i) json.push_back(event_json(view, i, names));
  put_candidates(json, view);
  return json;
}

Json kept_turns_json(const trace::RunResult& result, SourceNames& names) {
  Json json = Json::array();
  for (const KeptPlace& kept : kept_places(result, names)) {
    Json& added = json.emplace_back();
    put_place(added, kept.place);
    added["operation"] = trace::word(kept.operation);
    added["condition"] = trace::word(kept.by);
    added["why"] = reason_text(kept);
    if (!kept.because.file.empty()) put_place(added["because"], kept.because);
    added["times"] = kept.times;
  }
  return json;
}

/// The first execution that is no interleaving, and why it is none.
Json not_sc_json(const trace::Trace& trace, SourceNames& names) {
  trace::Bug holder;  // what looks names up takes a bug
  holder.trace = trace;
  const BugView view(holder, names);
  Json json;
  json["why"] = cycle_text(view.rows());
  json["events"] = events_json(view, names);
  return json;
}

Json bug_json(const trace::RunResult& result, const trace::Bug& bug, const std::string& replay, SourceNames& names) {
  const BugView view(bug, names);
  const SourcePlace place = view.main_place();
  Json json;
  json["kind"] = trace::word(bug.kind);
  json["message"] = headline(view);
  json["file"] = place.file.empty() ? Json() : Json(place.file);
  json["line"] = place.file.empty() ? Json() : Json(place.line);
  json["threads"] = Json::array();
  for (const PartyView& party : view.parties()) json["threads"].push_back(party_json(party));
  json["replay"] = replay.empty() ? Json() : Json(replay);
  json["count"] = bug.count;
  if (is_sampled(result)) {
    json["rate"] = result.executions == 0 ? 0 : static_cast<double>(bug.count) / static_cast<double>(result.executions);
    json["first"] = bug.first;
    json["shown"] = bug.shown;
  }
  if (!view.allocation().empty()) json["allocated"] = stack_json(view.allocation());
  if (!view.end_of_block().empty()) json["freed"] = stack_json(view.end_of_block());
  json["detail"] = bug.message;
  json["why"] = explanation(view, is_sampled(result) ? Calls::kShown : Calls::kTold);
  json["output"] = bug.output;
  json["ending"] = trace::kEndingWords.at(static_cast<std::size_t>(bug.trace.ending));
  json["sc"] = bug.trace.events.empty() ? Json() : view.rows().is_weak() ? Json(false) : view.rows().is_interleaving() ? Json(true) : Json();
  json["events"] = events_json(view, names);
  return json;
}

}  // namespace

std::string check_json(const trace::RunResult& result, SourceNames& names, const CheckOptions& options) {
  Json json;
  json["version"] = kJsonVersion;
  json["verdict"] = trace::word(result.verdict);
  json["program"] = options.program;
  json["model"] = result.model;
  json["executions"] = result.executions;
  json["blocked"] = result.blocked;
  if (!is_sampled(result)) json["given_up"] = result.given_up;
  json["seconds"] = result.seconds;
  json["threads"] = result.threads;
  json["events"] = result.events;
  if (is_sampled(result)) {
    json["strategy"] = result.strategy;
    json["seed"] = result.seed;
    json["first"] = result.first;
    json["atomics"] = result.atomics;
    json["failed"] = result.failed;
  }
  if (result.sc) {
    json["sc_executions"] = result.sc->sc;
    json["non_sc_executions"] = result.sc->not_sc;
    if (result.sc->undecided != 0) json["sc_undecided"] = result.sc->undecided;
    if (!result.not_sc.empty()) json["first_not_sc"] = not_sc_json(result.not_sc.front(), names);
  }
  if (result.spurious)
    json["spurious"] = {{"executions", result.spurious->executions}, {"blocked", result.spurious->blocked}, {"after_all_others", result.spurious->after_all_others}};
  if (result.symmetric != 0) json["symmetric_threads"] = result.symmetric;
  json["bounds"] = result.bounds;
  json["notes"] = all_notes(result);
  if (result.verdict == trace::Verdict::kCannotCheck) {
    json["reason"] = result.cannot_check;
    put_place(json, names.place(result.where));
  }
  for (const trace::Party& party : result.parties) {
    Json& added = json["parties"].emplace_back();
    added["name"] = thread_name(party.thread);
    added["what"] = party.what;
    if (!party.stack.empty()) put_place(added, names.place(party.stack));
  }
  if (!is_sampled(result)) json["kept_turns"] = kept_turns_json(result, names);
  json["bugs"] = Json::array();
  for (std::size_t i = 0; i < result.bugs.size(); ++i)
    json["bugs"].push_back(bug_json(result, result.bugs[i], i < options.replays.size() ? options.replays[i] : "", names));
  for (const std::string& remark : names.remarks()) json["notes"].push_back(remark);
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace ordeal::report
