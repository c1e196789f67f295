// Names for traces of litmus tests.
#pragma once

#include <string>

#include "litmus/ast.h"
#include "trace/trace.h"

namespace ordeal::tests {

class LitmusNames final : public trace::Names {
 public:
  explicit LitmusNames(const litmus::Test& test) : test_(test) {}
  std::string thread(model::ThreadId thread) const override { return "P" + std::to_string(number(thread)); }
  std::string location(model::LocationId location) const override {
    return test_.locations[static_cast<std::size_t>(number(location))].name;
  }
  std::uint32_t line(const model::Event& event) const override { return event.access.site; }

 private:
  const litmus::Test& test_;
};

}  // namespace ordeal::tests
