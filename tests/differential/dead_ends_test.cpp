// Executions in which a thread stands in a dead end (explore/dead_ends.h) are given up. Random programs with loops that try again, with and without that:
//   - the same complete classes, none twice;
//   - whatever threads that were not stopped do in an execution without it, they do in some execution with it;
//   - the same final states in which all threads that have not ended wait forever.
// A turn that is in vain stops its thread, as in a tested program: it reads, compares, tries to exchange, and has no effect if it fails.
#include "explore/dead_ends.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <map>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "engine/contested.h"
#include "model/completion.h"
#include "tests/support/exploration.h"
#include "tests/support/models.h"
#include "tests/support/scale.h"
#include "tests/support/scripted_program.h"

namespace ordeal::tests {
namespace dead_ends {
namespace {

using model::Model;
using model::Slot;

struct Turn {
  int reads[3] = {};  // locations; so many as `count`
  int count = 0;
  Value wanted[3] = {};  // bit v: with value v the turn goes on; otherwise it is in vain
  int awaited = -1;      // that read waits for a value that is wanted
  int tried = -1;        // that read is a compare-exchange, too: if it finds `sought` the turn is over
  Value sought = 0;
  bool is_indexed = false;  // the reads after the first are so many locations further as that gave
  int exchanged = -1;       // then a compare-exchange there; -1: none
  int expected_from = -1;   // that expects what this read gave; -1: `expected`
  Value expected = 0, desired = 0;
  bool adds_one = false;  // desired is one more than expected
  bool is_weak = false;   // it may fail without reason: in vain
  Value useful = 0;       // not 0: the exchange waits for one of these values
  MemoryOrder exchange = MemoryOrder::kRelaxed;
  bool waits = false;  // in vain: it waits, rather than being redundant
};

struct Action {
  enum class Kind {
    kStore,
    kAdd,
    kLoad,
    kFence,
    kTurn,
    kAwait,
    kCopy,  // loads, and stores one more at the location before
    kLock,
    kTryLock,
    kUnlock,
    kCreate,
    kJoin
  } kind = Kind::kStore;
  int location = 0;
  Value value = 0;
  MemoryOrder order = MemoryOrder::kRelaxed;
  int place = 0;  // kTurn: the first of two numbers in the table of useless values
  Turn turn{};
};

struct Recipe {
  int locations = 2;         // and a mutex behind them
  int values = 3;            // are stored, from 1
  bool has_created = false;  // the last thread is created by another one
  int contested = 0;         // locations at which threads wait for the others, as bits
  std::vector<std::vector<Action>> threads;
};

constexpr Value kAll = ~Value{0};
bool has(Value set, Value value) { return (set >> (value & 31) & 1) != 0; }

MemoryOrder read_order(base::Rng& rng, bool has_seq_cst) {
  if (has_seq_cst && rng.chance(50)) return MemoryOrder::kSeqCst;
  return rng.chance(50) ? MemoryOrder::kAcquire : MemoryOrder::kRelaxed;
}

Turn random_turn(base::Rng& rng, const Recipe& recipe, int location, bool has_seq_cst) {
  Turn turn;
  turn.count = std::min(rng.below(3) + (rng.chance(70) ? 1 : 0), 3);
  for (int i = 0; i < turn.count; ++i) {
    turn.reads[i] = rng.below(recipe.locations);
    turn.wanted[i] = rng.chance(40) ? kAll : static_cast<Value>(1 + rng.below(31));
  }
  turn.waits = rng.chance(40);
  turn.is_indexed = turn.count > 1 && rng.chance(20);
  if (turn.count > 0 && rng.chance(10)) turn.awaited = rng.below(turn.count);
  if (turn.count > 0 && rng.chance(15)) turn.tried = rng.below(turn.count);
  if (turn.tried == turn.awaited) turn.awaited = -1;
  turn.sought = static_cast<Value>(rng.below(4));
  if (turn.count > 0 && !rng.chance(60)) return turn;
  turn.exchanged = location;
  if (turn.count > 0 && rng.chance(70)) {
    turn.expected_from = rng.chance(80) ? 0 : rng.below(turn.count);
    if (rng.chance(75)) turn.reads[turn.expected_from] = location;
  }
  turn.expected = static_cast<Value>(rng.below(3));
  turn.desired = 1 + static_cast<Value>(rng.below(recipe.values + 1));
  turn.adds_one = rng.chance(25);
  turn.is_weak = rng.chance(15);
  if (has_seq_cst && rng.chance(40))
    turn.exchange = MemoryOrder::kSeqCst;
  else if (rng.chance(20))
    turn.exchange = MemoryOrder::kAcqRel;
  if (turn.expected_from < 0 && !turn.is_weak && rng.chance(10))
    turn.useful = static_cast<Value>(1 + rng.below(31)) | Value{1} << turn.expected;
  return turn;
}

Action random_action(base::Rng& rng, const Recipe& recipe, bool has_seq_cst) {
  Action action;
  action.location = rng.below(recipe.locations);
  action.value = 1 + static_cast<Value>(rng.below(recipe.values));
  const auto is_seq_cst = [&] { return has_seq_cst && rng.chance(50); };
  const auto kind = rng.below(20);
  if (kind < 8) {
    action.kind = Action::Kind::kTurn;
    action.order = read_order(rng, has_seq_cst);
    action.turn = random_turn(rng, recipe, action.location, has_seq_cst);
  } else if (kind < 14) {
    action.kind = Action::Kind::kStore;
    action.order = is_seq_cst() ? MemoryOrder::kSeqCst : rng.chance(50) ? MemoryOrder::kRelease : MemoryOrder::kRelaxed;
  } else if (kind < 16) {
    action.kind = Action::Kind::kAdd;
    action.order = is_seq_cst() ? MemoryOrder::kSeqCst : rng.chance(50) ? MemoryOrder::kAcqRel : MemoryOrder::kRelaxed;
  } else if (kind < 17) {
    action.kind = Action::Kind::kAwait;
    action.order = read_order(rng, has_seq_cst);
  } else if (kind < 18 && !(has_seq_cst && rng.chance(60))) {
    action.kind = action.location > 0 && rng.chance(50) ? Action::Kind::kCopy : Action::Kind::kLoad;
    action.order = read_order(rng, has_seq_cst);
  } else {
    action.kind = Action::Kind::kFence;
    action.order = has_seq_cst ? MemoryOrder::kSeqCst : MemoryOrder::kAcqRel;
  }
  return action;
}

/// Around some of its actions.
void add_lock(base::Rng& rng, std::vector<Action>& thread) {
  const int first = rng.below(static_cast<int>(thread.size()) + 1);
  const int last = first + rng.below(static_cast<int>(thread.size()) - first + 1);
  Action action;
  action.kind = Action::Kind::kUnlock;
  thread.insert(thread.begin() + last, action);
  action.kind = rng.chance(70) ? Action::Kind::kLock : Action::Kind::kTryLock;
  thread.insert(thread.begin() + first, action);
}

/// One of the others creates the last thread, and may wait for it.
void add_creation(base::Rng& rng, Recipe& recipe) {
  recipe.has_created = true;
  auto& creator = recipe.threads[static_cast<std::size_t>(rng.below(static_cast<int>(recipe.threads.size()) - 1))];
  Action action;
  action.kind = Action::Kind::kJoin;
  if (rng.chance(40)) creator.push_back(action);
  action.kind = Action::Kind::kCreate;
  creator.insert(creator.begin() + rng.below(static_cast<int>(creator.size())), action);
}

Recipe random_recipe(base::Rng& rng) {
  Recipe recipe;
  recipe.locations = 1 + rng.below(3);
  recipe.values = 1 + rng.below(3);
  recipe.contested = rng.chance(40) ? rng.below(16) : 0;
  recipe.threads.resize(static_cast<std::size_t>(2 + rng.below(3)));
  const bool has_seq_cst = rng.chance(40), has_locks = rng.chance(12);
  int place = 0;
  for (auto& thread : recipe.threads) {
    const int length = 1 + rng.below(recipe.threads.size() > 3 ? 2 : 3);
    for (int i = 0; i < length; ++i, place += 2) {
      thread.push_back(random_action(rng, recipe, has_seq_cst));
      thread.back().place = place;
    }
    if (has_locks && rng.chance(60)) add_lock(rng, thread);
  }
  if (rng.chance(15)) add_creation(rng, recipe);
  return recipe;
}

model::UselessValues useless_values(const Recipe& recipe) {
  model::UselessValues all;
  for (const auto& thread : recipe.threads)
    for (const Action& action : thread) {
      const Turn& turn = action.turn;
      for (Value value = 0; value < 32; ++value) {
        if (turn.awaited >= 0 && !has(turn.wanted[turn.awaited], value)) all.add(action.place, value);
        if (turn.useful != 0 && !has(turn.useful, value)) all.add(action.place + 1, value);
      }
    }
  return all;
}

/// One turn, after its reads gave those values.
class TurnAt {
 public:
  TurnAt(const Turn& turn, int locations, std::vector<Value> given)
      : turn_(turn), locations_(locations), given_(std::move(given)) {}

