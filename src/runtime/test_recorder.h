// What an execution of random testing does, event by event: while it is run again to explain a bug, the trace in its report; with
// --sc-analysis, --require-sc and --observer every execution, without stacks.
//
// Events come in the order of execution. A store's number (sample/memory.h) is the place of its event in its thread, so that what a load
// has read tells the event. What main does while it is alone is no event. Executions that are too long leave no events. A thread that has
// the number of one before it (Testing::find_number) is another thread of the trace, behind all others.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/thread.h"
#include "sample/memory.h"
#include "trace/trace.h"

namespace ordeal::runtime {

class TestRecorder {
 public:
  static inline bool is_on = false;
  static constexpr std::size_t kMostEvents = 5000;  // for a table

  /// From here on, until `end`: what it has then.
  static void begin(std::size_t most = kMostEvents);
  /// REQUIRES: the program has so many threads.
  static trace::Trace end(int threads);
  /// The threads that had the number of one before them, as they came: that number. They are numbered behind the others.
  static const std::vector<int>& followers() { return followers_; }
  /// Whether what `end` gave is all that was done.
  static bool was_whole() { return !is_useless_; }

  /// Whether another event would be too many for a table.
  static bool is_full_table() { return most_ == kMostEvents && trace_.events.size() >= most_; }
  /// How many events the thread has.
  static std::int32_t count(int thread);
  /// Where a thread is: which of those with its number it is, 0 being the first, and how many events they have had.
  struct Place {
    int which = 0;
    std::int32_t events = -1;  // -1: they are not recorded
  };
  static Place here(int thread);
  /// What that is in the trace: the thread, and how many events that one had. REQUIRES: after `end`, with so many threads.
  static trace::EventName in_trace(int thread, const Place& place, int threads);
  /// The number that a store has which the running thread is about to make, behind so many events of its operation.
  static std::uint32_t number(int thread, std::uint32_t behind = 0) { return is_on ? static_cast<std::uint32_t>(count(thread)) + behind : 0; }

  /// There is a new location of sample::Memory. `size` 0: a sync object.
  static void add_location(sample::Memory::LocationId location, std::uintptr_t address, std::size_t size, model::Value initial, trace::LocationSort sort = trace::LocationSort::kMemory);
  struct Access {
    int thread;
    sample::Memory::LocationId location;
    model::MemoryOrder order;
    std::uintptr_t site;
    bool is_rmw = false;
  };
  static void read(const Access& access, const sample::Store& source, bool failed_spuriously = false);
  /// Of the read that was last recorded: it is that of this compare-exchange.
  static void compares(const model::Access& access);
  static void write(const Access& access, model::Value value);
  /// What the program is about to write there itself: the value is read from memory before anything else is recorded.
  static void write_unfinished(const Access& access, std::uintptr_t address, std::uint32_t size);
  /// Before the memory is given back.
  static void finish_write();
  /// It goes on behind this store.
  static void wake(const Access& access, const sample::Store& source);
  static void fence(int thread, model::MemoryOrder order, std::uintptr_t site);
  static void create_or_join(int thread, model::EventKind kind, int other, std::uintptr_t site);
  static void choice(int thread, model::Value value, model::ChoiceOf about, std::uintptr_t site);
  /// The stack of each location's last access, aligned with the trace's locations: what its name may depend on.
  static const std::vector<std::uint32_t>& last_stacks() { return last_stacks_; }

 private:
  static trace::TraceEvent* add(int thread, model::EventKind kind, model::MemoryOrder order, std::uintptr_t site);
  static trace::TraceEvent* add(const Access& access, model::EventKind kind);
  static trace::EventName name_of(const sample::Store& store, std::int32_t location);
  static int which(int thread, std::int32_t index);
  static int thread_of(int thread, int which, int threads);
  static void name_followers(int threads);

  static trace::Trace trace_;
  static std::vector<std::int32_t> counts_, locations_;  // by thread; by location of sample::Memory
  static std::vector<std::uint32_t> last_stacks_;
  static std::uint32_t latest_stack_;
  static std::vector<bool> created_;
  static std::vector<int> followers_;
  struct Follower {
    int thread;          // in the trace, behind those of the program
    std::int32_t first;  // the place of its first event among all with this number
  };
  static std::vector<std::vector<Follower>> followers_of_;  // by number
  static std::vector<int> others_;                          // by event that creates or joins: which with this number it is about
  struct Unfinished {
    std::size_t event;
    std::uintptr_t address;  // 0: there is none
    std::uint32_t size;
  };
  static Unfinished unfinished_;
  static bool is_useless_;
  static std::size_t most_;
};

}  // namespace ordeal::runtime
