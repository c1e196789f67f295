// The parts of `ordeal check` that need no process.
#include "tools/program_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/check_options.h"
#include "tools/compiler.h"
#include "tools/elf_file.h"
#include "tools/program_cache.h"
#include "tools/run_report.h"

namespace ordeal::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ProgramArguments split(const Words& words) {
  return split_arguments(words, [](const std::string& word) { return word == "--model"; });
}

TEST(ProgramArguments, BehindSourcesComeCompilerFlagsThenProgramArguments) {
  const ProgramArguments parts = split({"a.cpp", "--model", "sc", "b.c", "--", "-O2", "-lm", "--", "x", "--", "y"});
  EXPECT_THAT(parts.own, ElementsAre("a.cpp", "--model", "sc", "b.c"));
  EXPECT_THAT(parts.compiler_flags, ElementsAre("-O2", "-lm"));
  EXPECT_THAT(parts.program_arguments, ElementsAre("x", "--", "y"));
}

TEST(ProgramArguments, BehindAProgramEverythingIsItsArguments) {
  const ProgramArguments parts = split({"--json", "--model", "sc", "./prog", "--model", "a.cpp", "--", "-x"});
  EXPECT_THAT(parts.own, ElementsAre("--json", "--model", "sc", "./prog"));
  EXPECT_THAT(parts.compiler_flags, IsEmpty());
  EXPECT_THAT(parts.program_arguments, ElementsAre("--model", "a.cpp", "--", "-x"));
}

TEST(ProgramArguments, TheValueOfAnOptionIsNoProgram) {
  EXPECT_THAT(split({"--model", "sc", "a.cpp", "-v"}).own, ElementsAre("--model", "sc", "a.cpp", "-v"));
  EXPECT_THAT(split({"a.cpp", "b.o"}).own, ElementsAre("a.cpp", "b.o"));
  EXPECT_THAT(split({"--model"}).own, ElementsAre("--model"));
  EXPECT_THAT(split({"a.cpp", "--"}).compiler_flags, IsEmpty());
}

TEST(CheckOptions, EnvironmentSaysWhatWasGivenOnly) {
  CheckOptions options;
  EXPECT_EQ(environment_text(options), "model=cpp20:load_buffering=0:spurious=1:keep_going=0:fair=0");
  options.spurious = false;
  options.loop_bound = 4;
  options.time = "2.5";
  EXPECT_EQ(environment_text(options), "model=cpp20:load_buffering=0:spurious=0:keep_going=0:fair=0:loop_bound=4:time=2.5");
}

TEST(CompilerCounterpart, IsFoundByName) {
  EXPECT_EQ(counterpart("g++-12", Language::kC), "gcc-12");
  EXPECT_EQ(counterpart("/opt/g++x/bin/clang++-14", Language::kC), "/opt/g++x/bin/clang-14");
  EXPECT_EQ(counterpart("clang-14", Language::kCpp), "clang++-14");
  EXPECT_EQ(counterpart("x86_64-linux-gnu-gcc", Language::kCpp), "x86_64-linux-gnu-g++");
  EXPECT_EQ(counterpart("gcc", Language::kC), "gcc");
  EXPECT_EQ(counterpart("clang++", Language::kCpp), "clang++");
  EXPECT_EQ(counterpart("mycc", Language::kCpp), "mycc");
}

TEST(DependencyRules, AreReadAsMakeDoes) {
  EXPECT_THAT(files_of_rule("a.o: a.cpp b.h \\\n c\\ d.h \\\n  e$$f.h\n"), ElementsAre("a.cpp", "b.h", "c d.h", "e$f.h"));
  EXPECT_THAT(files_of_rule("prog: \\\n  x.o \\\n  /lib/y.so\n\nx.o:\n\n/lib/y.so:\n"), ElementsAre("x.o", "/lib/y.so"));
  EXPECT_THAT(files_of_rule("a.o: c:d.h"), ElementsAre("c:d.h"));
  EXPECT_THAT(files_of_rule(""), IsEmpty());
}

TEST(ElfFile, TellsWhatAProgramNeeds) {
  const ElfFile self = read_elf("/proc/self/exe");
  EXPECT_TRUE(self.is_program);
  EXPECT_TRUE(self.needs("libc.so.6"));
  EXPECT_FALSE(self.needs("libordeal.so"));
  EXPECT_FALSE(self.undefined.empty());
  EXPECT_THAT(why_not_checkable("/proc/self/exe"), HasSubstr("not instrumented"));
  EXPECT_FALSE(read_elf("/dev/null").is_program);
  EXPECT_FALSE(read_elf("/no/such/file").is_program);
  EXPECT_FALSE(read_elf("/").is_program);
}

TEST(ExitCodes, AreThoseOfTheVerdicts) {
  EXPECT_EQ(exit_code_of(trace::Verdict::kVerified), 0);
  EXPECT_EQ(exit_code_of(trace::Verdict::kSampled), 0);
  EXPECT_EQ(exit_code_of(trace::Verdict::kBug), 1);
  EXPECT_EQ(exit_code_of(trace::Verdict::kBounded), 3);
  EXPECT_EQ(exit_code_of(trace::Verdict::kCannotCheck), 4);
}

}  // namespace
}  // namespace ordeal::tools
