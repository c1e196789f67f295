#include "agent/observer_plugin.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>

#include "analysis/graph_of_trace.h"

namespace ordeal::agent {

using model::Event;
using model::EventKind;
using model::ExecutionGraph;
using model::Slot;

namespace {

constexpr std::size_t kMostText = 1024;

static_assert(static_cast<int>(EventKind::kWake) == ORDEAL_EVENT_WAKE);
static_assert(static_cast<int>(model::MemoryOrder::kSeqCst) == ORDEAL_ORDER_SEQ_CST);

/// What the plug-in gets to ask with.
struct Inside {
  const ExecutionGraph* graph;
  std::vector<Slot> slots;  // by event
};

int happens_before(const ordeal_execution* execution, int a, int b) {
  if (a < 0 || b < 0 || a >= execution->events || b >= execution->events || a == b) return 0;
  const auto& inside = *static_cast<const Inside*>(execution->inside);
  return inside.graph->happens_before(inside.slots[static_cast<std::size_t>(a)], inside.slots[static_cast<std::size_t>(b)]) ? 1 : 0;
}

std::string without_end(const char* text) { return std::string(text, strnlen(text, kMostText)); }

std::string why_unusable(const ordeal_observer* table) {
  if (table == nullptr) return "it has no symbol 'ordeal_observer_plugin' (see <ordeal/observer.h>)";
  if (table->version != ORDEAL_OBSERVER_VERSION)
    return "it is made for version " + std::to_string(table->version) + " of <ordeal/observer.h>, and this is version " + std::to_string(ORDEAL_OBSERVER_VERSION);
  if (table->name == nullptr || table->finished == nullptr) return "its name, or its function 'finished', is missing";
  return "";
}

}  // namespace

std::string ObserverPlugin::load(const std::string& file) {
  if (access(file.c_str(), R_OK) != 0) return "there is no such file";
  void* library = dlopen((file.find('/') == std::string::npos ? "./" + file : file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* why = dlerror();
    return why != nullptr ? why : "it cannot be loaded";
  }
  const auto* found = static_cast<const ordeal_observer*>(dlsym(library, "ordeal_observer_plugin"));
  std::string why = why_unusable(found);
  if (why.empty()) table_ = found;
  return why;
}

void ObserverPlugin::begin() {
  number_ = 0;
  if (table_->begin != nullptr) table_->begin();
}

namespace {

ordeal_event described(const Event& event, int reads_from, int index) {
  ordeal_event out{};
  out.thread = number(event.thread);
  out.index = index;
  out.kind = static_cast<ordeal_event_kind>(event.kind);
  out.order = static_cast<ordeal_event_order>(event.order);
  out.is_rmw = event.is_rmw ? 1 : 0;
  out.location = number(event.location);
  out.value = event.value;
  out.reads_from = reads_from;
  const bool has_other = event.kind == EventKind::kCreate || event.kind == EventKind::kJoin;
  out.other = has_other ? number(event.access.other) : -1;
  return out;
}

bool has_source(const Event& event) { return event.kind == EventKind::kRead || event.kind == EventKind::kWake; }

}  // namespace

void ObserverPlugin::describe(const ExecutionGraph& graph) {
  events_.clear();
  places_.assign(static_cast<std::size_t>(graph.size()), ORDEAL_NO_EVENT);
  int place = 0;
  for (int slot = 0; slot < graph.size(); ++slot)
    if (graph.event(Slot{slot}).kind != EventKind::kAttempt) places_[static_cast<std::size_t>(slot)] = place++;
  std::vector<int> counts(static_cast<std::size_t>(graph.threads()), 0);
  for (int slot = 0; slot < graph.size(); ++slot) {
    const Event& event = graph.event(Slot{slot});
    if (event.kind == EventKind::kAttempt) continue;
    int source = ORDEAL_NO_EVENT;
    if (has_source(event)) source = number(event.rf) < 0 ? ORDEAL_INITIAL : places_[static_cast<std::size_t>(number(event.rf))];
    events_.push_back(described(event, source, counts[static_cast<std::size_t>(number(event.thread))]++));
  }
}

ObserverPlugin::Opinion ObserverPlugin::look_at(const engine::Execution& execution, const runtime::Locations& locations) {
  locations_.clear();
  for (int l = 0; l < execution.graph.locations(); ++l) {
    const runtime::NativeLocation& location = locations[model::LocationId{l}];
    locations_.push_back({location.address, location.size, execution.graph.event(model::initial_write(model::LocationId{l})).value});
  }
  return ask(execution.graph, execution.ending);
}

ObserverPlugin::Opinion ObserverPlugin::look_at(const trace::Trace& trace) {
  const analysis::GraphOfTrace of_trace(trace);
  if (of_trace.standing() == analysis::Standing::kTooLarge || of_trace.standing() == analysis::Standing::kUnknownModel) return {ORDEAL_FINE, "", false};
  locations_.clear();
  for (const trace::TraceLocation& location : trace.locations) locations_.push_back({location.address, location.size, location.initial});
  return ask(of_trace.graph(), trace.ending);
}

ObserverPlugin::Opinion ObserverPlugin::ask(const ExecutionGraph& graph, engine::Ending ending) {
  describe(graph);
  Inside inside{&graph, {}};
  for (std::size_t slot = 0; slot < places_.size(); ++slot)
    if (places_[slot] >= 0) inside.slots.push_back(Slot{static_cast<int>(slot)});
  ordeal_execution shown{};
  shown.number = ++number_;
  shown.is_complete = ending == engine::Ending::kComplete ? 1 : 0;
  shown.threads = graph.threads();
  shown.events = static_cast<int>(events_.size());
  shown.locations = static_cast<int>(locations_.size());
  shown.event = events_.data();
  shown.location = locations_.data();
  shown.happens_before = &happens_before;
  shown.inside = &inside;
  char message[kMostText] = "";
  const ordeal_opinion opinion = table_->finished(&shown, message, sizeof message);
  return {opinion, opinion == ORDEAL_BUG ? without_end(message) : ""};
}

std::string ObserverPlugin::note() const {
  if (table_ == nullptr || table_->end == nullptr) return "";
  char note[kMostText] = "";
  table_->end(note, sizeof note);
  return without_end(note);
}

}  // namespace ordeal::agent
