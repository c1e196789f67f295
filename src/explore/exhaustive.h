// The exhaustive search: every consistent execution class exactly once.
//
//   explore(G):
//     read r   -> each write w that is consistent as its source: explore(G + r)
//     write w  -> explore(G + w); then each read that w may revisit (revisit.h): explore(G')
//     else     -> explore(G + e)
//
// The recursion is a stack of *frames*, one for each event with alternatives left, and a stack of *levels*, one for each
// revisit under way, each with a graph of its own. Popping events undoes; going to another level copies. Memory depends on
// the size of an execution only, not on their number. memory-model.md section 4 has the pseudo-code and what was tried
// against brute force.
//
// An RMW's read may take a write that another RMW has taken already: that graph ends when the RMW's write is added, but
// the write's revisits, which displace the other RMW, are done. Leaving that out loses executions.
//
// Operations that wait have rules of their own: waiting.h.
#pragma once

#include <memory>
#include <vector>

#include "base/rng.h"
#include "engine/counterparts.h"
#include "engine/decider.h"
#include "explore/dead_ends.h"
#include "explore/revisit.h"
#include "model/consistency.h"

namespace ordeal::explore {

class Exhaustive final : public engine::Decider {
 public:
  explicit Exhaustive(model::Model model);

  model::ExecutionGraph& graph() override { return level().graph; }
  bool advance() override;
  bool decide(const engine::Operation& operation) override;
  bool decide_alone(const engine::Operation& operation, std::span<const engine::Operation> waiting) override;
  bool is_dead_end(const engine::StoppedTurn* turn) override { return leaves_dead_ends_ && dead_ends_.has_come_to_one(graph(), turn); }
  int alternatives_left(int size) const override;
  bool can_go_on(const engine::Operation& operation) override;
  bool can_end(std::span<const engine::Operation> waiting) override { return waiting.empty() || can_end_waiting(waiting); }

  bool ends_redundantly(std::span<const engine::Operation> waiting) override;

  model::Consistency& consistency() { return consistency_; }
  /// When the flag is set, nothing more is tried: one operation on a long execution may have many alternatives, each of which takes its time.
  void stop_at_once_when(const volatile bool& flag) { at_once_ = &flag; }
  /// Spurious failures of weak compare-exchanges are explored. On by default.
  void set_spurious_failures(bool on) { spurious_failures_ = on; }
  /// Those of compare-exchanges are left for later (passes.h). Off by default.
  void postpone_spurious_failures(bool on) { postpones_failures_ = on; }
  /// Whether any was left.
  bool has_postponed() const { return has_postponed_; }
  /// Of executions that differ only in which symmetric thread does what, one or a few are explored, not all (model/symmetry.h).
  /// Off by default. REQUIRES: nothing was explored yet. `counterparts`: to check that they are, if that can be told.
  void set_symmetry(const engine::Counterparts* counterparts = nullptr);
  /// Threads were found not to be symmetric: nothing that was explored counts.
  bool is_asymmetric() const { return is_asymmetric_; }
  /// Executions in which a thread is in a dead end (dead_ends.h) are given up. On by default.
  void set_leaves_dead_ends(bool on) { leaves_dead_ends_ = on; }
  /// … and with more of them, if it is known what was written. nullptr, the default: nothing is. REQUIRES: it knows all writes that were made since its round began; no load buffering is explored.
  void set_seen_writes(model::SeenWrites* seen) { dead_ends_.stale_turns().set_seen_writes(seen); }
  /// Reads try the newest write first, or begin with any. nullptr, the default: neither.
  void set_random(base::Rng* rng) { rng_ = rng, newest_first_ = rng != nullptr; }
  /// All is taken back: the next execution is the first. True.
  bool begin_again();
  /// Reads try the newest write first. Off by default; the set of classes is the same.
  void set_newest_first(bool on) { newest_first_ = on; }

 private:
  struct Alternative {
    model::Slot slot;  // a read's source (kNone: it still waits), or a read to revisit
    int value;         // variant of the read, mo position, or chosen value
  };
  enum class FrameKind : std::uint8_t { kSources, kSourcesOrNone, kPositions, kRevisits, kValues };
  /// An event with alternatives left. Those of frames further up stand behind its own in `alternatives`.
  struct Frame {
    FrameKind kind;
    int size;              // of the graph when an alternative is taken: below the event, above the write that revisits
    std::uint32_t stamp;   // of the event
    std::size_t first, next, end;
    model::Access access;
  };
  struct Level {
    model::ExecutionGraph graph;
    std::vector<Frame> frames;
    std::vector<Alternative> alternatives;
  };

  Level& level() { return *levels_[depth_]; }
  Frame& open_frame(FrameKind kind, const model::Access& access);
  void close_frame();
  /// Takes alternatives of the frame on top until one can be gone on from. False: none, or a new frame is on top.
  bool try_top_frame();
  bool take(Frame& frame, Alternative alternative);
  bool take_source(const Frame& frame, Alternative alternative);
  bool take_no_source(const Frame& frame);
  bool take_position(const Frame& frame, Alternative alternative);
  bool take_revisit(Alternative alternative);
  bool take_value(const Frame& frame, Alternative alternative);
  void offer_revisits(Frame& frame);
  bool push_write(const model::Event& write);
  bool push_rmw_write();
  void note_what_is_there(const engine::Operation& operation);
  bool start_read(const engine::Operation& operation);
  bool start_wake(const engine::Operation& operation);
  void offer_variants(const model::Access& access, model::Slot slot, model::Slot source);
  bool can_end_waiting(std::span<const engine::Operation> waiting);
  void offer_sources(const model::Access& access, bool may_wait);
  bool start_store(const engine::Operation& operation);
  bool is_held_by_twin(const engine::Operation& operation);
  void compare_with_twin(const engine::Operation& operation);

  model::Consistency consistency_;
  Revisit revisit_;
  DeadEnds dead_ends_;
  std::vector<std::unique_ptr<Level>> levels_;
  std::size_t depth_ = 0;
  bool started_ = false;
  bool spurious_failures_ = true;
  bool postpones_failures_ = false, has_postponed_ = false;
  bool newest_first_ = false, leaves_dead_ends_ = true;
  base::Rng* rng_ = nullptr;
  static constexpr bool kNever = false;
  const volatile bool* at_once_ = &kNever;
  std::vector<model::Slot> found_;
  // Symmetric threads: what each was last seen to ask for, and in which step.
  struct Asked {
    std::uint64_t step = 0;
    model::Access access;
  };
  bool is_symmetric_ = false;
  const engine::Counterparts* counterparts_ = nullptr;
  std::vector<Asked> asked_;
  std::uint64_t step_ = 0;
  bool is_asymmetric_ = false;
};

}  // namespace ordeal::explore
