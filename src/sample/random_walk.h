// The random walk: at each step any thread that can go on, each load any store that it may read, each store anywhere in modification
// order where it may go.
//
// Some bugs need threads that take turns all the time, some a thread that gets far ahead of the others. So each execution draws its
// *pace*: whether another thread goes on at nearly each step (not at each: two that only get out of each other's way would do so for
// ever), or rather another one, or any; or threads run for 4 or 16 operations on the average. Then they are still apt to be interrupted behind an RMW or a lock: there critical sections begin.
// In one of eight executions the threads that were created last tend to be ahead: outside, where those that were created first have a start, that is what happens least.
// In one of eight waits with a time limit give up most often: what goes wrong only after several of them is not seen otherwise.
//
// Weak memory shows where a thread sees one thing new and the next one old (or the other way round). So whether the newest store is
// taken or any is drawn in *contrast* to the thread's last choice: most often it is the other one. Against choices that do not
// depend on each other that doubles the rates of bugs like those that C11Tester's authors put into their locks (docs/adr/0018).
//
// Several relaxed or release stores of a thread in a row are made without a break: others can still read any of them, and
// see them more often than if each were a matter of luck (C11Tester, section 3). Nor is there a break before a thread is created, else those
// that were created first would be ahead of the others most often. That takes no execution away: who is created need not run.
#pragma once

#include <vector>

#include "base/rng.h"
#include "sample/strategy.h"

namespace ordeal::sample {

class RandomWalk : public Strategy {
 public:
  std::string_view name() const override { return "random"; }
  void begin(std::uint64_t seed, std::uint64_t execution) override;
  int next_thread(const Step& step) override;
  std::uint32_t which_store(int thread, std::uint32_t count) override;
  std::uint32_t which_place(int thread, std::uint32_t count) override;
  std::uint32_t answer(Question question, std::uint32_t alternatives) override;

 protected:
  std::uint32_t below(std::uint32_t bound) { return below(bound, rng_.next()); }
  /// By the upper half of a random number. (The lower one is for other choices: numbers are dear where there is one for each operation.)
  static std::uint32_t below(std::uint32_t bound, std::uint64_t random) { return static_cast<std::uint32_t>((random >> 32) * bound >> 32); }
  /// Whether a thread is about to create another one, and goes on for that. If there are many, that can wait.
  static bool creates(const Step& step) { return step.kind == StepKind::kCreate && step.current >= 0 && step.ready.size() < kManyThreads; }
  /// What the running thread did last; notes what it is about to do.
  StepKind note_step(const Step& step);
  base::Rng rng_{0};

 private:
  static constexpr std::size_t kManyThreads = 16;
  struct Habit {  // of a thread
    StepKind next = StepKind::kLoad;  // what it is about to do
    bool took_newest = false;         // its last choice of a store
  };
  Habit& habit(int thread) {
    if (static_cast<std::size_t>(thread) >= habits_.size()) [[unlikely]] add_habits(thread);
    return habits_[static_cast<std::size_t>(thread)];
  }
  void add_habits(int thread);
  /// A thread by the bits of a random number: the upper half, and four of the lower one.
  int choose(const Step& step, std::uint64_t random) const;

  std::uint32_t run_ = 1;       // threads go on for so many operations, on the average: 1, 4 or 16
  std::uint32_t turns_ = 0;     // of 16 times that anybody might go on, so many it is another thread
  bool last_first_ = false;     // of two threads that might go on, the one that was created last
  bool is_late_ = false;        // time is up most often, not seldom
  std::uint32_t contrast_ = 4;  // of 8 choices, so many are not as the one before
  std::vector<Habit> habits_;   // by thread
};

}  // namespace ordeal::sample
