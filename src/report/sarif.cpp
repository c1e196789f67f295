#include "report/sarif.h"

#include <algorithm>
#include <cctype>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/bug_view.h"
#include "report/check_report.h"
#include "report/explanation.h"
#include "report/headline.h"
#include "report/printable.h"
#include "report/sample_text.h"
#include "trace/run_result_format.h"

namespace ordeal::report {

using trace::BugKind;

namespace {

using Json = nlohmann::ordered_json;

const char* description(BugKind kind) {
  switch (kind) {
    case BugKind::kDataRace: return "Two accesses to the same memory, one of them a write and one not atomic, that nothing orders";
    case BugKind::kAssertion: return "An assertion fails";
    case BugKind::kException: return "An exception that nobody catches";
    case BugKind::kAbort: return "The program is aborted";
    case BugKind::kSignal: return "A crash";
    case BugKind::kExitCode: return "The program ends with an exit code other than 0";
    case BugKind::kDeadlock: return "Every thread that is left waits";
    case BugKind::kNoProgress: return "A thread waits or runs for ever";
    case BugKind::kUseAfterFree: return "Memory is used after its end";
    case BugKind::kDoubleFree: return "A block is freed twice";
    case BugKind::kInvalidFree: return "What is freed is no block";
    case BugKind::kOutOfBounds: return "An access outside of a block";
    case BugKind::kUninitialisedLoad: return "An atomic load of memory that nobody has written";
    case BugKind::kLeak: return "A block that is not freed and to which no pointer leads at the end";
    case BugKind::kLockMisuse: return "A lock, a semaphore or a thread is used against its rules";
    case BugKind::kMismatchedFree: return "A block is freed by a function that does not go with the one that allocated it";
    case BugKind::kNotSc: return "No interleaving of the threads does this";
    case BugKind::kObserver: return "An observer of the user has found it";
  }
  return "";
}

/// Braces stand for arguments unless they are doubled (3.11.5).
Json message_of(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '{' || c == '}' ? std::string(2, c) : std::string(1, c);
  return {{"text", escaped}};
}

Json location(const SourcePlace& place) {
  Json json = Json::object();
  if (!place.file.empty()) {
    json["physicalLocation"]["artifactLocation"]["uri"] = file_uri(place.file);
    if (place.line != 0) json["physicalLocation"]["region"]["startLine"] = place.line;
    if (place.line != 0 && place.column != 0) json["physicalLocation"]["region"]["startColumn"] = place.column;
  }
  if (!place.function.empty()) json["logicalLocations"] = Json::array({{{"fullyQualifiedName", place.function}, {"kind", "function"}}});
  return json;
}

Json location(const SourcePlace& place, const std::string& text) {
  Json json = location(place);
  json["message"] = message_of(text);
  return json;
}

/// The same bug has the same: its kind and the lines that take part.
std::string fingerprint(std::string_view kind, std::vector<std::string> places) {
  std::sort(places.begin(), places.end());
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : fmt::format("{} {}", kind, fmt::join(places, " "))) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}
std::string fingerprint(const BugView& view) {
  std::vector<std::string> places;
  for (const PartyView& party : view.parties()) places.push_back(fmt::format("{}:{}", party.source.file, party.source.line));
  return fingerprint(trace::word(view.bug().kind), std::move(places));
}

/// `file`: what lines of events are of that have no stack.
SourcePlace place_of(const BugView& view, const TableLine& line, SourceNames& names, const std::string& file) {
  if (line.event >= 0) {
    const trace::TraceEvent& event = view.trace().events[static_cast<std::size_t>(line.event)];
    return event.stack.empty() && event.line != 0 && !file.empty() ? SourcePlace{"", file, event.line, 0} : names.place(event.stack);
  }
  return line.party >= 0 ? view.parties()[static_cast<std::size_t>(line.party)].source : SourcePlace{};
}

Json thread_flows(const BugView& view, SourceNames& names, const std::string& file = "") {
  std::map<std::size_t, Json> flows;  // by thread
  int order = 0;
  for (const TableLine& line : execution_lines(view.trace(), view.texts())) {
    const std::string thread = view.thread(static_cast<std::int32_t>(line.thread));
    Json& flow = flows.try_emplace(line.thread, Json{{"id", thread}, {"message", message_of(thread)}, {"locations", Json::array()}}).first->second;
    Json step{{"location", location(place_of(view, line, names, file), (line.letter.empty() ? "" : line.letter + ": ") + line.text)}, {"executionOrder", ++order}};
    if (line.is_marked) step["importance"] = "essential";
    else if (line.is_aside) step["importance"] = "unimportant";
    flow["locations"].push_back(std::move(step));
  }
  Json list = Json::array();
  for (auto& entry : flows) list.push_back(std::move(entry.second));
  return list;
}

Json stack(const std::string& text, const std::vector<SourcePlace>& calls) {
  Json json{{"message", message_of(text)}, {"frames", Json::array()}};
  for (const SourcePlace& call : calls) json["frames"].push_back({{"location", location(call)}});
  return json;
}

/// No two may be equal.
void add_stack(Json& json, const std::string& text, const std::vector<SourcePlace>& calls) {
  if (calls.empty()) return;
  Json added = stack(text, calls);
  Json& stacks = json["stacks"];
  if (std::find(stacks.begin(), stacks.end(), added) == stacks.end()) stacks.push_back(std::move(added));
}

void add_parties(Json& json, const BugView& view) {
  for (std::size_t i = 0; i < view.parties().size(); ++i) {
    const PartyView& party = view.parties()[i];
    const std::string text = party.thread + " " + party.what;
    add_stack(json, text, party.calls);
    if (i == 0) continue;
    Json related = location(party.source, text);
    related["id"] = i;
    json["relatedLocations"].push_back(std::move(related));
  }
  add_stack(json, "allocated", view.allocation());
  add_stack(json, "freed", view.end_of_block());
}

Json result_json(const trace::RunResult& result, const trace::Bug& bug, SourceNames& names) {
  const BugView view(bug, names);
  std::string text = headline(view) + ".";
  for (const std::string& sentence : explanation(view, is_sampled(result) ? Calls::kShown : Calls::kTold)) text += "\n" + sentence;
  Json json{{"ruleId", trace::word(bug.kind)}, {"level", "error"}, {"message", message_of(text)}};
  json["locations"] = Json::array();
  if (const SourcePlace place = view.main_place(); !place.file.empty()) json["locations"].push_back(location(place));
  add_parties(json, view);
  if (!bug.trace.events.empty()) json["codeFlows"] = Json::array({{{"threadFlows", thread_flows(view, names)}}});
  json["partialFingerprints"] = {{"kindAndPlaces/v1", fingerprint(view)}};
  json["occurrenceCount"] = std::max<std::uint64_t>(bug.count, 1);
  return json;
}

}  // namespace

