// Load buffering against the definition taken literally: all execution orders of small random programs, event by event.
#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "notation.h"
#include "oracle/axioms.h"
#include "oracle/oracle.h"
#include "oracle/relation.h"
#include "rounds.h"

namespace ordeal::oracle {
namespace {

using litmus::Order;
using litmus::Value;

/// One instruction on location 0 or 1. What it stores: a constant, or the last value read plus the constant.
struct Op {
  Event::Kind kind = Event::Kind::kRead;
  Order order = Order::kRelaxed;
  int location = 0;
  Value constant = 0;
  bool uses_last_read = false;
};

using Code = std::vector<std::vector<Op>>;  // by thread

/// Executed events, in the order of execution; two initial writes first. Program counters and last values read.
struct Run {
  std::vector<Event> events{Event{}, Event{}};
  std::vector<std::size_t> next;
  std::vector<Value> last_read;
};

class Literal {
 public:
  Literal(const Code& code, Model model) : code_(code), model_(model) {
    Run run;
    for (int location = 0; location < 2; ++location)
      run.events[location].index = run.events[location].location = location;
    run.next.assign(code.size(), 0);
    run.last_read.assign(code.size(), 0);
    explore(run);
  }
  /// The number of classes with a cycle in po ∪ rf.
  std::size_t cyclic_classes() const { return classes_.size(); }

 private:
  bool consistent(const Run& run) const {
    const Axioms axioms(model_, /*thin_air=*/true, run.events);
    const int size = static_cast<int>(run.events.size());
    std::array<std::vector<int>, 2> writes;
    for (int e = 2; e < size; ++e)
      if (run.events[e].writes()) writes[run.events[e].location].push_back(e);
    const auto add = [](Relation& mo, int first, const std::vector<int>& order) {
      for (std::size_t i = 0; i < order.size(); ++i) {
        mo.add(first, order[i]);
        for (std::size_t j = i + 1; j < order.size(); ++j) mo.add(order[i], order[j]);
      }
    };
    do {
      do {
        Relation mo(size);
        add(mo, 0, writes[0]);
        add(mo, 1, writes[1]);
        if (axioms.hold(mo)) return true;
      } while (std::next_permutation(writes[1].begin(), writes[1].end()));
    } while (std::next_permutation(writes[0].begin(), writes[0].end()));
    return false;
  }

  /// Executes the next instruction of a thread; `value` and `source` are what it reads.
  Run step(Run run, int thread, Value value, int source, int promised_by) const {
    const Op& op = code_[thread][run.next[thread]];
    Event event;
    event.kind = op.kind;
    event.thread = thread;
    event.index = static_cast<int>(run.next[thread]++);
    event.location = op.kind == Event::Kind::kFence ? -1 : op.location;
    event.order = op.order;
    event.source = source;
    event.promised_by = promised_by;
    if (event.kind == Event::Kind::kWrite)
      event.value_written = op.constant + (op.uses_last_read ? run.last_read[thread] : 0);
    if (event.kind == Event::Kind::kRmw) event.value_written = value + op.constant;
    if (event.reads()) run.last_read[thread] = event.value_read = value;
    run.events.push_back(event);
    return run;
  }

  bool is_over(const Run& run, int thread) const { return run.next[thread] == code_[thread].size(); }

  template <class Visit>
  void for_each_step(const Run& run, int thread, const Visit& visit) const {
    const Op& op = code_[thread][run.next[thread]];
    if (op.kind == Event::Kind::kWrite || op.kind == Event::Kind::kFence) return visit(step(run, thread, 0, -1, -1));
    for (int source = 0; source < static_cast<int>(run.events.size()); ++source)
      if (run.events[source].writes() && run.events[source].location == op.location)
        visit(step(run, thread, run.events[source].value_written, source, -1));
  }

  void run_alone(const Run& run, int thread, int location, std::set<Value>& values) const {
    if (is_over(run, thread)) return;
    for_each_step(run, thread, [&](const Run& more) {
      if (!consistent(more)) return;
      const Event& event = more.events.back();
      if (event.writes() && event.location == location) values.insert(event.value_written);
      run_alone(more, thread, location, values);
    });
  }

  void explore(const Run& run) {
    bool all_over = true;
    for (int thread = 0; thread < static_cast<int>(code_.size()); ++thread) {
      if (is_over(run, thread)) continue;
      all_over = false;
      for_each_step(run, thread, [&](const Run& more) { keep(more, 2); });
      const Op& op = code_[thread][run.next[thread]];
      if (op.kind != Event::Kind::kRead && op.kind != Event::Kind::kRmw) continue;
      for (int promiser = 0; promiser < static_cast<int>(code_.size()); ++promiser) {
        if (promiser == thread) continue;
        std::set<Value> values;
        run_alone(run, promiser, op.location, values);
        for (const Value value : values) keep(step(run, thread, value, -1, promiser), 2);
      }
    }
    if (all_over) report(run);
  }

