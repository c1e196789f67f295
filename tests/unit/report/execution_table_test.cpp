#include "report/execution_table.h"

#include <gtest/gtest.h>

namespace ordeal::report {
namespace {

using model::EventKind;
using model::MemoryOrder;
using trace::EventName;
using trace::Trace;
using trace::TraceEvent;

constexpr EventName kInit{-1, 0};

/// Makes traces: each call adds an event of a thread.
class Events {
 public:
  explicit Events(std::vector<std::string> threads, std::vector<std::string> locations = {"x", "y"}) {
    trace_.threads = std::move(threads);
    for (std::string& name : locations) trace_.locations.push_back({std::move(name), 0});
    next_.resize(trace_.threads.size(), 0);
  }
  EventName write(int thread, int location, model::Value value, MemoryOrder order) {
    return add(EventKind::kWrite, thread, location, value, order);
  }
  EventName read(int thread, int location, model::Value value, MemoryOrder order, EventName rf) {
    const EventName name = add(EventKind::kRead, thread, location, value, order);
    trace_.events.back().rf = rf;
    return name;
  }
  /// The name of its write.
  EventName rmw(int thread, int location, model::Value read_value, model::Value written, MemoryOrder order, EventName rf) {
    read(thread, location, read_value, order, rf);
    trace_.events.back().is_rmw = true;
    const EventName name = write(thread, location, written, order);
    trace_.events.back().is_rmw = true;
    return name;
  }
  EventName add(EventKind kind, int thread, int location, model::Value value, MemoryOrder order) {
    TraceEvent event;
    event.name = {thread, next_[static_cast<std::size_t>(thread)]++};
    event.kind = kind;
    event.order = order;
    event.location = location;
    event.value = value;
    trace_.events.push_back(event);
    return event.name;
  }
  TraceEvent& last() { return trace_.events.back(); }
  void set_sort(std::size_t location, trace::LocationSort sort) { trace_.locations[location].sort = sort; }
  std::string table() const { return execution_table(trace_); }
  std::string table_of_width(std::size_t width) const { return execution_table(trace_, {}, {width, Length::kFull}); }
  std::string cut_table() const { return execution_table(trace_, {}, {0, Length::kCut}); }