  int reads() const { return static_cast<int>(given_.size()); }
  Value last() const { return given_.back(); }
  TurnAt after(Value value) const {
    TurnAt next = *this;
    next.given_.push_back(value);
    return next;
  }
  /// As it was after its first `count` reads.
  TurnAt before(int count) const { return {turn_, locations_, {given_.begin(), given_.begin() + count}}; }
  /// The location that it reads next.
  LocationId location() const {
    if (reads() == turn_.count) return LocationId{turn_.exchanged};
    const Value further = turn_.is_indexed && reads() > 0 ? given_[0] : 0;
    return LocationId{static_cast<int>((turn_.reads[reads()] + further) % locations_)};
  }
  /// Whether the next read ends it, with that value.
  bool tries(Value value) const { return reads() == turn_.tried && value == turn_.sought; }
  bool waits_now() const { return reads() == turn_.awaited || (exchanges_now() && turn_.useful != 0); }
  bool exchanges_now() const { return reads() == turn_.count && turn_.exchanged >= 0; }
  Value expected() const {
    return turn_.expected_from < 0 ? turn_.expected : given_[static_cast<std::size_t>(turn_.expected_from)];
  }
  Value desired() const { return turn_.adds_one ? expected() + 1 : turn_.desired; }
  /// With its last read; the exchange counts as one if it has failed.
  bool is_in_vain() const { return reads() > turn_.count || (reads() > 0 && !has(turn_.wanted[reads() - 1], last())); }
  bool is_over() const { return reads() == turn_.count && turn_.exchanged < 0; }

