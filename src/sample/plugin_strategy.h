// A strategy of a user: the table of functions of a plug-in (include/ordeal/strategy.h), which somebody else has loaded.
//
// Whatever it answers, the execution is one of the program. An answer that is out of range is replaced by the first alternative, and
// `fault` tells of the first such.
#pragma once

#include <ordeal/strategy.h>

#include <string>

#include "sample/strategy.h"

namespace ordeal::sample {

class PluginStrategy : public Strategy {
 public:
  /// REQUIRES: why_unusable says nothing. The table lives as long.
  explicit PluginStrategy(const ordeal_strategy& table) : table_(table), name_(table.name) {}
  /// What is wrong with a table, in words: another version, a function that is missing; empty: nothing.
  static std::string why_unusable(const ordeal_strategy& table);

  std::string_view name() const override { return name_; }
  void begin(std::uint64_t seed, std::uint64_t execution) override { table_.begin(seed, execution); }
  void created(int thread) override {
    if (table_.created != nullptr) table_.created(thread);
  }
  int next_thread(const Step& step) override;
  std::uint32_t which_store(int thread, std::uint32_t count) override { return checked("which_store", table_.which_store(thread, count), count, true); }
  std::uint32_t which_place(int thread, std::uint32_t count) override { return checked("which_place", table_.which_place(thread, count), count, true); }
  std::uint32_t answer(Question question, std::uint32_t alternatives) override;

  /// "next_thread answered 5, and there were 3 threads"; empty: all was in range.
  const char* fault() const { return fault_; }

 private:
  std::uint32_t checked(const char* function, std::uint32_t answer, std::uint32_t count, bool has_newest);

  const ordeal_strategy& table_;
  std::string name_;
  char fault_[96] = "";  // no memory is allocated while the program runs
};

}  // namespace ordeal::sample
