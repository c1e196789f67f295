// The random walk: at each step any thread that can go on, each load any store that it may read.
//
// Several relaxed or release stores of a thread in a row are made without a break: others can still read any of them, and
// see them more often than if each were a matter of luck (C11Tester, section 3).
#pragma once

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
};

}  // namespace ordeal::sample
