// The compiler wrapper: command lines in, command lines out. What the compilers make of them: tests/scripts/wrapper_*.sh.
#include "tools/compiler_wrapper.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/child_process.h"

namespace ordeal::tools {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const Resources kFiles{"/o/include", "/o/lib/libordeal.so", "/o/lib/fast_path.o"};
const Compiler kGcc{{"g++"}, CompilerFamily::kGcc};
const Compiler kClang{{"clang++"}, CompilerFamily::kClang};

CompilerPlan gcc(const Words& words) { return plan(words, kGcc, kFiles, "/t"); }
CompilerPlan clang(const Words& words) { return plan(words, kClang, kFiles, "/t"); }

std::ptrdiff_t place(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) - words.begin();
}

/// `part` stands in `words`, in one piece.
bool has_in_one_piece(const Words& words, const Words& part) {
  return std::search(words.begin(), words.end(), part.begin(), part.end()) != words.end();
}

TEST(CompilerWrapper, CompilesWithTheUsersWordsInOnePieceAndTheInstrumentationBehind) {
  const Words given = {"-O2", "-fno-sanitize=thread", "-flto", "-c", "a.cpp", "-o", "a.o"};
  for (const Compiler& compiler : {kGcc, kClang}) {
    const CompilerPlan made = plan(given, compiler, kFiles, "/t");
    EXPECT_THAT(made.compilations, IsEmpty());
    EXPECT_FALSE(made.links);
    EXPECT_EQ(made.last.front(), compiler.command.front());
    EXPECT_TRUE(has_in_one_piece(made.last, given));
    EXPECT_GT(place(made.last, "-fsanitize=thread"), place(made.last, "a.o"));
    EXPECT_GT(place(made.last, "-fno-lto"), place(made.last, "-flto"));
    EXPECT_LT(place(made.last, "-g"), place(made.last, "-O2"));
    EXPECT_THAT(made.last, Not(Contains(HasSubstr("libordeal"))));
  }
}

TEST(CompilerWrapper, FlagsAreThoseOfTheFamily) {
  const Words by_gcc = gcc({"-c", "a.c"}).last, by_clang = clang({"-c", "a.c"}).last;
  for (const char* flag : {"-U__SANITIZE_THREAD__", "-D_GLIBCXX_TSAN=1", "-Wno-tsan", "--param=tsan-distinguish-volatile=1"}) {
    EXPECT_THAT(by_gcc, Contains(flag));
    EXPECT_THAT(by_clang, Not(Contains(flag)));
  }
  for (const char* flag : {"-mllvm", "-gdwarf-aranges", "/o/include/ordeal/inside/weak_compare_exchange.h"}) {
    EXPECT_THAT(by_clang, Contains(flag));
    EXPECT_THAT(by_gcc, Not(Contains(flag)));
  }
  for (const Words& words : {by_gcc, by_clang}) {
    EXPECT_TRUE(has_in_one_piece(words, {"-isystem", "/o/include/ordeal/inside"}));
    EXPECT_TRUE(has_in_one_piece(words, {"-idirafter", "/o/include"}));
    EXPECT_THAT(words, Contains("-fno-builtin"));
    EXPECT_THAT(words, Contains("-D__ORDEAL__=1"));
  }
}

TEST(CompilerWrapper, LinksOurLibraryFirstAndNeverWithTheSanitizer) {
  const CompilerPlan made = gcc({"a.o", "-lfoo", "-o", "a"});
  EXPECT_TRUE(made.links);
  EXPECT_THAT(made.compilations, IsEmpty());
  EXPECT_LT(place(made.last, "/o/lib/libordeal.so"), place(made.last, "a.o"));
  EXPECT_THAT(made.last, Contains("/o/lib/fast_path.o"));
  EXPECT_THAT(made.last, Contains("-Wl,-z,now"));
  EXPECT_THAT(made.last, Contains(HasSubstr(",--wrap=memcpy,")));
  EXPECT_THAT(made.last, Contains(HasSubstr(",--wrap=strdup")));
  EXPECT_TRUE(has_in_one_piece(made.last, {"-Xlinker", "-rpath", "-Xlinker", "/o/lib"}));
  EXPECT_EQ(made.last.back(), "-fno-lto");
  EXPECT_THAT(made.last, Not(Contains(HasSubstr("sanitize"))));
}