 private:
  const Turn& turn_;
  int locations_;
  std::vector<Value> given_;
};

/// What else the reads of a turn that was in vain could give.
class OtherValues {
 public:
  explicit OtherValues(model::SeenWrites& seen) : seen_(seen) {}

  std::vector<engine::StoppedTurn::Read> useful(const TurnAt& turn) {
    std::vector<engine::StoppedTurn::Read> all;
    for (int i = turn.reads(); i-- > 0;) {
      engine::StoppedTurn::Read& read = all.emplace_back();
      read.is_known = true;
      for (const Value value : values(turn.before(i)))
        if (goes_on(turn.before(i), value)) read.useful.push_back(value);
    }
    return all;
  }

 private:
  /// Whether the thread may go on from its next read, if that gives `value`.
  bool goes_on(const TurnAt& turn, Value value) {
    if (turn.exchanges_now()) return value == turn.expected();
    if (turn.tries(value)) return true;
    const TurnAt next = turn.after(value);
    if (next.is_in_vain() || next.is_over()) return !next.is_in_vain();
    if (next.waits_now()) return true;  // for ever, perhaps: then it is stopped by nobody
    const std::vector<Value> others = values(next);
    return std::any_of(others.begin(), others.end(), [&](Value other) { return goes_on(next, other); });
  }
  std::vector<Value> values(const TurnAt& turn) {
    const auto seen = seen_.values(turn.location());
    return {seen.begin(), seen.end()};
  }

