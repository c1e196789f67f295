#include "litmus/code.h"

#include <gtest/gtest.h>

#include "parsing.h"

namespace ordeal::litmus::testing {
namespace {

int registers(const std::string& body) {
  const LitmusTest test = parse_test(with_body(body));
  return compile(test.threads[0], 2).registers;
}

TEST(LitmusCode, StatementsOneAfterTheOtherUseTheSameRegisters) {
  const std::string store = "atomic_store(x, 1 + 2 * 3);";
  EXPECT_EQ(registers(store + store + store), registers(store));
  EXPECT_EQ(registers("while (*z) {" + store + "}" + store), registers("while (*z) {" + store + "}"));
}

TEST(LitmusCode, AStatementInALoopLeavesTheCountOfTurnsAlone) {
  const std::string loop = "do {} while (*z);";
  EXPECT_GT(registers("do {" + loop + "} while (*z);"), registers(loop));
}

}  // namespace
}  // namespace ordeal::litmus::testing
