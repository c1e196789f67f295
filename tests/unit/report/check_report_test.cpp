// What `ordeal check` prints, written by hand: one text for each kind of bug and each verdict.
#include "report/check_report.h"

#include <gtest/gtest.h>

#include "fake_names.h"

namespace ordeal::report {
namespace {

using model::MemoryOrder;
using testing::FakeNames;
using testing::TraceMaker;
using trace::Bug;
using trace::BugKind;
using trace::EventName;
using trace::RunResult;
using trace::Verdict;

const std::vector<std::string> kThreads{"main", "thread 1", "thread 2"};
constexpr const char* kVerdictLine = "bug: 1 bug in 4 executions of queue.cpp, model cpp20, in 1.2 ms\n";

RunResult result_of(Verdict verdict) {
  RunResult result;
  result.verdict = verdict;
  result.model = "cpp20";
  result.executions = 3;
  result.blocked = 1;
  result.seconds = 0.0012;
  result.threads = 3;
  return result;
}

/// What is printed of a bug, without the line of the verdict.
std::string report_of(const Bug& bug, CheckOptions options = {}) {
  RunResult result = result_of(Verdict::kBug);
  result.bugs = {bug};
  FakeNames names;
  options.program = "queue.cpp";
  const std::string text = check_report(result, names, options);
  EXPECT_TRUE(text.ends_with("\n" + std::string(kVerdictLine))) << text;
  return text.substr(0, text.size() - std::string(kVerdictLine).size() - 1);
}

Bug bug_of(BugKind kind, std::string message = "") {
  Bug bug;
  bug.kind = kind;
  bug.message = std::move(message);
  bug.trace.threads = kThreads;
  bug.trace.model = "cpp20";
  return bug;
}

/// x = 1; flag = 1 ∥ if (flag) x
Bug message_passing(MemoryOrder store, MemoryOrder load) {
  Bug bug = bug_of(BugKind::kDataRace);
  TraceMaker events(bug.trace, kThreads);
  const int x = events.location(0x100), flag = events.location(0x200);
  events.create(0, 1, 5);
  events.create(0, 2, 6);
  const EventName data = events.write(1, x, 1, MemoryOrder::kPlain, 41);
  const EventName signal = events.write(1, flag, 1, store, 42);
  events.read(2, flag, 1, load, signal, 56);
  events.read(2, x, 1, MemoryOrder::kPlain, data, 57);
  bug.address = 0x100;
  bug.size = 4;
  bug.parties = {{1, "writes 4 bytes", 0x100, -1, {41, 1000}}, {2, "reads 4 bytes", 0x100, -1, {57, 1000}}};
  return bug;
}

// --- one text a kind ---------------------------------------------------------------------------------------------------

TEST(CheckReport, ARaceNamesTheOrderThatIsTooWeak) {
  Bug bug = message_passing(MemoryOrder::kRelaxed, MemoryOrder::kAcquire);
  bug.output = "hello\n\x1b[31mred";
  CheckOptions options;
  options.replays = {"race.replay"};
  EXPECT_EQ(report_of(bug, options),
            "data race on 'x': thread 1 writes at queue.cpp:41, thread 2 reads at queue.cpp:57\n"
            "\n"
            "  thread 2 reads 'flag' = 1 at queue.cpp:56 [e] from the store of thread 1 at queue.cpp:42 [d], but\n"
            "  that does not order the two accesses: the store is relaxed, not release.\n"
            "  With memory_order_release for the store at queue.cpp:42 the two accesses are ordered.\n"
            "\n"
            "      main             thread 1      thread 2\n"
            "   a  create thread 1                                     queue.cpp:5\n"
            "   b  create thread 2                                     queue.cpp:6\n"
            ">  c                   x = 1                              queue.cpp:41\n"
            "   d                   flag = 1 rlx                       queue.cpp:42\n"
            "   e                                 flag: 1 acq, from d  queue.cpp:56\n"
            ">  f                                 x: 1, from c         queue.cpp:57\n"
            "\n"
            "The program printed:\n"
            "  | hello\n"
            "  | \\x1b[31mred\n"
            "\n"
            "To see it again: ordeal replay race.replay\n");
}

TEST(CheckReport, BothOrdersCanBeTooWeak) {
  const std::string text = report_of(message_passing(MemoryOrder::kRelaxed, MemoryOrder::kRelaxed));
  EXPECT_NE(text.find("the store is relaxed, not release, and the load is relaxed,\n  not acquire.\n"), std::string::npos)
      << text;
  const std::string plain = report_of(message_passing(MemoryOrder::kPlain, MemoryOrder::kSeqCst));
  EXPECT_NE(plain.find("accesses: the store is not atomic.\n"), std::string::npos) << plain;
}

TEST(CheckReport, ARaceWithoutAnyCommunicationTellsTheLastSynchronisation) {
  Bug bug = bug_of(BugKind::kDataRace);
  TraceMaker events(bug.trace, kThreads);
  const int x = events.location(0x100), flag = events.location(0x200);
  events.create(0, 1, 5);
  events.create(0, 2, 6);
  const EventName ready = events.write(0, flag, 1, MemoryOrder::kRelease, 7);
  events.read(1, flag, 1, MemoryOrder::kAcquire, ready, 40);
  events.write(1, x, 1, MemoryOrder::kPlain, 41);
  events.write(2, x, 2, MemoryOrder::kPlain, 57);
  bug.address = 0x100;
  bug.parties = {{1, "writes 4 bytes", 0x100, -1, {41, 1000}}, {2, "writes 4 bytes", 0x100, -1, {57, 1000}}};
  EXPECT_EQ(report_of(bug),
            "data race on 'x': thread 1 writes at queue.cpp:41, thread 2 writes at queue.cpp:57\n"
            "\n"
            "  Nothing orders the two accesses: neither happens before the other.\n"
            "  Before its access thread 1 last synchronised with main when it read 'flag' at queue.cpp:40 [d].\n"
            "  thread 2 has not synchronised since main created it at queue.cpp:6 [b].\n"
            "\n"
            "      main             thread 1             thread 2\n"
            "   a  create thread 1                                 queue.cpp:5\n"
            "   b  create thread 2                                 queue.cpp:6\n"
            "   c  flag = 1 rel                                    queue.cpp:7\n"
            "   d                   flag: 1 acq, from c            queue.cpp:40\n"
            ">  e                   x = 1                          queue.cpp:41\n"
            ">  f                                        x = 2     queue.cpp:57\n");
}

/// x = 1; r0 = flag ∥ flag = 1; r1 = x, with both reading 0.
TEST(CheckReport, AnAssertionTellsTheOldValueThatWasRead) {
  Bug bug = bug_of(BugKind::kAssertion, "r1 == 1");
  TraceMaker events(bug.trace, kThreads);
  const int x = events.location(0x100), flag = events.location(0x200);
  events.write(1, x, 1, MemoryOrder::kRelaxed, 12);
  events.read(1, flag, 0, MemoryOrder::kRelaxed, {-1, flag}, 13);
  events.write(2, flag, 1, MemoryOrder::kRelaxed, 19);
  events.read(2, x, 0, MemoryOrder::kRelaxed, {-1, x}, 20);
  bug.parties = {{2, "", 0, 2, {21, 30}}};
  bug.count = 1200;
  CheckOptions options;
  options.replays = {"a.replay"};
  EXPECT_EQ(report_of(bug, options),
            "assertion failed at queue.cpp:21: r1 == 1\n"
            "\n"
            "  thread 2 was in f21, called by f30 at queue.cpp:30.\n"
            "  No interleaving of the threads does this: it takes weak memory, where a load may return an older\n"
            "  value.\n"
            "  thread 2 reads 'x' = 0 at queue.cpp:20 [d], although thread 1 had stored 1 at queue.cpp:12 [a].\n"
            "  Nothing forbids that, because the store does not happen before the load: what thread 1 did from\n"
            "  there on had not reached thread 2.\n"
            "  With a fence, atomic_thread_fence(memory_order_seq_cst), between the store at queue.cpp:12 and the\n"
            "  load at queue.cpp:13 and one between the store at queue.cpp:19 and the load at queue.cpp:20 this\n"
            "  execution is impossible.\n"
            "\n"
            "      main  thread 1                thread 2\n"
            "   a        x = 1 rlx                                            queue.cpp:12\n"
            "   b        flag: 0 rlx, from init                               queue.cpp:13\n"
            "   c                                flag = 1 rlx                 queue.cpp:19\n"
            "   d                                x: 0 rlx, from init (not a)  queue.cpp:20\n"
            ">                                   assertion fails              queue.cpp:21\n"
            "\n"
            "The same bug in 1,200 executions.\n"
            "To see it again: ordeal replay a.replay\n");
}

/// x = x + 1 ∥ x = x + 1, with both reading 0. The trace has the events of one thread first; no older value is needed.
TEST(CheckReport, AnInterleavingIsShownAsOneAndNotBlamedOnWeakMemory) {
  Bug bug = bug_of(BugKind::kAssertion, "x == 2");
  TraceMaker events(bug.trace, kThreads);
  const int x = events.location(0x100);
  events.read(1, x, 0, MemoryOrder::kRelaxed, {-1, x}, 10);
  events.write(1, x, 1, MemoryOrder::kRelaxed, 11);
  events.read(2, x, 0, MemoryOrder::kRelaxed, {-1, x}, 10);
  events.write(2, x, 1, MemoryOrder::kRelaxed, 11);
  EXPECT_EQ(report_of(bug),
            "assertion failed: x == 2\n"
            "\n"
            "  It takes no weak memory: the threads take turns, in the order of the rows.\n"
            "\n"
            "      main  thread 1             thread 2\n"
            "   a        x: 0 rlx, from init                       queue.cpp:10\n"
            "   b                             x: 0 rlx, from init  queue.cpp:10\n"
            "   c                             x = 1 rlx            queue.cpp:11\n"
            "   d        x = 1 rlx                                 queue.cpp:11\n");
}

TEST(CheckReport, AnExceptionAnAbortASignalAndAnExitCode) {
  Bug bug = bug_of(BugKind::kException, "std::runtime_error: no\nroom");
  bug.parties = {{1, "", 0, -1, {9}}};
  EXPECT_EQ(report_of(bug), "uncaught exception at queue.cpp:9: std::runtime_error: no\\nroom\n");
  bug.kind = BugKind::kAbort;
  bug.message = "";
  EXPECT_EQ(report_of(bug), "abort at queue.cpp:9\n");
  bug.kind = BugKind::kSignal;
  bug.message = "segmentation fault, address 0x0";
  EXPECT_EQ(report_of(bug), "crash at queue.cpp:9: segmentation fault, address 0x0\n");
  bug.kind = BugKind::kExitCode;
  bug.message = "exit code 3";
  bug.parties = {};
  EXPECT_EQ(report_of(bug), "the program ended with failure: exit code 3\n");
}

TEST(CheckReport, ADeadlockTellsWhoHoldsWhat) {
  Bug bug = bug_of(BugKind::kDeadlock);
  TraceMaker events(bug.trace, kThreads);
  const int a = events.location(0x300), b = events.location(0x400);
  for (trace::TraceLocation& location : bug.trace.locations) location.sort = trace::LocationSort::kMutex;
  events.lock(1, a, 10);
  events.lock(2, b, 20);
  bug.trace.ending = engine::Ending::kBlocked;
  bug.parties = {{1, "waits for mutex {}, held by thread 2", 0x400, 2, {11}},
                 {2, "waits for mutex {}, held by thread 1", 0x300, 2, {21}},
                 {0, "waits for the end of thread 1", 0, 0, {30}}};
  EXPECT_EQ(report_of(bug),
            "deadlock: thread 1 waits at queue.cpp:11 for mutex 'b.lock', held by thread 2; thread 2 waits at\n"
            "  queue.cpp:21 for mutex 'a.lock', held by thread 1; main waits at queue.cpp:30 for the end of\n"
            "  thread 1\n"
            "\n"
            "  thread 2 holds 'b.lock' since it locked it at queue.cpp:20 [b].\n"
            "  thread 1 holds 'a.lock' since it locked it at queue.cpp:10 [a].\n"
            "  So thread 1 waits for thread 2, and thread 2 for thread 1.\n"
            "\n"
            "      main                         thread 1                thread 2\n"
            "   a                               locks a.lock                                         queue.cpp:10\n"
            "   b                                                       locks b.lock                 queue.cpp:20\n"
            ">                                  waits for mutex 'b.lock'                             queue.cpp:11\n"
            ">                                                          waits for mutex 'a.lock'     queue.cpp:21\n"
            ">     waits for the end of thread 1                                                     queue.cpp:30\n");
}

TEST(CheckReport, NoProgressTellsWhatTheLoopSees) {
  Bug bug = bug_of(BugKind::kNoProgress);
  TraceMaker events(bug.trace, kThreads);
  const int flag = events.location(0x200);
  const EventName store = events.write(1, flag, 2, MemoryOrder::kRelease, 12);
  events.read(2, flag, 2, MemoryOrder::kAcquire, store, 21);
  bug.parties = {{2, "waits in a loop for a change of {}", 0x200, 1, {21}}};
  EXPECT_EQ(report_of(bug),
            "no progress: thread 2 waits at queue.cpp:21 in a loop for a change of 'flag'\n"
            "\n"
            "  thread 2 reads 'flag' = 2 again and again, from the store of thread 1 at queue.cpp:12 [a]; no\n"
            "  thread is left that will store another value. It goes on only if another value than 2 is stored\n"
            "  there.\n"
            "\n"
            "      main  thread 1      thread 2\n"
            "   a        flag = 2 rel                                          queue.cpp:12\n"
            "   b                      flag: 2 acq, from a                     queue.cpp:21\n"
            ">                         waits in a loop for a change of 'flag'  queue.cpp:21\n");
}

Bug bug_in_block(BugKind kind, const char* what) {
  Bug bug = bug_of(kind);
  bug.address = 0x708;
  bug.size = 4;
  bug.trace.objects = {{0x700, 32, 0, {7}, 2, {15}}};
  bug.parties = {{1, what, 0x708, -1, {12}}};
  return bug;
}

TEST(CheckReport, AUseAfterFreeTellsTheLifeOfTheBlock) {
  EXPECT_EQ(report_of(bug_in_block(BugKind::kUseAfterFree, "reads 4 bytes")),
            "use after free: thread 1 reads 4 bytes at queue.cpp:12: a block of 32 bytes allocated at\n"
            "  queue.cpp:7, byte 8\n"
            "\n"
            "  The block of 32 bytes was allocated at queue.cpp:7 by main and freed at queue.cpp:15 by thread 2.\n");
}

TEST(CheckReport, ADoubleFreeAndAnInvalidFree) {
  EXPECT_EQ(report_of(bug_in_block(BugKind::kDoubleFree, "frees")),
            "double free at queue.cpp:12 by thread 1: a block of 32 bytes allocated at queue.cpp:7, byte 8\n"
            "\n"
            "  The block of 32 bytes was allocated at queue.cpp:7 by main and freed at queue.cpp:15 by thread 2.\n");
  Bug bug = bug_of(BugKind::kInvalidFree);
  bug.address = 0x100;
  bug.parties = {{1, "frees", 0x100, -1, {12}}};
  EXPECT_EQ(report_of(bug), "free of what was not allocated at queue.cpp:12 by thread 1: 'x'\n");
}

TEST(CheckReport, OutOfBoundsAndUninitialisedMemory) {
  Bug bug = bug_in_block(BugKind::kOutOfBounds, "writes 4 bytes");
  bug.trace.objects[0].freed_by = -1;
  EXPECT_EQ(report_of(bug),
            "out of bounds: thread 1 writes 4 bytes at queue.cpp:12: a block of 32 bytes allocated at\n"
            "  queue.cpp:7, byte 8\n"
            "\n"
            "  The block of 32 bytes was allocated at queue.cpp:7 by main.\n");
  bug = bug_of(BugKind::kUninitialisedLoad);
  bug.address = 0x100;
  bug.parties = {{1, "reads 4 bytes", 0x100, -1, {12}}};
  EXPECT_EQ(report_of(bug), "load of uninitialised memory: thread 1 reads 'x' at queue.cpp:12\n");
}

TEST(CheckReport, ALeakNamesTheAllocation) {
  Bug bug = bug_in_block(BugKind::kLeak, "");
  bug.parties = {};
  EXPECT_EQ(report_of(bug), "leak: a block of 32 bytes allocated at queue.cpp:7 is never freed\n");
}

TEST(CheckReport, LockMisuseSaysWhatIsWrong) {
  Bug bug = bug_of(BugKind::kLockMisuse, "unlocks a mutex that another thread holds");
  bug.address = 0x300;
  bug.parties = {{1, "unlocks", 0x300, -1, {12}}};
  EXPECT_EQ(report_of(bug),
            "lock misuse at queue.cpp:12 by thread 1: unlocks mutex 'a.lock', which another thread holds\n");
}

TEST(CheckReport, MisuseOfWhatHasNoNameAndOfAConditionVariableIsAWholeSentence) {
  Bug bug = bug_in_block(BugKind::kLockMisuse, "destroys a mutex that is held");
  bug.message = "destroys a mutex that is held";
  EXPECT_NE(report_of(bug).find("destroys a mutex that is held: a block of 32 bytes"), std::string::npos) << report_of(bug);
  bug = bug_of(BugKind::kLockMisuse, "destroys a condition variable for which a thread waits");
  bug.address = 0x300;
  bug.parties = {{1, "destroys", 0x300, -1, {12}}};
  EXPECT_EQ(report_of(bug), "lock misuse at queue.cpp:12 by thread 1: destroys condition variable 'a.lock', for which a thread\n  waits\n");
}

TEST(CheckReport, ARaceOfAFreeIsAUseAfterFree) {
  Bug bug = bug_in_block(BugKind::kDataRace, "frees it");
  TraceMaker events(bug.trace, kThreads);
  events.create(0, 1, 5);
  events.create(0, 2, 6);
  bug.trace.objects[0].freed_by = -1;
  bug.trace.objects[0].freed = {};
  bug.parties = {{1, "frees it", 0x708, 0, {12}}, {2, "reads 4 bytes", 0x708, 0, {57}}};
  EXPECT_EQ(report_of(bug),
            "use after free (race between free and access) on a block of 32 bytes allocated at queue.cpp:7,\n"
            "  byte 8: thread 1 frees it at queue.cpp:12, thread 2 reads at queue.cpp:57\n"
            "\n"
            "  Nothing orders the two accesses: neither happens before the other.\n"
            "  thread 1 has not synchronised since main created it at queue.cpp:5 [a].\n"
            "  thread 2 has not synchronised since main created it at queue.cpp:6 [b].\n"
            "  The block of 32 bytes was allocated at queue.cpp:7 by main.\n"
            "\n"
            "      main             thread 1         thread 2\n"
            "   a  create thread 1                                     queue.cpp:5\n"
            "   b  create thread 2                                     queue.cpp:6\n"
            ">                                       reads the memory  queue.cpp:57\n"
            ">                      frees the block                    queue.cpp:12\n");
}

/// flag = 1 relaxed ∥ flag: 1 acquire: an acquire load of a relaxed store is no synchronisation.
TEST(CheckReport, OnlyWhatIsReleasedSynchronises) {
  for (const MemoryOrder order : {MemoryOrder::kRelaxed, MemoryOrder::kRelease}) {
    Bug bug = bug_of(BugKind::kDataRace);
    TraceMaker events(bug.trace, kThreads);
    const int flag = events.location(0x200);
    events.create(0, 1, 5);
    events.create(0, 2, 6);
    const EventName ready = events.write(0, flag, 1, order, 7);
    events.read(1, flag, 1, MemoryOrder::kAcquire, ready, 40);
    bug.address = 0x100;
    bug.parties = {{1, "writes 4 bytes", 0x100, 1, {41}}, {2, "writes 4 bytes", 0x100, 0, {57}}};
    const bool is_told =
        report_of(bug).find("thread 1 last synchronised with main when it read 'flag'") != std::string::npos;
    EXPECT_EQ(is_told, order == MemoryOrder::kRelease) << report_of(bug);
  }
}

// --- verdicts ----------------------------------------------------------------------------------------------------------

std::string text_of(const RunResult& result, CheckOptions options = {}) {
  FakeNames names;
  options.program = "counter.cpp";
  return check_report(result, names, options);
}

TEST(CheckReport, AVerifiedProgramTakesOneLine) {
  RunResult result = result_of(Verdict::kVerified);
  result.executions = 6;
  result.blocked = 0;
  EXPECT_EQ(text_of(result), "verified: all 6 execution classes of counter.cpp, model cpp20 (0 blocked) in 1.2 ms\n");
  result.executions = 1;
  result.threads = 1;
  result.notes = {"no two threads touched one location"};
  EXPECT_EQ(text_of(result),
            "verified: the only execution class of counter.cpp, model cpp20 (0 blocked) in 1.2 ms\n"
            "note: the program has one thread only\n"
            "note: no two threads touched one location\n");
}

TEST(CheckReport, ClassesUpToSymmetryAreCalledSo) {
  RunResult result = result_of(Verdict::kVerified);
  result.symmetric = 6;
  EXPECT_EQ(text_of(result), "verified: all 3 execution classes up to symmetry of 6 threads of counter.cpp, model cpp20 (1 blocked) in 1.2 ms\n");
  result.executions = 1;
  EXPECT_EQ(text_of(result), "verified: the only execution class up to symmetry of 6 threads of counter.cpp, model cpp20 (1 blocked) in 1.2 ms\n");
}

TEST(CheckReport, ASearchThatWasCutSaysWhatItKnowsOfSpuriousFailures) {
  RunResult result = result_of(Verdict::kBounded);
  result.bounds = {"--time"};
  result.spurious = trace::SpuriousCounts{1, 1200, true};
  EXPECT_EQ(text_of(result),
            "bounded: no bug in 3 execution classes of counter.cpp, model cpp20 (1 blocked) in 1.2 ms\n"
            "not all was explored: --time\n"
            "explored: all execution classes without spurious failures, 2, and 1 with such failures (1,200 blocked)\n");
  result.spurious = trace::SpuriousCounts{0, 0, false};
  EXPECT_EQ(text_of(result),
            "bounded: no bug in 3 execution classes of counter.cpp, model cpp20 (1 blocked) in 1.2 ms\n"
            "not all was explored: --time\n"
            "explored: 3 execution classes without spurious failures, which come first, and 0 with such failures (0 blocked)\n");
}

TEST(CheckReport, ABoundedSearchSaysWhatCutIt) {
  RunResult result = result_of(Verdict::kBounded);
  result.bounds = {"the time limit of 10 s", "a loop was cut after 3 rounds"};
  EXPECT_EQ(text_of(result),
            "bounded: no bug in 3 execution classes of counter.cpp, model cpp20 (1 blocked) in 1.2 ms\n"
            "not all was explored: the time limit of 10 s; a loop was cut after 3 rounds\n");
}

TEST(CheckReport, WhoTookPartHasALineEach) {
  RunResult result = result_of(Verdict::kBounded);
  result.bounds = {"--max-events 5"};
  result.parties = {{1, "made 5 operations", 0, -1, {33}}, {0, "waits", 0, -1, {}}};
  EXPECT_EQ(text_of(result),
            "bounded: no bug in 3 execution classes of counter.cpp, model cpp20 (1 blocked) in 1.2 ms\n"
            "not all was explored: --max-events 5\n"
            "  thread 1 made 5 operations at queue.cpp:33\n"
            "  main waits\n");
}

TEST(CheckReport, WhatCannotBeCheckedSaysWhereAndWhy) {
  RunResult result = result_of(Verdict::kCannotCheck);
  result.cannot_check = "the program calls fork";
  result.where = {33};
  EXPECT_EQ(text_of(result), "cannot check counter.cpp: the program calls fork at queue.cpp:33\n");
}

TEST(CheckReport, MissingDebugInformationIsToldAtTheEnd) {
  FakeNames names;
  names.remark = {"/tmp/a has no debug information"};
  const std::string text = check_report(result_of(Verdict::kVerified), names, {});
  EXPECT_TRUE(text.ends_with(" in 1.2 ms\nnote: /tmp/a has no debug information\n")) << text;
}

TEST(CheckReport, ColourOnlyIfAskedFor) {
  RunResult result = result_of(Verdict::kVerified);
  CheckOptions options;
  EXPECT_EQ(text_of(result, options).find('\x1b'), std::string::npos);
  options.colour = Colour::kYes;
  EXPECT_TRUE(text_of(result, options).starts_with("\x1b[1;32mverified\x1b[0m: all 3"));
}

// --- tables ------------------------------------------------------------------------------------------------------------

Bug long_bug() {
  Bug bug = bug_of(BugKind::kAssertion, "x");
  TraceMaker events(bug.trace, kThreads);
  const int x = events.location(0x100);
  for (int i = 0; i < 60; ++i) events.write(i % 3, x, i, MemoryOrder::kRelaxed, static_cast<trace::CodeAddress>(i + 1));
  return bug;
}

TEST(CheckReport, ALongTableIsCutWithARemark) {
  const std::string text = report_of(long_bug());
  EXPECT_NE(text.find("   …  20 rows left out, --full shows all\n"), std::string::npos) << text;
  EXPECT_NE(text.find("   f  "), std::string::npos) << "the sixth row is there";
  EXPECT_EQ(text.find("   g  "), std::string::npos);
  EXPECT_NE(text.find("  a1  "), std::string::npos) << "the 27th row is there";
  CheckOptions options;
  options.length = Length::kFull;
  const std::string full = report_of(long_bug(), options);
  EXPECT_EQ(full.find("…"), std::string::npos) << full;
  EXPECT_NE(full.find("   g  "), std::string::npos);
}

TEST(CheckReport, ATableFitsTheTerminal) {
  Bug bug = bug_of(BugKind::kAssertion, "x");
  TraceMaker events(bug.trace, {"main", "thread 1", "thread 2", "thread 3"});
  const int x = events.location(0x500), y = events.location(0x600);
  for (int thread = 0; thread < 4; ++thread) {
    events.write(thread, x, 1234567890123, MemoryOrder::kSeqCst, 1000000);
    events.read(thread, y, 0, MemoryOrder::kSeqCst, {-1, y}, 1000001);
  }
  RunResult result = result_of(Verdict::kBug);
  result.bugs = {bug};
  for (const std::size_t width : {10, 80, 100, 160, 1000}) {
    FakeNames names;
    names.variables = {{0x500, "application::queues.incoming.slots[12].next"}, {0x600, "application::flag"}};
    CheckOptions options;
    options.width = width;
    const std::string text = check_report(result, names, options);
    std::istringstream lines(text.substr(text.find("\n\n")));
    for (std::string line; std::getline(lines, line) && !line.starts_with("bug: ");) {
      std::size_t columns = 0;
      for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xC0) == 0x80 ? 0 : 1;
      EXPECT_LE(columns, std::clamp<std::size_t>(width, 80, 160)) << line;
    }
  }
}

TEST(CheckReport, ExecutionsThatWereAskedForComeFirst) {
  RunResult result = result_of(Verdict::kVerified);
  result.shown.resize(2);
  TraceMaker first(result.shown[0], kThreads), second(result.shown[1], kThreads);
  const int x = first.location(0x100), flag = second.location(0x200);
  first.write(1, x, 1, MemoryOrder::kRelaxed, 12);
  second.write(2, flag, 1, MemoryOrder::kRelaxed, 20);
  EXPECT_TRUE(
      text_of(result).starts_with("execution 1\n"
                                  "      main  thread 1   thread 2\n"
                                  "   a        x = 1 rlx            queue.cpp:12\n"
                                  "\n"
                                  "execution 2\n"
                                  "      main  thread 1  thread 2\n"
                                  "   a                  flag = 1 rlx  queue.cpp:20\n"
                                  "\n"
                                  "verified: all 3 execution classes"))
      << text_of(result);
}

TEST(CheckReport, OfALongOutputTheEndIsShown) {
  Bug bug = bug_of(BugKind::kAssertion, "x");
  for (int i = 1; i <= 41; ++i) bug.output += "line " + std::to_string(i) + "\n";
  EXPECT_TRUE(report_of(bug).starts_with(
      "assertion failed: x\n\nThe program printed, at the end (--full shows all):\n  | line 2\n  | line 3\n"))
      << report_of(bug);
  CheckOptions options;
  options.length = Length::kFull;
  EXPECT_TRUE(report_of(bug, options).starts_with("assertion failed: x\n\nThe program printed:\n  | line 1\n"));
}

TEST(CheckReport, LocationsWithTheSameNameAreNumbered) {
  Bug bug = bug_of(BugKind::kAssertion, "x");
  TraceMaker events(bug.trace, kThreads);
  const int first = events.location(0x500), second = events.location(0x600);
  events.write(0, first, 1, MemoryOrder::kRelaxed, 1);
  events.write(0, second, 2, MemoryOrder::kRelaxed, 2);
  const std::string text = report_of(bug);
  EXPECT_NE(text.find("block@queue.cpp:7 = 1 rlx "), std::string::npos) << text;
  EXPECT_NE(text.find("block@queue.cpp:7 #2 = 2 rlx "), std::string::npos) << text;
}

TEST(CheckReport, APointerIsShownByWhatItPointsTo) {
  Bug bug = bug_of(BugKind::kAssertion, "x");
  TraceMaker events(bug.trace, kThreads);
  const int pointer = events.location(0x100, 8);
  events.write(0, pointer, 0x20000, MemoryOrder::kRelaxed, 1);
  events.write(0, pointer, 0x30000, MemoryOrder::kRelaxed, 2);
  events.write(0, pointer, 7, MemoryOrder::kRelaxed, 2);
  RunResult result = result_of(Verdict::kBug);
  result.bugs = {bug};
  FakeNames names;
  names.variables[0x20000] = "node";
  const std::string text = check_report(result, names, {});
  EXPECT_NE(text.find(" x = &node rlx "), std::string::npos) << text;
  EXPECT_NE(text.find(" x = 0x30000 rlx "), std::string::npos) << text;
  EXPECT_NE(text.find(" x = 7 rlx "), std::string::npos) << text;
}

}  // namespace
}  // namespace ordeal::report
