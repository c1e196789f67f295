// Values as the source writes them.
#include "report/value_text.h"

#include <bit>

#include <gtest/gtest.h>

namespace ordeal::report {
namespace {

using Kind = ValueType::Kind;

TEST(ValueText, NumbersAreSignedAsTheirTypeIs) {
  EXPECT_EQ(value_text({Kind::kSigned}, 0xFFFFFFFD, 4), "-3");
  EXPECT_EQ(value_text({Kind::kUnsigned}, 0xFFFFFFFD, 4), "4294967293");
  EXPECT_EQ(value_text({Kind::kSigned}, 0x80, 1), "-128");
  EXPECT_EQ(value_text({Kind::kUnsigned}, -1, 8), "0xffffffffffffffff");  // large ones mostly have parts
  EXPECT_EQ(value_text({Kind::kUnsigned}, 0x100000000, 8), "0x100000000");
  EXPECT_EQ(value_text({Kind::kUnsigned}, 0xFFFFFFFF, 8), "4294967295");
  EXPECT_EQ(value_text({Kind::kSigned}, -1, 8), "-1");
  EXPECT_EQ(value_text({Kind::kSigned}, 7, 16), "7");
}

TEST(ValueText, WithoutATypeTheSizeDecides) {
  EXPECT_EQ(value_text({}, 0xFFFF, 2), "-1");
  EXPECT_EQ(value_text({}, 0xFFFF, 4), "65535");
  EXPECT_EQ(value_text({}, -7, 0), "-7");
}

TEST(ValueText, WordsForBooleansPointersAndEnumerations) {
  EXPECT_EQ(value_text({Kind::kBool}, 1, 1), "true");
  EXPECT_EQ(value_text({Kind::kBool}, 0, 1), "false");
  EXPECT_EQ(value_text({Kind::kBool}, 2, 1), "2");
  EXPECT_EQ(value_text({Kind::kPointer}, 0, 8), "nullptr");
  EXPECT_EQ(value_text({Kind::kPointer}, 0x1234, 8), "0x1234");
  const ValueType colour{Kind::kEnumeration, {{-1, "kNone"}, {3, "kGreen"}}};
  EXPECT_EQ(value_text(colour, 3, 4), "kGreen");
  EXPECT_EQ(value_text(colour, 0xFFFFFFFF, 4), "kNone");
  EXPECT_EQ(value_text(colour, 4, 4), "4");
}

TEST(ValueText, FloatingPointNumbersAreNotTheirBits) {
  EXPECT_EQ(value_text({Kind::kFloat}, std::bit_cast<std::int64_t>(-2.25), 8), "-2.25");
  EXPECT_EQ(value_text({Kind::kFloat}, std::bit_cast<std::uint32_t>(0.5F), 4), "0.5");
}

}  // namespace
}  // namespace ordeal::report
