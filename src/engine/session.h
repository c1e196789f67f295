// THE main loop: a program executes, a decider decides, observers judge.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/decider.h"
#include "engine/observer.h"
#include "engine/program.h"

namespace ordeal::engine {

struct Counts {
  std::uint64_t complete = 0;
  std::uint64_t blocked = 0;
  std::uint64_t given_up = 0;  // executions that led nowhere, for measuring
  bool bound_was_hit = false;  // then nothing is "verified"
  bool stopped = false;        // by an observer
};

class Session {
 public:
  Session(Program& program, Decider& decider) : program_(program), decider_(decider) {}
  void add(Observer& observer) { observers_.push_back(&observer); }

  /// Runs executions until the decider has no more or an observer stops.
  const Counts& run();
  /// A session that should end early is asked here, once an execution.
  void stop_when(bool (*condition)(void*), void* data) { stop_ = condition, stop_data_ = data; }

 private:
  void declare();
  bool run_execution();
  ThreadId next_thread();
  bool has_started(ThreadId thread) const;
  bool has_ended(ThreadId thread);
  bool step(ThreadId thread);
  void finish();
  // Bringing the program to where the graph is.
  void rewind();
  void run_again_from_start();
  void bring_up_to_date(ThreadId thread);
  void give_result(ThreadId thread, model::Slot last);
  void mark_end(ThreadId thread, model::Slot last);

  Program& program_;
  Decider& decider_;
  std::vector<Observer*> observers_;
  Counts counts_;
  std::vector<char> current_;        // thread → the program's thread stands where the graph says
  std::vector<std::byte> initial_;   // checkpoints of the initial states
  std::vector<model::Slot> behind_;  // scratch
  bool (*stop_)(void*) = nullptr;
  void* stop_data_ = nullptr;
};

}  // namespace ordeal::engine