 private:
  Trace trace_;
  std::vector<int> next_;
};

TEST(ExecutionTable, HasAColumnForEachThreadAndARowForEachEvent) {
  Events events({"P0", "P1"});
  events.write(0, 0, 1, MemoryOrder::kPlain);
  const EventName flag = events.write(0, 1, 1, MemoryOrder::kRelease);
  events.read(1, 1, 1, MemoryOrder::kAcquire, flag);
  events.read(1, 0, 0, MemoryOrder::kPlain, kInit);
  EXPECT_EQ(events.table(),
            "      P0         P1\n"
            "   a  x = 1\n"
            "   b  y = 1 rel\n"
            "   c             y: 1 acq, from b\n"
            "   d             x: 0, from init (not a)\n");
}

TEST(ExecutionTable, AReadModifyWriteIsOneRow) {
  Events events({"P0", "P1"});
  const EventName first = events.rmw(0, 0, 0, 1, MemoryOrder::kRelaxed, kInit);
  events.rmw(1, 0, 1, 2, MemoryOrder::kAcqRel, first);
  EXPECT_EQ(events.table(),
            "      P0                        P1\n"
            "   a  x: 0 -> 1 rlx, from init\n"
            "   b                            x: 1 -> 2 acq_rel, from a\n");
}

TEST(ExecutionTable, OrdersHaveShortNames) {
  Events events({"P0"});
  for (const MemoryOrder order : {MemoryOrder::kRelaxed, MemoryOrder::kRelease, MemoryOrder::kSeqCst}) events.write(0, 0, -7, order);
  for (const MemoryOrder order : {MemoryOrder::kAcquire, MemoryOrder::kAcqRel, MemoryOrder::kSeqCst}) events.add(EventKind::kFence, 0, -1, 0, order);
  EXPECT_EQ(events.table(),
            "      P0\n"
            "   a  x = -7 rlx\n"
            "   b  x = -7 rel\n"
            "   c  x = -7 sc\n"
            "   d  fence acq\n"
            "   e  fence acq_rel\n"
            "   f  fence sc\n");
}

TEST(ExecutionTable, SpuriousFailuresAreMarked) {
  Events events({"P0"});
  events.read(0, 0, 0, MemoryOrder::kRelaxed, kInit);
  events.last().failed_spuriously = true;
  EXPECT_EQ(events.table(),
            "      P0\n"
            "   a  x: 0 (failed spuriously) rlx, from init\n");
}

TEST(ExecutionTable, AReadOfAWriteThatComesLaterSaysWhose) {
  Events events({"P0", "P1"});
  events.read(0, 0, 1, MemoryOrder::kRelaxed, {1, 1});
  const EventName y = events.write(0, 1, 1, MemoryOrder::kRelaxed);
  events.read(1, 1, 1, MemoryOrder::kRelaxed, y);
  events.write(1, 0, 1, MemoryOrder::kRelaxed);
  EXPECT_EQ(events.table(),
            "      P0                       P1\n"
            "   a  x: 1 rlx, from P1 later\n"
            "   b  y = 1 rlx\n"
            "   c                           y: 1 rlx, from b\n"
            "   d                           x = 1 rlx\n");
}

TEST(ExecutionTable, OtherEventsHaveARowToo) {
  Events events({"main", "worker"});
  events.add(EventKind::kCreate, 0, -1, 0, MemoryOrder::kPlain);
  events.add(EventKind::kChoice, 1, -1, 3, MemoryOrder::kPlain);
  events.add(EventKind::kNote, 1, -1, 0, MemoryOrder::kPlain);
  events.add(EventKind::kJoin, 0, -1, 0, MemoryOrder::kPlain);
  events.last().other = 1;
  EXPECT_EQ(events.table(),
            "      main             worker\n"
            "   a  create a thread\n"
            "   b                   choose 3\n"
            "   c                   note\n"
            "   d  join worker\n");
}

TEST(ExecutionTable, AChoiceSaysWhatItIsAbout) {
  Events events({"P0"});
  for (const model::ChoiceOf about : {model::ChoiceOf::kProgram, model::ChoiceOf::kWakeUp, model::ChoiceOf::kTimeLimit, model::ChoiceOf::kTime,
                                      model::ChoiceOf::kNotification, model::ChoiceOf::kWaiter})
    for (const model::Value value : {0, 1}) {
      events.add(EventKind::kChoice, 0, -1, value, MemoryOrder::kPlain);
      events.last().about = about;
    }
  EXPECT_EQ(events.table(),
            "      P0\n"
            "   a  choose 0\n"
            "   b  choose 1\n"
            "   c  waits\n"
            "   d  wakes up for no reason\n"
            "   e  waits\n"
            "   f  its time is up\n"
            "   g  little time passes\n"
            "   h  a long time passes\n"
            "   i  waits\n"
            "   j  waits until it is notified\n"
            "   k  wakes waiter 1 of several\n"
            "   l  wakes waiter 2 of several\n");
}

TEST(ExecutionTable, MutexesAndConditionVariablesAreToldInWords) {
  Events events({"P0", "P1"}, {"m", "c"});
  events.set_sort(0, trace::LocationSort::kMutex);
  events.set_sort(1, trace::LocationSort::kCondition);
  const EventName locked = events.rmw(0, 0, 0, 1, MemoryOrder::kAcquire, kInit);
  const EventName waiting = events.rmw(0, 1, 0, 1, MemoryOrder::kRelaxed, {-1, 1});
  const EventName unlocked = events.rmw(0, 0, 1, 0, MemoryOrder::kRelease, locked);
  events.add(EventKind::kChoice, 0, -1, 0, MemoryOrder::kPlain);
  events.last().about = model::ChoiceOf::kWakeUp;
  events.rmw(1, 0, 0, 1, MemoryOrder::kAcquire, unlocked);
  events.rmw(1, 1, 1, 0, MemoryOrder::kRelaxed, waiting);
  EXPECT_EQ(events.table(),
            "      P0                    P1\n"
            "   a  locks m\n"
            "   b  begins to wait for c\n"
            "   c  unlocks m\n"
            "   d  waits\n"
            "   e                        locks m, after c\n"
            "   f                        notifies c\n");
}

TEST(ExecutionTable, AfterZComesA1) {
  Events events({"P0"});
  for (int i = 0; i < 28; ++i) events.write(0, 0, i, MemoryOrder::kRelaxed);
  const std::string text = events.table();
  EXPECT_NE(text.find("\n   z  x = 25 rlx\n  a1  x = 26 rlx\n  b1  x = 27 rlx\n"), std::string::npos) << text;
}

TEST(ExecutionTable, WhatMainDoesAloneWithItsOwnMemoryIsLeftOut) {
  const auto fill = [](Events& events, bool with_join) {
    events.write(0, 0, 1, MemoryOrder::kRelaxed);  // x: of main alone
    events.write(0, 1, 2, MemoryOrder::kRelaxed);  // y: the thread's, too
    events.add(EventKind::kCreate, 0, -1, 0, MemoryOrder::kRelaxed);
    events.last().other = 1;
    events.write(1, 1, 3, MemoryOrder::kRelaxed);
    if (with_join) events.add(EventKind::kJoin, 0, -1, 0, MemoryOrder::kRelaxed);
    if (with_join) events.last().other = 1;
    events.write(0, 0, 4, MemoryOrder::kRelaxed);
  };
  Events joined({"main", "thread 1"}), alive({"main", "thread 1"});
  fill(joined, true);
  fill(alive, false);
  EXPECT_EQ(joined.cut_table(),
            "      main             thread 1\n"
            "   …  1 row left out, --full shows all\n"
            "   b  y = 2 rlx\n"
            "   c  create thread 1\n"
            "   d                   y = 3 rlx\n"
            "   e  join thread 1\n");
  EXPECT_NE(joined.table().find("   f  x = 4 rlx\n"), std::string::npos);
  EXPECT_NE(alive.cut_table().find("x = 1 rlx\n"), std::string::npos);  // x is used while there is another thread
}

TEST(ExecutionTable, AThreadWithoutEventsKeepsItsColumn) {
  Events events({"P0", "P1", "P2"});
  events.write(2, 0, 1, MemoryOrder::kRelaxed);
  EXPECT_EQ(events.table(),
            "      P0  P1  P2\n"
            "   a          x = 1 rlx\n");
}

TEST(ExecutionTable, TooWideItLosesColumnsWithoutRowsAndHeadingsKeepTheirNumbers) {
  std::vector<std::string> threads{"main"};
  for (int t = 1; t <= 9; ++t) threads.push_back("thread " + std::to_string(t));
  Events one(threads), all(threads);
  one.write(9, 0, 1, MemoryOrder::kRelaxed);
  EXPECT_EQ(one.table_of_width(40),
            "      thread 9\n"
            "   a  x = 1 rlx\n");
  for (int t = 0; t <= 9; ++t) all.write(t, 0, 1, MemoryOrder::kRelaxed);
  const std::string text = all.table_of_width(40);
  EXPECT_EQ(text.substr(0, text.find('\n')), "      main    t1      t2      t3      t4      t5      t6      t7      t8      thread 9");
}

TEST(ExecutionTable, WithoutEventsIsTheHeadline) {
  EXPECT_EQ(Events({"P0", "P1"}).table(), "      P0  P1\n");
}

}  // namespace
}  // namespace ordeal::report
