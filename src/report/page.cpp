#include "report/page.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/cycle_text.h"
#include "report/explanation.h"
#include "report/headline.h"
#include "report/litmus_report.h"
#include "report/printable.h"
#include "report/sample_text.h"
#include "trace/run_result_format.h"

namespace ordeal::report {
namespace {

constexpr int kDataVersion = 1;
constexpr std::size_t kMostExecutions = 200;
constexpr std::string_view kPlace = "id=\"ordeal-data\">";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::string line = printable_lines(std::string_view(text).substr(start, end - start), "");
    if (!line.empty()) line.pop_back();  // its newline
    lines.push_back(std::move(line));
    start = end + 1;
  }
  return lines;
}

}  // namespace

struct Page::Pieces {
  PageJson executions = PageJson::array();
  std::size_t left_out = 0;
  std::string verdict, model;
  std::vector<std::string> summary;
  std::vector<std::string> files;                // in the order of their numbers
  std::map<std::string, std::size_t> numbers;    // by file
  std::vector<std::set<std::uint32_t>> lines;    // that are shown, by number of the file
};

Page::Page(PageOptions options) : options_(std::move(options)), pieces_(std::make_unique<Pieces>()) {}
Page::~Page() = default;

bool Page::is_empty() const { return pieces_->executions.empty(); }

void Page::set_summary(const std::string& verdict, const std::string& model, const std::string& text) {
  pieces_->verdict = verdict;
  pieces_->model = model;
  pieces_->summary = lines_of(text);
}

void Page::add_execution_json(const BugView& view, PageJson json, SourceNames& names, const std::string& file) {
  if (view.trace().events.empty()) return;
  if (pieces_->executions.size() >= kMostExecutions) {
    ++pieces_->left_out;
    return;
  }
  const UseLine use_line = [this](const std::string& name, std::uint32_t line) {
    const auto [found, is_new] = pieces_->numbers.try_emplace(name, pieces_->files.size());
    if (is_new) {
      pieces_->files.push_back(name);
      pieces_->lines.emplace_back();
    }
    pieces_->lines[found->second].insert(line);
    return found->second;
  };
  add_execution(json, {view, file}, names, use_line);
  pieces_->executions.push_back(std::move(json));
}

void Page::add(const trace::RunResult& result, SourceNames& names, const std::vector<std::string>& replays, const std::string& title_prefix) {
  for (std::size_t i = 0; i < result.bugs.size(); ++i) {
    const trace::Bug& bug = result.bugs[i];
    const BugView view(bug, names);
    PageJson json;
    json["title"] = title_prefix + headline(view);
    json["kind"] = trace::word(bug.kind);
    json["why"] = explanation(view, Calls::kTold);
    if (is_sampled(result)) json["why"].push_back(frequency(result, bug));
    json["replay"] = i < replays.size() && !replays[i].empty() ? "ordeal replay " + printable(replays[i]) : "";
    json["output"] = printable_lines(bug.output, "");
    add_execution_json(view, std::move(json), names, "");
  }
  for (const trace::Trace& trace : result.not_sc) {
    trace::Bug holder;  // what looks names up takes a bug
    holder.trace = trace;
    const BugView view(holder, names);
    const PageJson json{{"title", title_prefix + "The first execution that no interleaving of the threads explains"}, {"kind", ""}, {"why", {cycle_text(view.rows())}}, {"replay", ""}, {"output", ""}};
    add_execution_json(view, json, names, "");
  }
  for (std::size_t i = 0; i < result.shown.size(); ++i) {
    trace::Bug holder;
    holder.trace = result.shown[i];
    const PageJson json{{"title", fmt::format("{}execution {}", title_prefix, grouped(i + 1))}, {"kind", ""}, {"why", PageJson::array()}, {"replay", ""}, {"output", ""}};
    add_execution_json(BugView(holder, names), json, names, "");
  }
}

void Page::add(const trace::Trace& trace, const std::string& title, const std::string& file) {
  trace::Bug holder;
  holder.trace = trace;
  NoNames names;
  const PageJson json{{"title", printable(title)}, {"kind", ""}, {"why", PageJson::array()}, {"replay", ""}, {"output", ""}};
  add_execution_json(BugView(holder, names), json, names, file);
}

/// The lines that matter with some around them; what lies close together is one piece.
PageJson Page::source_json(const std::string& file, const std::set<std::uint32_t>& lines) const {
  constexpr std::size_t kAround = 8;
  PageJson json{{"name", printable(file)}, {"pieces", PageJson::array()}, {"remark", ""}};
  const SourceText source = options_.read_source(file);
  if (!source.is_there) {
    json["remark"] = fmt::format("The source is not there: {} cannot be read.", printable(file));
    return json;
  }
  json["remark"] = source.remark;
  const std::vector<std::string> all = lines_of(source.text);
  std::size_t end = 0;  // of the piece before
  for (const std::uint32_t line : lines) {
    if (line > all.size()) {
      json["remark"] = fmt::format("{} has no line {}: it has changed since the program was built.", printable(file), line);
      continue;
    }
    const std::size_t first = line > kAround ? line - kAround : 1, last = std::min<std::size_t>(line + kAround, all.size());
    if (json["pieces"].empty() || first > end + 3) {
      json["pieces"].push_back({{"first", first}, {"lines", PageJson::array()}});
      end = first - 1;
    }
    for (; end < last; ++end) json["pieces"].back()["lines"].push_back(all[end]);
  }
  return json;
}

std::string Page::data() const {
  PageJson json;
  json["version"] = kDataVersion;
  json["tool"] = options_.tool;
  json["program"] = printable(options_.program);
  json["model"] = printable(pieces_->model);
  json["verdict"] = pieces_->verdict;
  json["summary"] = pieces_->summary;
  if (pieces_->left_out > 0) json["summary"].push_back(fmt::format("The page has the first {} executions; {} are left out.", grouped(kMostExecutions), grouped(pieces_->left_out)));
  json["executions"] = pieces_->executions;
  json["files"] = PageJson::array();
  for (std::size_t i = 0; i < pieces_->files.size(); ++i) json["files"].push_back(source_json(pieces_->files[i], pieces_->lines[i]));
  std::string text;
  for (const char c : json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)) {
    if (c == '<' || c == '>' || c == '&') text += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else text += c;
  }
  return text;
}

std::string Page::html(const std::string& page_template) const {
  const std::size_t place = page_template.find(kPlace);
  if (place == std::string::npos) throw std::runtime_error("the template of the page has no place for data");
  std::string text = page_template;
  return text.insert(place + kPlace.size(), data());
}

}  // namespace ordeal::report
