#include "dump.h"

namespace ordeal::model::testing {
namespace {

class Dumper {
 public:
  explicit Dumper(const ExecutionGraph& graph, bool with_trail) : graph_(graph), with_trail_(with_trail) {}

  std::string text() {
    put("size", graph_.size());
    put("threads", graph_.threads());
    put("seq_cst fences", graph_.seq_cst_fences());
    if (with_trail_) put("trail", static_cast<int>(graph_.mark()));
    text_ += "\nseq_cst:";
    for (const Slot slot : graph_.seq_cst_events()) put(slot);
    text_ += "\nrevisitors:";
    for (const Slot slot : graph_.revisitors()) put(slot);
    for (int t = 0; t < graph_.threads(); ++t) thread(ThreadId{t});
    for (int l = 0; l < graph_.locations(); ++l) location(LocationId{l});
    for (int i = -graph_.locations(); i < graph_.size(); ++i) event(Slot{i});
    return std::move(text_) + "\n";
  }

 private:
  void put(const char* name, std::int64_t value) { ((text_ += ' ') += name) += ' ' + std::to_string(value); }
  void put(std::int64_t value) { text_ += ' ' + std::to_string(value); }
  void put(Slot slot) { text_ += slot == kNone ? " -" : ' ' + std::to_string(number(slot)); }
  void put(const char* name, Slot slot) {
    (text_ += ' ') += name;
    put(slot);
  }

  void thread(ThreadId id) {
    text_ += "\nthread " + std::to_string(number(id)) + ":";
    put("last", graph_.last_of(id));
    put("creation", graph_.creation_of(id));
    put("seq_cst", graph_.last_seq_cst(id));
    put("count", graph_.count_of(id));
  }

  void location(LocationId id) {
    text_ += "\nlocation " + std::to_string(number(id)) + ":";
    put("write", graph_.last_write(id));
    put("read", graph_.last_read(id));
    put("writes", graph_.writes_at(id));
    put("seq_cst", graph_.seq_cst_accesses_at(id));
    for (int t = 0; t < graph_.threads(); ++t) put("here", graph_.last_here(id, ThreadId{t}));
  }

  void event(Slot slot) {
    const Event& event = graph_.event(slot);
    text_ += "\n" + std::to_string(number(slot)) + ":";
    put("kind", static_cast<int>(event.kind));
    put("order", static_cast<int>(event.order));
    put("rmw", event.is_rmw ? 1 : 0);
    put("behind all", event.is_behind_all ? 1 : 0);
    put("location", number(event.location));
    put("value", event.value);
    if (number(slot) >= 0) {
      put("thread", number(event.thread));
      put("index", event.index);
      put("stamp", event.stamp);
      if (event.kind == EventKind::kRead || event.is_rmw) put("rf", event.rf);
      links(event);
    }
    if (event.kind == EventKind::kWrite) write(slot, event);
    if (number(slot) < 0) return;
    row("hb", slot, Row::kHb);
    row("porf", slot, Row::kPorf);
  }

  void links(const Event& event) {
    put("links", event.previous);
    if (is_access(event)) put(event.previous_at_location), put(event.previous_here);
    put("fences", event.release_fence);
    put(event.acquire_fence);
    put(event.sc_fence);
    put("sc", event.previous_sc);
    put(event.sc_index);
    if (with_trail_) put("mark", event.trail_mark);
  }

  void write(Slot slot, const Event& event) {
    put("backward", event.backward_readers);
    put("mo", event.mo_position);
    put("chain", event.chain_head);
    put(event.chain_position);
    if (number(slot) >= 0) {
      put("ordinal", event.ordinal);
      row("release", slot, Row::kRelease);
    }
    if (event.chain_head != slot) return;
    put("tail", event.chain_tail);
    row("mo", slot, Row::kMo);
  }

  void row(const char* name, Slot slot, Row which) {
    (text_ += " | ") += name;
    for (int t = 0; t < graph_.threads(); ++t) put(graph_.row(slot, which)[t]);
  }

  const ExecutionGraph& graph_;
  bool with_trail_;
  std::string text_;
};

}  // namespace

std::string dump(const ExecutionGraph& graph, bool with_trail) { return Dumper(graph, with_trail).text(); }

}  // namespace ordeal::model::testing
