// The portfolio, the default: what finds one bug misses another, so executions take turns. The number of the execution tells whose
// turn it is.
#include <charconv>
#include <memory>

#include "sample/pct.h"
#include "sample/random_walk.h"

namespace ordeal::sample {

namespace {

class Portfolio final : public Strategy {
 public:
  std::string_view name() const override { return "portfolio"; }
  void begin(std::uint64_t seed, std::uint64_t execution) override {
    switch (execution % 32) {
      case 15: now_ = &shallow_; break;
      case 31: now_ = &deep_; break;
      default: now_ = &walk_;
    }
    now_->begin(seed, execution);
  }
  void created(int thread) override { now_->created(thread); }
  int next_thread(const Step& step) override { return now_->next_thread(step); }
  std::uint32_t which_store(int thread, std::uint32_t count) override { return now_->which_store(thread, count); }
  std::uint32_t which_place(int thread, std::uint32_t count) override { return now_->which_place(thread, count); }
  std::uint32_t answer(Question question, std::uint32_t alternatives) override { return now_->answer(question, alternatives); }

 private:
  RandomWalk walk_;
  Pct shallow_{2}, deep_{4};
  Strategy* now_ = &walk_;
};

}  // namespace

std::unique_ptr<Strategy> make_strategy(std::string_view name) {
  if (name == "random") return std::make_unique<RandomWalk>();
  if (name == "portfolio" || name.empty()) return std::make_unique<Portfolio>();
  if (name == "pct") return std::make_unique<Pct>();
  if (name.substr(0, 3) == "pct") {
    int depth = 0;
    const std::string_view text = name.substr(name.substr(3, 1) == ":" ? 4 : 3);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), depth);
    if (error == std::errc() && end == text.data() + text.size() && depth >= 1 && depth <= 100) return std::make_unique<Pct>(depth);
  }
  return nullptr;
}

}  // namespace ordeal::sample