  model::SeenWrites& seen_;
};

/// What threads have in common.
struct Shared {
  int locations;
  ThreadId last;
  model::SeenWrites* seen;
};

void run_turn(Steps& steps, const Action& action, const Shared& shared) {
  const Turn& turn = action.turn;
  std::vector<Value> given;
  const auto stop = [&] {
    const Cut cut = turn.waits ? Cut::kSpin : Cut::kRedundant;
    if (shared.seen == nullptr) steps.block(cut);
    steps.block(
        cut, [turn, given, shared] { return OtherValues(*shared.seen).useful(TurnAt(turn, shared.locations, given)); });
  };
  const auto now = [&] { return TurnAt(turn, shared.locations, given); };
  while (now().reads() < turn.count) {
    const LocationId location = now().location();
    if (now().reads() == turn.tried) {
      Value read = turn.sought;
      if (steps.compare_exchange(location, read, turn.desired + 1, false, action.order)) return;
      given.push_back(read);
    } else {
      given.push_back(now().reads() == turn.awaited ? steps.await_useful(action.place, location, action.order)
                                                    : steps.load(location, action.order));
    }
    if (now().is_in_vain()) stop();
  }
  if (turn.exchanged < 0) return;
  const TurnAt before = now();
  Value read = before.expected();
  if (turn.useful != 0) {
    read =
        steps.replace_useful(action.place + 1, before.location(), before.expected(), before.desired(), turn.exchange);
    if (read == before.expected()) return;
  } else if (steps.compare_exchange(before.location(), read, before.desired(), turn.is_weak, turn.exchange)) {
    return;
  }
  given.push_back(read);
  stop();
}

void run(Steps& steps, const std::vector<Action>& actions, const Shared& shared) {
  const LocationId mutex{shared.locations};
  bool holds = false, has_created = false;
  for (const Action& action : actions) {
    const LocationId location{action.location};
    switch (action.kind) {
      case Action::Kind::kStore: steps.store(location, action.value, action.order); break;
      case Action::Kind::kAdd: steps.fetch_add(location, action.value, action.order); break;
      case Action::Kind::kLoad: steps.load(location, action.order); break;
      case Action::Kind::kCopy:
        steps.store(LocationId{action.location - 1}, steps.load(location, action.order) + 1);
        break;
      case Action::Kind::kFence: steps.fence(action.order); break;
      case Action::Kind::kTurn: run_turn(steps, action, shared); break;
      case Action::Kind::kAwait: steps.await(model::Await::kEqual, location, kAll, action.value, action.order); break;
      case Action::Kind::kLock: steps.lock(mutex), holds = true; break;
      case Action::Kind::kTryLock: holds = steps.try_lock(mutex); break;
      case Action::Kind::kUnlock:
        if (holds) steps.unlock(mutex);
        holds = false;
        break;
      case Action::Kind::kCreate: steps.create(shared.last), has_created = true; break;
      case Action::Kind::kJoin:
        if (has_created) steps.join(shared.last);
    }
  }
}

void add_threads(const Recipe& recipe, ScriptedProgram& program, model::SeenWrites* seen = nullptr) {
  for (int i = 0; i <= recipe.locations; ++i) program.location();
  const Shared shared{recipe.locations, ThreadId{static_cast<int>(recipe.threads.size()) - 1}, seen};
  for (const auto& actions : recipe.threads) {
    const auto body = [actions, shared](Steps& steps) { run(steps, actions, shared); };
    if (recipe.has_created && &actions == &recipe.threads.back())
      program.created_thread(body);
    else
      program.thread(body);
  }
}

/// What a thread did, event by event.
using Story = std::vector<std::string>;

std::string name_of(const model::ExecutionGraph& graph, Slot slot) {
  if (model::is_initial(slot)) return "init";
  int place = 0;  // attempts are not counted
  for (Slot at = graph.event(slot).previous; at != model::kNone; at = graph.event(at).previous)
    place += graph.event(at).kind != model::EventKind::kAttempt ? 1 : 0;
  return std::to_string(number(graph.event(slot).thread)) + "." + std::to_string(place);
}

/// By thread; of one that was stopped, without the reads at its end: its last turn.
std::vector<Story> stories(const model::ExecutionGraph& graph, std::size_t threads, bool with_last_turns) {
  std::vector<Story> all(threads);
  for (int s = 0; s < graph.size(); ++s) {
    const model::Event& event = graph.event(Slot{s});
    if (event.kind == model::EventKind::kAttempt) continue;
    std::string text = std::to_string(static_cast<int>(event.kind)) + "@" + std::to_string(number(event.location)) +
                       "=" + std::to_string(event.value);
    if (event.kind == model::EventKind::kRead) text += "<" + name_of(graph, event.rf);
    all[static_cast<std::size_t>(number(event.thread))].push_back(text + (event.is_rmw ? "!" : ""));
  }
  if (with_last_turns) return all;
  for (int t = 0; t < graph.threads(); ++t) {
    const Slot last = graph.last_of(model::ThreadId{t});
    if (last != model::kNone && graph.event(last).ends_thread) continue;
    Story& story = all[static_cast<std::size_t>(t)];
    while (!story.empty() && story.back().front() == '0' && story.back().back() != '!') story.pop_back();
  }
  return all;
}

bool begin_alike(const std::vector<Story>& shorter, const std::vector<Story>& longer) {
  for (std::size_t t = 0; t < shorter.size(); ++t)
    if (shorter[t].size() > longer[t].size() || !std::equal(shorter[t].begin(), shorter[t].end(), longer[t].begin()))
      return false;
  return true;
}

struct Seen final : engine::Observer {
  Seen(Model model, std::size_t threads) : consistency(model), threads(threads) {}
  bool finished(const engine::Execution& execution) override {
    const bool is_complete = execution.ending == engine::Ending::kComplete;
    if (is_complete) complete.insert(explore::class_key(execution.graph));
    trimmed.push_back(stories(execution.graph, threads, false));
    whole.push_back(stories(execution.graph, threads, true));
    if (!is_complete && execution.cut <= Cut::kSpin) note_hang(execution.graph);
    return true;
  }
  /// If the threads that were stopped have read what is, in one modification order, the last value of each location, and those that wait for a value wait for
  /// another one.
  void note_hang(const model::ExecutionGraph& graph) {
    std::vector<model::LocationId> locations;
    std::vector<Slot> reads;
    std::vector<model::Access> waits;
    std::string text;
    const auto note_location = [&](LocationId location) {
      if (std::find(locations.begin(), locations.end(), location) == locations.end()) locations.push_back(location);
    };
    for (int t = 0; t < static_cast<int>(threads); ++t) {
      const model::ThreadId thread{t};
      Slot at = t < graph.threads() ? graph.last_of(thread) : model::kNone;
      const bool is_there = at != model::kNone || t < program->initial_threads();
      const bool has_ended = !is_there || (at != model::kNone && graph.event(at).ends_thread);
      const engine::Operation operation = has_ended ? engine::Operation() : program->next(thread);
      const bool is_stopped = has_ended || operation.kind == engine::OperationKind::kBlock;
      if (model::is_for_value(operation.access.await)) {
        waits.push_back(operation.access);
        note_location(operation.access.location);
      }
      const auto& story = (is_stopped ? trimmed : whole).back()[static_cast<std::size_t>(t)];
      for (const std::string& event : story) text += event + " ";
      text += "|";
      for (std::size_t i = whole.back()[static_cast<std::size_t>(t)].size(); i > story.size();
           --i, at = graph.event(at).previous) {
        while (graph.event(at).kind == model::EventKind::kAttempt) at = graph.event(at).previous;
        reads.push_back(at);
        const model::Event& read = graph.event(at);
        text += std::to_string(number(read.location)) + "=" + std::to_string(read.value) + " ";
        note_location(read.location);
      }
    }
    model::ExecutionGraph copy(graph);
    bool is_hang = locations.empty();
    const auto is_last = [&](std::span<const Slot> last, LocationId location, const auto& is_right) {
      return std::any_of(last.begin(), last.end(), [&](Slot write) {
        return copy.event(write).location == location && is_right(copy.event(write).value);
      });
    };
    if (!is_hang)
      model::for_each_final_memory(copy, consistency, locations, [&](std::span<const Slot> last) {
        is_hang = std::all_of(reads.begin(), reads.end(), [&](Slot slot) {
          const model::Event& read = copy.event(slot);
          return is_last(last, read.location, [&](Value value) { return value == read.value; });
        });
        is_hang &= std::all_of(waits.begin(), waits.end(), [&](const model::Access& wait) {
          return is_last(last, wait.location, [&](Value value) { return !consistency.fits(wait, value); });
        });
        return !is_hang;
      });
    if (is_hang) hangs.insert(text);
  }

