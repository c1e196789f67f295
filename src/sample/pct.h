// Probabilistic concurrency testing (Burckhardt et al. 2010), for weak memory: few things that must go a certain way make most bugs.
//
// Threads have priorities, drawn at random; the highest one that can go on does. At d - 1 *change points*, steps drawn at random, the
// running thread falls behind all others. A bug that needs d such orders is found with a probability of at least 1 / (n · k^(d-1)), for n
// threads and k steps. A quarter of them waits for the next step behind an RMW or a lock, if there is one soon: there critical sections begin; a
// quarter for an RMW: it relies on what was read before (ABA).
//
// With weak memory, which store a load reads matters as much as who is first. So loads read the newest store, but for d - 1 of
// those that have a choice, drawn as the change points are: they read any other store. The same for the places of stores.
//
// k is not known ahead, and must not depend on other executions: its order of magnitude is drawn, for each point. A thread that waits in a loop
// (kYield, or many loads in a row) falls behind the others; so does one that ran for long while others could have: it may poll under a lock.
#pragma once

#include <vector>

#include "sample/random_walk.h"

namespace ordeal::sample {

class Pct final : public RandomWalk {
 public:
  explicit Pct(int depth = 3);
  std::string_view name() const override { return name_; }
  void begin(std::uint64_t seed, std::uint64_t execution) override;
  void created(int thread) override;
  int next_thread(const Step& step) override;
  std::uint32_t which_store(int thread, std::uint32_t count) override;
  std::uint32_t which_place(int thread, std::uint32_t count) override;

 private:
  bool is_stale_now();
  void draw_points(std::vector<std::uint64_t>& points);
  void change_priorities(const Step& step, StepKind did);
  void fall_behind(int thread);
  int highest(const Step& step) const;

  std::string name_;
  int depth_;
  std::vector<std::int64_t> priority_;    // by thread; the highest goes on
  std::int64_t lowest_ = 0;
  std::vector<std::uint64_t> changes_;    // numbers of steps, falling, each with a bit: it waits for a section
  std::vector<std::uint64_t> stale_;      // numbers of reads that are free to choose, falling
  std::uint64_t step_ = 0, read_ = 0;
  std::uint64_t run_of_loads_ = 0, run_ = 0;  // steps in a row, by the thread `last_`
  int last_ = -1;
};

}  // namespace ordeal::sample