TEST(CompilerWrapper, CompilingAndLinkingAreSeparateCommands) {
  const CompilerPlan made = gcc({"-O1", "a.cpp", "b.o", "c.c", "-o", "prog", "-lm", "-Wl,-s"});
  ASSERT_THAT(made.compilations, SizeIs(2));
  EXPECT_TRUE(has_in_one_piece(made.compilations[0], {"-O1", "-c", "a.cpp", "-o", "/t/0.o"}));
  EXPECT_TRUE(has_in_one_piece(made.compilations[1], {"-O1", "-c", "c.c", "-o", "/t/1.o"}));
  for (const Words& words : made.compilations)
    for (const char* word : {"b.o", "prog", "-lm", "-Wl,-s"}) EXPECT_THAT(words, Not(Contains(word)));
  EXPECT_TRUE(has_in_one_piece(made.last, {"-O1", "/t/0.o", "b.o", "/t/1.o", "-o", "prog", "-lm", "-Wl,-s"}));
  EXPECT_THAT(made.last, Not(Contains("-fsanitize=thread")));
}

TEST(CompilerWrapper, LanguagesGoWithTheirSources) {
  const CompilerPlan made = gcc({"-x", "c++", "-", "-xc", "a.txt", "-x", "none", "b.o"});
  ASSERT_THAT(made.compilations, SizeIs(2));
  EXPECT_TRUE(has_in_one_piece(made.compilations[0], {"-x", "c++", "-c", "-", "-o", "/t/0.o"}));
  EXPECT_TRUE(has_in_one_piece(made.compilations[1], {"-x", "c", "-c", "a.txt", "-o", "/t/1.o"}));
  EXPECT_TRUE(has_in_one_piece(made.last, {"/t/0.o", "/t/1.o", "b.o"}));
  EXPECT_THAT(made.last, Not(Contains("-x")));
}

TEST(CompilerWrapper, ValuesOfOptionsAreNoInputs) {
  for (const char* option : {"-I", "-D", "-include", "-MF", "-isystem", "--param", "-Xlinker", "-mllvm", "-target", "-T"})
    EXPECT_EQ(understand({option, "a.cpp"}).goal, Goal::kAnswer) << option;
  EXPECT_EQ(understand({"-Ifolder.cpp", "--sysroot=/a.c"}).goal, Goal::kAnswer);
}

