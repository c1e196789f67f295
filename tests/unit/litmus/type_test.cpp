#include <gtest/gtest.h>

#include "parsing.h"

namespace ordeal::litmus::testing {
namespace {

/// The type of a parameter that is declared like this.
std::string parameter_type(const std::string& declaration) {
  return dump(parse_test("C t {} P0 (" + declaration + ") {}").threads[0].variables.at(0).type);
}

TEST(Types, EverySpellingOfAnIntegerIsKnown) {
  EXPECT_EQ(locals_of("int a; signed b; unsigned c; unsigned int d; long e; long int f; unsigned long long g;"),
            "i32 a; i32 b; u32 c; u32 d; i64 e; i64 f; u64 g");
  EXPECT_EQ(locals_of("char a; signed char b; unsigned char c; short d; short int e; unsigned short f; int long g;"),
            "i8 a; i8 b; u8 c; i16 d; i16 e; u16 f; i64 g");
  EXPECT_EQ(locals_of("int8_t a; uint8_t b; int16_t c; uint16_t d; int32_t e; uint32_t f; int64_t g; uint64_t h;"),
            "i8 a; u8 b; i16 c; u16 d; i32 e; u32 f; i64 g; u64 h");
  EXPECT_EQ(locals_of("size_t a; ssize_t b; ptrdiff_t c; intptr_t d; uintptr_t e; intmax_t f; int_fast8_t g;"),
            "u64 a; i64 b; i64 c; i64 d; u64 e; i64 f; i8 g");
  EXPECT_EQ(locals_of("bool a; _Bool b; uint c;"), "bool a; bool b; u32 c");
}

TEST(Types, EverySpellingOfAnAtomicIsKnown) {
  EXPECT_EQ(parameter_type("atomic_int* x"), "atomic i32*");
  EXPECT_EQ(parameter_type("atomic_uint *x"), "atomic u32*");
  EXPECT_EQ(parameter_type("atomic_long* x"), "atomic i64*");
  EXPECT_EQ(parameter_type("atomic_ullong* x"), "atomic u64*");
  EXPECT_EQ(parameter_type("atomic_char* x"), "atomic i8*");
  EXPECT_EQ(parameter_type("atomic_short* x"), "atomic i16*");
  EXPECT_EQ(parameter_type("atomic_bool* x"), "atomic bool*");
  EXPECT_EQ(parameter_type("atomic_flag* x"), "atomic bool*");
  EXPECT_EQ(parameter_type("atomic_uint8_t* x"), "atomic u8*");
  EXPECT_EQ(parameter_type("atomic_int64_t* x"), "atomic i64*");
  EXPECT_EQ(parameter_type("atomic_uint_least16_t* x"), "atomic u16*");
  EXPECT_EQ(parameter_type("atomic_intptr_t* x"), "atomic i64*");
  EXPECT_EQ(parameter_type("atomic_size_t* x"), "atomic u64*");
  EXPECT_EQ(parameter_type("_Atomic int *x"), "atomic i32*");
  EXPECT_EQ(parameter_type("int _Atomic *x"), "atomic i32*");
  EXPECT_EQ(parameter_type("_Atomic(unsigned long) *x"), "atomic u64*");
  EXPECT_EQ(parameter_type("std::atomic_int* x"), "atomic i32*");
}

TEST(Types, QualifiersAreReadOverOrKept) {
  EXPECT_EQ(parameter_type("volatile int* x"), "volatile i32*");
  EXPECT_EQ(parameter_type("int volatile * x"), "volatile i32*");
  EXPECT_EQ(parameter_type("volatile atomic_int* x"), "volatile atomic i32*");
  EXPECT_EQ(parameter_type("const int* const x"), "i32*");
  EXPECT_EQ(parameter_type("register int* restrict volatile x"), "i32*");
}

TEST(Types, PointersMayHaveLevels) {
  EXPECT_EQ(parameter_type("atomic_int** p"), "atomic i32**");
  EXPECT_EQ(parameter_type("_Atomic (int *) *p"), "atomic i32**");
  EXPECT_EQ(parameter_type("int * _Atomic * p"), "atomic i32**");
  EXPECT_EQ(parameter_type("void* p"), "i32*");
  EXPECT_EQ(dump_locations(parse_test("C t {} P0 (atomic_int** p, int r) {}")), "atomic i32* p = 0");
}

TEST(Types, OnlyTheLevelThatIsAtomicIsAccessedAtomicallyIfCIsFollowed) {
  const auto body = [](const std::string& parameter) {
    const LitmusTest test = parse_test("C t {} P0 (" + parameter + ") { r0 = *p; r1 = **p; }", kAsInC);
    return Dumper(test, test.threads[0]).dump(test.threads[0].body);
  };
  EXPECT_EQ(body("atomic_int** p"), "r0 = load[plain](p); r1 = load[sc](load[plain](p))");
  EXPECT_EQ(body("_Atomic(int*)* p"), "r0 = load[sc](p); r1 = load[plain](load[sc](p))");
  EXPECT_EQ(body("atomic_int* _Atomic* p"), "r0 = load[sc](p); r1 = load[sc](load[sc](p))");
}

TEST(Types, UnsupportedOnesAreNamed) {
  EXPECT_EQ(error_in_body("float f;"), "1: unsupported type 'float'");
  EXPECT_EQ(error_in_body("long double f;"), "6: unsupported type 'double'");
  EXPECT_EQ(error_in_body("struct s a;"), "1: unsupported type 'struct'");
  EXPECT_EQ(error_in_body("enum e a;"), "1: unsupported type 'enum'");
  EXPECT_EQ(error_in_body("__int128 a;"), "1: unsupported type '__int128'");
  EXPECT_EQ(error_in_body("mtx_t a;"), "1: unsupported type 'mtx_t'");
  EXPECT_EQ(error_in_body("typedef int t;"), "1: unsupported 'typedef'");
}

TEST(Types, NonsenseIsAnError) {
  EXPECT_EQ(error_in_body("int char a;"), "5: 'char' does not fit this type");
  EXPECT_EQ(error_in_body("signed unsigned a;"), "8: 'unsigned' does not fit this type");
  EXPECT_EQ(error_in_body("long long long a;"), "11: 'long' does not fit this type");
  EXPECT_EQ(error_in_body("int int a;"), "5: 'int' does not fit this type");
  EXPECT_EQ(error_in_body("bool int8_t a;"), "6: two types in one declaration");
  EXPECT_EQ(error_in_body("bool int a;"), "1: two types in one declaration");
  EXPECT_EQ(error_in_body("const a;"), "7: expected a type, found 'a'");
  EXPECT_EQ(error_in_body("void a;"), "6: a variable cannot be of type 'void'");
  EXPECT_EQ(error_in_body("_Atomic(int a;"), "13: expected ')' after the type in '_Atomic(', found 'a'");
  EXPECT_EQ(error_in_body("int ***************** a;"), "21: more levels of '*' than 16");
}

}  // namespace
}  // namespace ordeal::litmus::testing
