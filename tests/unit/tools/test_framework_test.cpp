// Which tests a listing has, and the arguments for one of them.
#include "tools/test_framework.h"

#include <gtest/gtest.h>

namespace ordeal::tools {
namespace {

using Names = std::vector<std::string>;

TEST(TestFramework, ReadsTheListingOfGoogleTest) {
  const std::string listing =
      "Running main() from ./googletest/src/gtest_main.cc\nQueue.\n  Push\n  Pop\nTyped/0.  # TypeParam = int\n  Size\n"
      "All/P.\n  Param/0  # GetParam() = 1\n  Param/1  # GetParam() = (2, \"a b\")\n";
  EXPECT_EQ(google_test_names(listing, false),
            (Names{"Queue.Push", "Queue.Pop", "Typed/0.Size", "All/P.Param/0", "All/P.Param/1"}));
}

TEST(TestFramework, LeavesOutDisabledTestsUnlessTheyAreWanted) {
  const std::string listing = "A.\n  DISABLED_x\n  y\nDISABLED_B.\n  z\nAll/DISABLED_C.\n  z/0\n";
  EXPECT_EQ(google_test_names(listing, false), Names{"A.y"});
  EXPECT_EQ(google_test_names(listing, true).size(), 4U);
}

TEST(TestFramework, ProgramsThatDoNotListTheirTestsHaveNone) {
  EXPECT_EQ(google_test_names("", false), Names{});
  EXPECT_EQ(google_test_names("hello\n", false), Names{});
  EXPECT_EQ(google_test_names("[==========] Running 1 test from 1 test suite.\n[ RUN      ] A.x\n", false), Names{});
  EXPECT_EQ(google_test_names("A.\n  x\nthat was all\n", false), Names{});
  EXPECT_EQ(google_test_names("  x\nA.\n  y\n", false), Names{});
}

TEST(TestFramework, CharactersOfFiltersFitThemselves) {
  EXPECT_EQ(google_test_filter("Suite.Name/0"), "Suite.Name/0");
  EXPECT_EQ(google_test_filter("my-suite.a:b"), "my?suite.a?b");
  EXPECT_EQ(catch2_filter("adds up"), "adds up");
  EXPECT_EQ(catch2_filter("a, [b] \"c\" \\ ~d"), "a\\, \\[b\\] \\\"c\\\" \\\\ \\~d");
}

TEST(TestFramework, TheUsersFilterMakesRoom) {
  EXPECT_EQ(without_filter(TestFramework::kGoogleTest, {"--gtest_filter=A.*", "--gtest_repeat=2", "file"}),
            (Words{"--gtest_repeat=2", "file"}));
  EXPECT_EQ(without_filter(TestFramework::kCatch2, {"[tag]", "--abort", "-o", "file", "name"}),
            (Words{"--abort", "-o", "file"}));
}

}  // namespace
}  // namespace ordeal::tools