  model::Consistency consistency;
  std::size_t threads;
  ScriptedProgram* program = nullptr;
  std::set<std::string> complete, hangs;
  std::vector<std::vector<Story>> trimmed, whole;
};

struct Tally {
  std::uint64_t programs = 0, with = 0, executions = 0, blocked = 0, blocked_with = 0, hangs = 0, stale = 0,
                refuted = 0;
};

/// The searches of one program.
class Searches {
 public:
  Searches(const Recipe& recipe, Model model, int rotation)
      : recipe_(recipe), model_(model), rotation_(rotation), useless_(useless_values(recipe)) {
    for (int i = 0; i <= recipe.locations; ++i)
      if ((recipe.contested >> i & 1) != 0) contested_.add(LocationId{i});
    contested_.use();
  }

  Exploration without(Seen& seen) { return search(&seen, false, nullptr); }
  Exploration by_last_reads() { return search(nullptr, true, nullptr); }
  Exploration with(Seen& seen, model::SeenWrites& writes) { return search(&seen, true, &writes); }

 private:
  Exploration search(Seen* seen, bool leaves_dead_ends, model::SeenWrites* writes) {
    ScriptedProgram program;
    add_threads(recipe_, program, writes);
    if (seen != nullptr) seen->program = &program, seen->consistency.set_useless_values(&useless_);
    return explore_all(program, model_, seen, &useless_, false, &contested_, rotation_, leaves_dead_ends, writes);
  }

