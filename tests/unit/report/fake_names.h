// A source without debug information: code address 41 is line 41 of queue.cpp, in function f41.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/source_names.h"
#include "trace/run_result.h"

namespace ordeal::report::testing {

class FakeNames : public SourceNames {
 public:
  SourcePlace place(const std::vector<trace::CodeAddress>& stack) override {
    if (stack.empty()) return {};
    return {"f" + std::to_string(stack[0]), "queue.cpp", static_cast<std::uint32_t>(stack[0]), 3};
  }
  std::vector<SourcePlace> calls(const std::vector<trace::CodeAddress>& stack) override {
    std::vector<SourcePlace> places;
    for (const trace::CodeAddress address : stack) places.push_back(place({address}));
    return places;
  }
  DataName data(const trace::Trace&, std::uint64_t address, std::uint64_t) override {
    const auto found = variables.find(address);
    if (found != variables.end()) return {found->second, "", true};
    return {"block@queue.cpp:7", "a block of 32 bytes allocated at queue.cpp:7, byte 8", false};
  }
  std::vector<std::string> remarks() const override { return remark; }

  std::map<std::uint64_t, std::string> variables{{0x100, "x"}, {0x200, "flag"}, {0x300, "a.lock"}, {0x400, "b.lock"}};
  std::vector<std::string> remark;
};

/// Adds events to a trace, one call each.
class TraceMaker {
 public:
  explicit TraceMaker(trace::Trace& trace, std::vector<std::string> threads) : trace_(trace) {
    trace.threads = std::move(threads);
    count_.resize(trace.threads.size(), 0);
  }
  int location(std::uint64_t address, std::uint32_t size = 4) {
    trace_.locations.push_back({"", 0, address, size});
    return static_cast<int>(trace_.locations.size()) - 1;
  }
  trace::EventName create(int thread, int other, trace::CodeAddress line) {
    const trace::EventName name = add(thread, model::EventKind::kCreate, model::MemoryOrder::kSeqCst, line);
    trace_.events.back().other = other;
    return name;
  }
  trace::EventName write(int thread, int location, model::Value value, model::MemoryOrder order,
                         trace::CodeAddress line) {
    const trace::EventName name = add(thread, model::EventKind::kWrite, order, line);
    trace_.events.back().location = location;
    trace_.events.back().value = value;
    return name;
  }
  trace::EventName read(int thread, int location, model::Value value, model::MemoryOrder order, trace::EventName rf,
                        trace::CodeAddress line) {
    const trace::EventName name = write(thread, location, value, order, line);
    trace_.events.back().kind = model::EventKind::kRead;
    trace_.events.back().rf = rf;
    return name;
  }
  /// 0 → 1, from the initial value.
  trace::EventName lock(int thread, int location, trace::CodeAddress line) {
    read(thread, location, 0, model::MemoryOrder::kAcquire, {-1, location}, line);
    trace_.events.back().is_rmw = true;
    const trace::EventName name = write(thread, location, 1, model::MemoryOrder::kAcquire, line);
    trace_.events.back().is_rmw = true;
    return name;
  }
  trace::EventName add(int thread, model::EventKind kind, model::MemoryOrder order, trace::CodeAddress line) {
    trace::TraceEvent event;
    event.name = {thread, count_[static_cast<std::size_t>(thread)]++};
    event.kind = kind;
    event.order = order;
    event.inserted = static_cast<std::uint32_t>(trace_.events.size());
    event.stack = {line, 1000};
    trace_.events.push_back(event);
    return event.name;
  }

 private:
  trace::Trace& trace_;
  std::vector<int> count_;
};

/// main creates thread 1, stores 2 and reads what thread 1 stored, all relaxed; both access x, which is no event.
///   a main: create thread 1    thread 1: writes x (no event)    b thread 1: flag = 1 rlx    c main: flag = 2 rlx    d main: flag: 1
inline trace::RunResult race_beside_flag() {
  trace::RunResult result;
  result.verdict = trace::Verdict::kBug;
  result.model = "cpp20";
  trace::Bug bug;
  bug.kind = trace::BugKind::kDataRace;
  bug.trace.model = "cpp20";
  TraceMaker events(bug.trace, {"main", "thread 1"});
  const int flag = events.location(0x200);
  events.create(0, 1, 10);
  const trace::EventName one = events.write(1, flag, 1, model::MemoryOrder::kRelaxed, 30);
  events.write(0, flag, 2, model::MemoryOrder::kRelaxed, 12);
  events.read(0, flag, 1, model::MemoryOrder::kRelaxed, one, 13);
  bug.address = 0x100;
  bug.size = 4;
  bug.parties = {{0, "reads 4 bytes", 0x100, 3, {14, 1000}}, {1, "writes 4 bytes", 0x100, 0, {29, 1000}}};
  result.bugs = {bug};
  return result;
}

}  // namespace ordeal::report::testing
