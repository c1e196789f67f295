// A strategy that does as it is told.
#pragma once

#include <deque>

#include "sample/strategy.h"

namespace ordeal::sample::testing {

class ScriptedStrategy final : public Strategy {
 public:
  std::string_view name() const override { return "scripted"; }
  void begin(std::uint64_t, std::uint64_t) override {}
  int next_thread(const Step& step) override {
    last_step_kind = step.kind;
    current = step.current;
    return thread_place;
  }
  std::uint32_t which_store(int, std::uint32_t count) override { return asked(count, stores); }
  std::uint32_t which_place(int, std::uint32_t count) override { return asked(count, places); }
  std::uint32_t answer(Question, std::uint32_t) override {
    ++questions;
    return given;
  }

  std::deque<std::uint32_t> stores, places;  // answers; the newest when there are no more
  std::uint32_t given = 0;                   // to all questions
  int thread_place = 0, current = -2;
  StepKind last_step_kind = StepKind::kSync;
  int questions = 0;
  std::uint32_t last_count = 0;

 private:
  std::uint32_t asked(std::uint32_t count, std::deque<std::uint32_t>& answers) {
    last_count = count;
    if (answers.empty()) return kNewest;
    const std::uint32_t answer = answers.front();
    answers.pop_front();
    return answer;
  }
};

}  // namespace ordeal::sample::testing