  const Recipe& recipe_;
  Model model_;
  int rotation_;
  model::UselessValues useless_;
  engine::Contested contested_;
};

std::string difference(const Recipe& recipe, Model model, int rotation, Tally& tally) {
  Searches searches(recipe, model, rotation);
  Seen without(model, recipe.threads.size());
  const Exploration all = searches.without(without);
  const Exploration by_last_reads = searches.by_last_reads();
  model::SeenWrites writes;
  auto seen = std::make_unique<Seen>(model, recipe.threads.size());
  Exploration some = searches.with(*seen, writes);
  for (; writes.is_refuted(); some = searches.with(*seen, writes)) {
    ++tally.refuted;
    writes.begin_round();
    seen = std::make_unique<Seen>(model, recipe.threads.size());
  }
  const Seen& with = *seen;
  ++tally.programs;
  tally.stale += some.counts.blocked < by_last_reads.counts.blocked ? 1 : 0;
  tally.with += some.counts.blocked < all.counts.blocked ? 1 : 0;
  tally.executions += all.counts.complete;
  tally.blocked += all.counts.blocked;
  tally.blocked_with += some.counts.blocked;
  tally.hangs += without.hangs.size();
  if (some.repeated > 0) return std::to_string(some.repeated) + " classes came twice";
  if (without.complete != with.complete)
    return std::to_string(with.complete.size()) + " complete classes, expected " +
           std::to_string(without.complete.size());
  if (without.hangs != with.hangs)
    return std::to_string(with.hangs.size()) + " hangs, expected " + std::to_string(without.hangs.size());
  for (const auto& execution : without.trimmed)
    if (std::none_of(with.whole.begin(), with.whole.end(),
                     [&](const auto& found) { return begin_alike(execution, found); }))
      return "what threads do that were not stopped is lost";
  return "";
}

std::string text_of(const Turn& turn) {
  std::string text = "(";
  for (int i = 0; i < turn.count; ++i)
    text += std::string(i == turn.awaited ? "await"
                        : i == turn.tried
                            ? "try" + std::to_string(turn.sought) + "->" + std::to_string(turn.desired + 1) + "@"
                            : "r") +
            std::to_string(turn.reads[i]) + (turn.is_indexed && i > 0 ? "+first" : "") + "&" +
            std::to_string(turn.wanted[i]) + " ";
  if (turn.exchanged >= 0)
    text += std::string(turn.is_weak       ? "weak "
                        : turn.useful != 0 ? "waiting "
                                           : "") +
            "cas" + std::to_string(turn.exchanged) + "/" + std::to_string(static_cast<int>(turn.exchange)) + " from" +
            std::to_string(turn.expected_from) + "/" + std::to_string(turn.expected) + "->" +
            (turn.adds_one ? "+1" : std::to_string(turn.desired)) +
            (turn.useful != 0 ? " useful " + std::to_string(turn.useful) : "");
  return text + (turn.waits ? " waits)" : ")");
}

std::string text_of(const Recipe& recipe) {
  std::string text =
      std::to_string(recipe.locations) + " locations, contested " + std::to_string(recipe.contested) + "\n";
  for (const auto& thread : recipe.threads) {
    text += recipe.has_created && &thread == &recipe.threads.back() ? "created:" : "thread:";
    for (const Action& action : thread) {
      constexpr std::array<const char*, 12> kNames{"s",    "a",   "l",      "f",      "t",   "w", "c",
                                                   "lock", "try", "unlock", "create", "join"};
      text += std::string(" ") + kNames[static_cast<std::size_t>(action.kind)];
      if (action.kind >= Action::Kind::kLock) continue;
      text += std::to_string(action.location) + "=" + std::to_string(action.value) + "/" +
              std::to_string(static_cast<int>(action.order));
      if (action.kind == Action::Kind::kTurn) text += text_of(action.turn);
    }
    text += "\n";
  }
  return text;
}

Recipe shrunk(Recipe recipe, Model model, int rotation) {
  Tally ignored;
  for (bool found = true; found;) {
    found = false;
    for (std::size_t t = 0; t < recipe.threads.size() && !found; ++t)
      for (std::size_t i = 0; i < recipe.threads[t].size() && !found; ++i) {
        Recipe smaller = recipe;
        smaller.threads[t].erase(smaller.threads[t].begin() + static_cast<std::ptrdiff_t>(i));
        if (difference(smaller, model, rotation, ignored).empty()) continue;
        recipe = smaller;
        found = true;
      }
  }
  return recipe;
}

/// What is wrong with the program of that number; empty: nothing.
std::string failure_of(int seed, Tally& tally) {
  base::Rng rng(static_cast<std::uint64_t>(seed), 4242);
  const Recipe recipe = random_recipe(rng);
  const Model model = rng.chance(50) ? Model::kCpp20 : Model::kRc11;
  const int rotation = static_cast<int>(rng.below(3));
  const std::string wrong = difference(recipe, model, rotation, tally);
  if (wrong.empty()) return "";
  const Recipe small = shrunk(recipe, model, rotation);
  Tally ignored;
  return "seed " + std::to_string(seed) + ", " + std::string(model::name_of(model)) + ": " + wrong + "\n" +
         text_of(recipe) + "cut down: " + difference(small, model, rotation, ignored) + "\n" + text_of(small);
}

TEST(DeadEnds, NothingIsLostWhereTheyAreLeft) {
  Tally tally;
  for (int seed = 0; seed < scaled(400); ++seed) ASSERT_EQ(failure_of(seed, tally), "");
  std::cout << tally.programs << " programs, " << tally.with << " with dead ends, " << tally.executions << " complete, "
            << tally.blocked << " blocked, " << tally.blocked_with << " without dead ends, " << tally.hangs
            << " hangs, " << tally.stale << " programs with stale turns, " << tally.refuted << " refuted\n";
  EXPECT_GT(tally.stale, tally.programs / 40);
  EXPECT_GT(tally.with, tally.programs / 20);  // or this tests nothing
}

// Programs for which one condition is needed each. T is the thread with the turn.

Action store(int location, Value value) { return {Action::Kind::kStore, location, value}; }
Action add(int location, Value value) { return {Action::Kind::kAdd, location, value}; }
Action await(int location, Value value) { return {Action::Kind::kAwait, location, value}; }
Action turn(const Turn& what) {
  Action action{Action::Kind::kTurn};
  action.turn = what;
  return action;
}
/// Reads location 0, and goes on only if it finds `found` in location 1, which it makes 5.
Turn compares_with(Value found) {
  Turn turn{.count = 1, .exchanged = 1, .expected = found, .desired = 5};
  turn.wanted[0] = kAll;
  return turn;
}
/// The same, if it finds what it has read.
Turn compares() {
  Turn turn = compares_with(0);
  turn.expected_from = 0;
  return turn;
}

std::string wrong_with(std::vector<std::vector<Action>> threads, bool has_created = false) {
  Recipe recipe;
  recipe.locations = 3;
  recipe.threads = std::move(threads);
  recipe.has_created = has_created;
  Tally tally;
  for (const Model model : {Model::kCpp20, Model::kRc11}) {
    const std::string wrong = difference(recipe, model, 0, tally);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

TEST(DeadEnds, WhoCouldWriteHavingReadTheGreaterWriteIsInNone) {
  const Turn last{.exchanged = 0, .expected = 1, .desired = 9};
  EXPECT_EQ(wrong_with({{add(0, 3)}, {store(0, 5), store(0, 1)}, {turn(last)}, {store(0, 1)}}), "");
}

/// T tries location 0 first: the 1 is taken by the addition, so the 5 is what it reads in the end.
TEST(StaleTurns, WhoCouldWriteHavingReadTheGreaterWriteIsInNone) {
  Turn first = compares();
  first.tried = 0, first.sought = 1;
  EXPECT_EQ(wrong_with({{add(0, 3)}, {store(1, 7), store(0, 5), store(0, 1)}, {turn(first)}, {store(0, 7)}}), "");
  first.sought = 9;
  EXPECT_EQ(wrong_with({{add(0, -8)}, {store(1, 7), store(0, 5), store(0, 9)}, {turn(first)}, {store(0, 7)}}), "");
}

/// T may wait for ever with the 1, as it may with the 2: either may be last.
TEST(StaleTurns, AWriteThatMayBeEarlierDoesNotCount) {
  Turn waiting = compares_with(6);
  waiting.waits = true;
  EXPECT_EQ(wrong_with({{store(0, 1)}, {store(0, 2)}, {turn(waiting)}}), "");
}

/// The 8 is later than the 5, but T, having read the 5, reads what is greatest.
TEST(StaleTurns, AWriteThatIsLaterAndNotGreaterDoesNotCount) {
  EXPECT_EQ(wrong_with({{add(0, 3)}, {store(1, 7), store(0, 5)}, {turn(compares())}, {store(0, 7)}}), "");
}

/// The 2 came after T read the 1, which has revisited it: the 7, written on top of the 1, does not depend on it.
TEST(StaleTurns, AGreaterWriteThatMayGoAwayDoesNotCount) {
  Turn first = compares();
  first.wanted[0] = 1 << 1 | 1 << 2 | 1 << 7;
  const Turn on_top{.exchanged = 0, .expected = 1, .desired = 7};
  EXPECT_EQ(
      wrong_with({{await(2, 1), store(0, 1), store(0, 2)}, {turn(first)}, {store(1, 7), store(2, 1)}, {turn(on_top)}}),
      "");
}

/// The addition to location 1, made while T stood between its reads, may read the 5, and then writes the 6.
TEST(StaleTurns, AReadBetweenTheReadsOfTheTurnMayChangeWhatIsWritten) {
  EXPECT_EQ(wrong_with({{await(2, 1), add(0, 1), add(1, 1)},
                        {store(0, 3)},
                        {turn(compares_with(6))},
                        {store(2, 1)},
                        {await(2, 1), store(1, 5)}}),
            "");
}

/// The same with a store: what was loaded at location 2 while T stood between its reads may become 1, and then the 2 is stored.
TEST(StaleTurns, AReadBetweenTheReadsOfTheTurnMayChangeWhatIsStored) {
  Action copy = store(2, 0);
  copy.kind = Action::Kind::kCopy;
  EXPECT_EQ(wrong_with({{await(2, 3), add(0, 1), copy},
                        {store(0, 3)},
                        {turn(compares_with(2))},
                        {store(2, 3)},
                        {await(2, 3), store(2, 1)}}),
            "");
}

TEST(StaleTurns, AValueMayBeWrittenOnceMoreLaterInTheThread) {
  EXPECT_EQ(
      wrong_with(
          {{store(0, 1), store(1, 2), store(1, 5), await(2, 1), store(1, 2)}, {turn(compares_with(2))}, {store(2, 1)}}),
      "");
}

TEST(StaleTurns, AValueMayBeWrittenByAnotherThreadLater) {
  EXPECT_EQ(wrong_with({{store(0, 1), store(1, 2), store(1, 5)}, {turn(compares_with(2))}, {store(1, 2)}}), "");
}

TEST(StaleTurns, AValueMayComeThatWasNotThere) {
  EXPECT_EQ(wrong_with({{store(0, 1), store(1, 5)}, {turn(compares_with(6))}, {store(1, 6)}}), "");
}

/// T waits for a 3 that never comes, if it reads the 0 first and then the 1.
TEST(StaleTurns, WhoWaitsForEverIsNotStopped) {
  Turn waiting{.count = 3, .awaited = 2};
  waiting.reads[1] = waiting.reads[2] = 0;
  waiting.wanted[0] = 1 << 0, waiting.wanted[1] = 1 << 1, waiting.wanted[2] = 1 << 3;
  const Turn on_top{.exchanged = 0, .expected = 2, .desired = 1};
  EXPECT_EQ(wrong_with({{store(0, 2)}, {turn(waiting)}, {turn(on_top)}}), "");
}

/// The search is begun anew, and knows what the last thread writes, before that is there.
TEST(StaleTurns, AValueMayBeWrittenByAThreadThatIsNotThereYet) {
  Action create, last = store(1, 6);
  create.kind = Action::Kind::kCreate;
  EXPECT_EQ(wrong_with({{store(0, 1), store(1, 5)}, {turn(compares_with(6))}, {create}, {last}}, true), "");
}

}  // namespace
}  // namespace dead_ends
}  // namespace ordeal::tests
