// The random walk: at each step any thread that can go on, each load any store that it may read, each store anywhere in modification
// order where it may go.
//
// Some bugs need threads that take turns all the time, some a thread that gets far ahead of the others. So each execution draws how
// long threads run on the average: 1, 2, 4 … operations before anybody is chosen anew.
//
// Weak memory shows where a thread sees one thing new and the next one old (or the other way round). So whether the newest store is
// taken or any is drawn in *contrast* to the thread's last choice: most often it is the other one. Against choices that do not
// depend on each other that doubles the rates of bugs like those that C11Tester's authors put into their locks (docs/adr/0018).
//
// Several relaxed or release stores of a thread in a row are made without a break: others can still read any of them, and
// see them more often than if each were a matter of luck (C11Tester, section 3).
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
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>((rng_.next() >> 32) * bound >> 32); }
  base::Rng rng_{0};
  bool was_store_ = false;
  std::uint32_t run_ = 1;            // threads go on for so many operations, on the average
  bool takes_turns_ = false;         // another thread goes on more often than the same
  std::uint32_t contrast_ = 4;       // of 8 choices, so many are not as the one before
  std::vector<char> took_newest_;    // by thread: its last choice
};

}  // namespace ordeal::sample
