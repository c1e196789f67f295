// One execution, as a machine would run it: every read takes the newest write, a thread that waits in a loop gives way to
// the others until one of them has written. For a program that is started by itself.
#pragma once

#include <vector>

#include "explore/exhaustive.h"

namespace ordeal::explore {

class Once final : public engine::Decider {
 public:
  explicit Once(model::Model model) : search_(model) { search_.set_newest_first(true); }

  model::ExecutionGraph& graph() override { return search_.graph(); }
  bool advance() override;
  bool decide(const engine::Operation& operation) override;
  bool can_go_on(const engine::Operation& operation) override;
  bool can_end(std::span<const engine::Operation> waiting) override { return search_.can_end(waiting); }

 private:
  Exhaustive search_;
  std::uint64_t writes_ = 0;
  std::vector<std::uint64_t> rests_since_;  // by thread: the number of writes when it gave way, plus one; 0: it did not
};

}  // namespace ordeal::explore
