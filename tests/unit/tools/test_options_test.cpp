#include "tools/test_options.h"

#include <gtest/gtest.h>

namespace ordeal::tools {
namespace {

TEST(TestOptions, EnvironmentSaysWhatWasGivenOnly) {
  TestOptions options;
  EXPECT_EQ(environment_text(options), "strategy=portfolio:seed=1:first=0:spurious=1");
  options.strategy = "pct:3";
  options.executions = 10;
  options.time = "2.5";
  options.isolate = 0;
  options.exit_code = options.real_time = true;
  options.max_events = 7;
  options.watchdog = "0";
  options.volatile_as = "relaxed";
  EXPECT_EQ(environment_text(options), "strategy=pct:3:seed=1:first=0:spurious=1:executions=10:time=2.5:max_events=7:watchdog=0:exit_code=1:isolate=0:real_time=1:volatile=relaxed");
}

TEST(TestOptions, AStrategyIsANameOrAFile) {
  for (const char* name : {"random", "pct", "pct:1", "pct:100", "portfolio", "/dev/null"}) EXPECT_EQ(check_strategy(name), "") << name;
  for (const char* name : {"", "randomly", "pct:0", "pct:101", "pct:x", "no.so", "./no"}) EXPECT_NE(check_strategy(name), "") << name;
}

}  // namespace
}  // namespace ordeal::tools