TEST(CompilerWrapper, KnowsHowFarTheCompilerGoes) {
  for (const char* flag : {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"})
    EXPECT_EQ(understand({"a.c", flag}).goal, Goal::kCompile) << flag;
  for (const char* flag : {"-MD", "-MMD", "-shared", "-pie", "-v", "-###", "-save-temps"})
    EXPECT_EQ(understand({"a.c", flag}).goal, Goal::kLink) << flag;
  for (const char* flag : {"-r", "-Wl,-r"}) EXPECT_EQ(understand({"a.o", flag}).goal, Goal::kJoin) << flag;
  EXPECT_EQ(understand({"a.hpp"}).goal, Goal::kCompile);
  EXPECT_EQ(understand({"-x", "c++-header", "a"}).goal, Goal::kCompile);
  EXPECT_EQ(understand({"-lfoo", "-o", "a"}).goal, Goal::kLink);
}

TEST(CompilerWrapper, QuestionsAreAskedAsTheyAre) {
  for (const Words& words : std::vector<Words>{{"--version"},
                                               {"-v"},
                                               {},
                                               {"-dumpmachine"},
                                               {"-print-file-name=libc.so"},
                                               {"--help=common"},
                                               {"-Q", "--help=target"},
                                               {"-O2"},
                                               {"-fsanitize=address", "--version"}}) {
    Words expected = words;
    expected.insert(expected.begin(), "g++");
    const CompilerPlan made = gcc(words);
    EXPECT_EQ(made.last, expected);
    EXPECT_EQ(made.refusal, "");
  }
}

TEST(CompilerWrapper, RefusesWhatCannotWorkAndSaysWhatToDo) {
  for (const char* flag : {"-static", "-static-pie", "-m32", "-fsanitize=address", "-fsanitize=undefined,leak",
                           "-fsanitize=thread", "-fsanitize=memory"})
    EXPECT_THAT(gcc({"a.c", flag}).refusal, testing::AllOf(HasSubstr(flag), HasSubstr("eave it out"))) << flag;
  EXPECT_EQ(gcc({"a.c", "-c", "-static"}).refusal, "") << "only the link cannot be static";
  for (const char* flag : {"-static-libgcc", "-static-libstdc++", "-fno-sanitize=all", "-m64"})
    EXPECT_EQ(gcc({"a.c", flag}).refusal, "") << flag;
}

TEST(CompilerWrapper, DependenciesOfOneStepAreNamedAfterTheProgram) {
  EXPECT_TRUE(has_in_one_piece(gcc({"-MD", "a.c", "-o", "x/prog"}).compilations[0], {"-MF", "x/prog.d", "-MQ", "x/prog"}));
  EXPECT_TRUE(has_in_one_piece(gcc({"-MMD", "a.c"}).compilations[0], {"-MF", "a-a.d", "-MQ", "a.o"}));
  EXPECT_TRUE(has_in_one_piece(gcc({"-MD", "a.c", "b.c", "-o", "p"}).compilations[1], {"-MF", "p-b.d", "-MQ", "p"}));
  const Words chosen = gcc({"-MD", "-MF", "my.d", "-MT", "my", "a.c"}).compilations[0];
  EXPECT_TRUE(has_in_one_piece(chosen, {"-MF", "my.d", "-MT", "my"}));
  EXPECT_EQ(std::count(chosen.begin(), chosen.end(), "-MF"), 1);
  EXPECT_THAT(chosen, Not(Contains("-MQ")));
}

TEST(CompilerWrapper, ResponseFilesAreReadAndPassedOn) {
  EXPECT_THAT(words_of_response_file("-O2 'a b'\n\"c \\\"d\\\"\"  e\\ f\n"), ElementsAre("-O2", "a b", "c \"d\"", "e f"));
  EXPECT_THAT(words_of_response_file("  \n "), IsEmpty());
  EXPECT_THAT(words_of_response_file("'' x"), ElementsAre("", "x"));
  const TemporaryDirectory folder;
  const std::string file = folder.path() + "/response";
  std::ofstream(file) << "-c a.cpp @" << file << "_inner\n";
  std::ofstream(file + "_inner") << "-O3";
  EXPECT_THAT(with_response_files({"-g", "@" + file, "@none"}), ElementsAre("-g", "-c", "a.cpp", "-O3", "@none"));
  EXPECT_THAT(gcc({"@" + file}).last, Contains("@" + file)) << "a command that stays one keeps the file";
  std::ofstream(file) << "a.cpp -o prog @" << file << "_inner";
  const CompilerPlan made = gcc({"@" + file});
  ASSERT_THAT(made.compilations, SizeIs(1));
  EXPECT_TRUE(has_in_one_piece(made.last, {"/t/0.o", "-o", "prog", "-O3"}));
  std::ofstream(file) << "a.cpp @" << file;
  EXPECT_EQ(with_response_files({"@" + file}).back(), "@" + file) << "a file that names itself comes to an end";
}

TEST(CompilerWrapper, SeveralWordsMayNameTheCompiler) {
  const CompilerPlan made = plan({"-c", "a.c"}, {{"ccache", "gcc"}, CompilerFamily::kGcc}, kFiles, "/t");
  EXPECT_EQ(made.last[0], "ccache");
  EXPECT_EQ(made.last[1], "gcc");
}

}  // namespace
}  // namespace ordeal::tools