struct Sarif::Pieces {
  std::string version;
  std::vector<std::pair<std::string, std::string>> rules;  // id and description, in the order of their indices
  Json results = Json::array(), notifications = Json::array();
  bool is_successful = true;

  std::size_t rule(std::string_view id, const char* description) {
    const auto found = std::find_if(rules.begin(), rules.end(), [&](const auto& rule) { return rule.first == id; });
    const auto index = static_cast<std::size_t>(found - rules.begin());
    if (found == rules.end()) rules.emplace_back(id, description);
    return index;
  }
};

Sarif::Sarif(const std::string& version) : pieces_(std::make_unique<Pieces>()) { pieces_->version = version; }
Sarif::~Sarif() = default;

void Sarif::add(const trace::RunResult& result, SourceNames& names, const std::string& program, const std::vector<std::string>& replays) {
  for (std::size_t i = 0; i < result.bugs.size(); ++i) {
    Json json = result_json(result, result.bugs[i], names);
    json["ruleIndex"] = pieces_->rule(trace::word(result.bugs[i].kind), description(result.bugs[i].kind));
    json["properties"]["program"] = program;
    if (i < replays.size() && !replays[i].empty()) json["properties"]["replay"] = replays[i];
    pieces_->results.push_back(std::move(json));
  }
  const bool cannot = result.verdict == trace::Verdict::kCannotCheck;
  if (!cannot && result.bounds.empty()) return;
  CheckOptions plain;
  plain.program = program;
  notify(verdict_text(result, names, plain), cannot);
}

void Sarif::notify(const std::string& text, bool is_failure) {
  if (is_failure) pieces_->is_successful = false;
  pieces_->notifications.push_back({{"level", is_failure ? "error" : "warning"}, {"message", message_of(text)}});
}

void Sarif::add(const LitmusFinding& finding) {
  NoNames names;
  const BugView view(finding.bug, names);
  std::string text = finding.text + ".";
  for (const std::string& sentence : explanation(view, Calls::kTold)) text += "\n" + sentence;
  Json json{{"ruleId", finding.rule}, {"level", "error"}, {"message", message_of(text)}};
  json["ruleIndex"] = pieces_->rule(finding.rule, finding.rule == "condition" ? "A final state that the condition excludes" : description(finding.bug.kind));
  json["locations"] = Json::array();
  std::vector<std::string> places{fmt::format("{}:{}", finding.file, finding.line)};
  if (!finding.file.empty()) json["locations"].push_back(location({"", finding.file, finding.line, 0}));
  for (const auto& [line, what] : finding.others) {
    places.push_back(fmt::format("{}:{}", finding.file, line));
    if (finding.file.empty()) continue;
    Json related = location({"", finding.file, line, 0}, what);
    related["id"] = places.size() - 1;
    json["relatedLocations"].push_back(std::move(related));
  }
  if (!finding.bug.trace.events.empty()) json["codeFlows"] = Json::array({{{"threadFlows", thread_flows(view, names, finding.file)}}});
  json["partialFingerprints"] = {{"kindAndPlaces/v1", fingerprint(finding.rule, std::move(places))}};
  json["properties"]["program"] = finding.test;
  pieces_->results.push_back(std::move(json));
}

std::string Sarif::text() const {
  Json driver{{"name", "Ordeal"}, {"version", pieces_->version}, {"rules", Json::array()}};
  for (const auto& [id, what] : pieces_->rules) driver["rules"].push_back({{"id", id}, {"shortDescription", message_of(what)}, {"defaultConfiguration", {{"level", "error"}}}});
  Json run{{"tool", {{"driver", std::move(driver)}}}};
  run["invocations"] = Json::array({{{"executionSuccessful", pieces_->is_successful}}});
  if (!pieces_->notifications.empty()) run["invocations"][0]["toolExecutionNotifications"] = pieces_->notifications;
  run["results"] = pieces_->results;
  run["columnKind"] = "unicodeCodePoints";
  const Json json{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({std::move(run)})}};
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string file_uri(const std::string& path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("/-._~").find(c) != std::string_view::npos) uri += c;
    else uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

}  // namespace ordeal::report