  /// The newest event keeps any subset of the promises that it can keep.
  void keep(const Run& run, int reader) {
    const int last = static_cast<int>(run.events.size()) - 1;
    const Event& write = run.events[last];
    if (reader == last || !write.writes()) {
      if (consistent(run)) explore(run);
      return;
    }
    keep(run, reader + 1);
    const Event& read = run.events[reader];
    if (read.promised_by != write.thread || read.location != write.location || read.value_read != write.value_written)
      return;
    Run kept = run;
    kept.events[reader].source = last;
    kept.events[reader].promised_by = -1;
    keep(kept, reader + 1);
  }

  void report(const Run& run) {
    for (const Event& event : run.events)
      if (event.promised_by >= 0) return;
    const Axioms axioms(model_, /*thin_air=*/true, run.events);
    if (axioms.po_and_rf_are_acyclic()) return;
    const int size = static_cast<int>(run.events.size());
    for (int a = 0; a < size; ++a)
      for (int b = 0; b < a; ++b)
        if (axioms.hb()(a, b)) return;  // the order of execution does not respect hb
    std::set<std::vector<Value>> name;
    for (const Event& event : run.events)
      if (event.reads()) {
        const Event& source = run.events[event.source];
        name.insert({event.thread, event.index, event.value_read, source.thread, source.index});
      }
    classes_.insert(name);
  }

  const Code& code_;
  Model model_;
  std::set<std::set<std::vector<Value>>> classes_;
};

Code random_code(std::mt19937& random) {
  const auto pick = [&](int count) { return static_cast<int>(random() % count); };
  static constexpr Order kLoads[] = {Order::kRelaxed, Order::kRelaxed, Order::kRelaxed, Order::kAcquire,
                                     Order::kSeqCst};
  static constexpr Order kStores[] = {Order::kRelaxed, Order::kRelaxed, Order::kRelaxed, Order::kRelease,
                                      Order::kSeqCst};
  static constexpr Order kFences[] = {Order::kAcquire, Order::kRelease, Order::kAcqRel, Order::kSeqCst};
  Code code(pick(3) == 0 ? 3 : 2);
  for (auto& thread : code) {
    thread.resize(code.size() == 3 ? 2 : 2 + pick(2));
    for (std::size_t i = 0; i < thread.size(); ++i) {
      Op& op = thread[i];
      op.location = pick(2);
      op.constant = pick(2);
      op.uses_last_read = pick(2) == 0;
      const int kind = i == 0 ? pick(4) : pick(9);
      if (kind < 3) {
        op.kind = Event::Kind::kRead;
        op.order = kLoads[pick(5)];
      } else if (kind == 3) {
        op.kind = Event::Kind::kRmw;
        op.order = kStores[pick(5)];
      } else if (kind < 8) {
        op.kind = Event::Kind::kWrite;
        op.order = kStores[pick(5)];
      } else {
        op.kind = Event::Kind::kFence;
        op.order = kFences[pick(4)];
      }
    }
  }
  return code;
}

std::vector<std::string> notation(const Code& code) {
  const auto order = [](Order o) {
    return std::string(o == Order::kRelaxed   ? "rlx"
                       : o == Order::kAcquire ? "acq"
                       : o == Order::kRelease ? "rel"
                       : o == Order::kAcqRel  ? "ar"
                                              : "sc");
  };
  std::vector<std::string> result;
  for (const auto& thread : code) {
    std::string text;
    for (const Op& op : thread) {
      const std::string x = op.location == 0 ? " x " : " y ";
      const std::string constant = std::to_string(op.constant);
      if (op.kind == Event::Kind::kRead) text += "R r0" + x;
      if (op.kind == Event::Kind::kWrite) text += "W" + x + (op.uses_last_read ? "r0+" : "") + constant + " ";
      if (op.kind == Event::Kind::kRmw) text += "A r0" + x + constant + " ";
      if (op.kind == Event::Kind::kFence) text += "F ";
      text += order(op.order) + "; ";
    }
    result.push_back(text);
  }
  return result;
}

TEST(Promises, AgreeWithAllExecutionOrders) {
  std::mt19937 random(11);
  std::size_t found = 0;
  for (int round = 0; round < std::max(30, testing::scaled(60)); ++round) {
    const Code code = random_code(random);
    const auto test = testing::Notation::parse(notation(code), {{"x", 0}, {"y", 0}});
    for (const Model model : {Model::kCpp20, Model::kRc11}) {
      Options options;
      options.model = model;
      const std::size_t ordinary = run(test, options).executions;
      options.load_buffering = true;
      const std::size_t all = run(test, options).executions;
      ASSERT_EQ(all - ordinary, Literal(code, model).cyclic_classes())
          << "model " << static_cast<int>(model) << ::testing::PrintToString(notation(code));
      found += all - ordinary;
    }
  }
  EXPECT_GT(found, 0U);
}

}  // namespace
}  // namespace ordeal::oracle
