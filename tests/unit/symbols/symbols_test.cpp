// Compiles a program that tells its own names, runs it, and compares what Symbols says: two compilers, with and without
// optimisation, DWARF 4 and 5. Then the same with damaged files.
#include "symbols/symbols.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rng.h"
#include "symbols/heap_type.h"
#include "tests/support/scale.h"

namespace ordeal::symbols {
namespace {

const std::string kSource = ORDEAL_SOURCE_DIR "/tests/unit/symbols/programs/names.cpp";

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  for (int c; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0) << command << "\n" << text;
  return text;
}

struct Fact {
  std::string kind, expected;
  std::vector<std::uint64_t> numbers;
};

std::vector<Fact> facts_of(const std::string& output) {
  std::vector<Fact> facts;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    Fact fact;
    std::istringstream fields(line);
    std::string numbers;
    std::getline(std::getline(fields, fact.kind, '|'), fact.expected, '|');
    std::getline(fields, numbers);
    std::istringstream words(numbers);
    for (std::string word; words >> word;)
      fact.numbers.push_back(word == "(nil)" ? 0 : std::strtoull(word.c_str(), nullptr, 0));
    facts.push_back(fact);
  }
  return facts;
}

/// A directory of this process, with a program in it.
class Program {
 public:
  explicit Program(const std::string& compile)
      : path_(::testing::TempDir() + "ordeal_symbols_" + std::to_string(getpid())) {
    output_of(compile + " -std=c++20 -o " + path_ + " " + kSource + " 2>&1");
    facts_ = facts_of(output_of(path_));
  }
  ~Program() { std::filesystem::remove(path_); }
  const std::vector<Fact>& facts() const { return facts_; }
  std::vector<trace::Module> modules() const {
    const Fact& module = facts_.at(0);
    return {{module.expected, module.numbers.at(0), module.numbers.at(1), ""}};
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::vector<Fact> facts_;
};

std::string named(Symbols& symbols, const Fact& fact) {
  if (fact.kind == "code") {
    const Frame frame = symbols.user_frame({fact.numbers.begin(), fact.numbers.end()});
    return frame.function + ":" + std::to_string(frame.line);
  }
  if (fact.kind == "data") return symbols.data(fact.numbers.at(0), fact.numbers.at(1), {}).name;
  if (fact.kind == "local" || fact.kind == "thread") {
    trace::TraceObject object{fact.numbers.at(2), fact.numbers.at(3), 0, {}, -1, {}, 0, fact.numbers.at(4)};
    if (fact.kind == "local")
      object = {fact.numbers.at(3), fact.numbers.at(4) - fact.numbers.at(3), 0, {}, -1, {}, fact.numbers.at(2), 0};
    const DataName name = symbols.data(fact.numbers.at(0), fact.numbers.at(1), {object}, {"main"});
    return name.owner.empty() ? "" : name.name + " (" + name.owner + ")";
  }
  const trace::TraceObject object{
      fact.numbers.at(2), fact.numbers.at(3), 0, {fact.numbers.begin() + 4, fact.numbers.end()}, -1, {}};
  return symbols.data(fact.numbers.at(0), fact.numbers.at(1), {object}).name;
}

class Compiled : public ::testing::TestWithParam<const char*> {};

TEST_P(Compiled, EveryNameIsThatOfTheSource) {
  const Program program(GetParam());
  Symbols symbols(program.modules(), {std::filesystem::path(kSource).parent_path().string()});
  std::map<std::string, int> seen;
  for (const Fact& fact : program.facts()) {
    if (fact.kind == "module") continue;
    ++seen[fact.kind];
    EXPECT_EQ(named(symbols, fact), fact.expected) << fact.kind;
    if (fact.kind != "code") continue;
    EXPECT_EQ(symbols.user_frame({fact.numbers.begin(), fact.numbers.end()}).file, "names.cpp");
  }
  EXPECT_EQ(seen, (std::map<std::string, int>{{"code", 8}, {"data", 21}, {"heap", 4}, {"local", 4}, {"thread", 1}}));
  EXPECT_EQ(symbols.remarks(), std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(Symbols, Compiled,
                         ::testing::Values("g++ -O0 -g -gdwarf-5", "g++ -O2 -g -gdwarf-5", "g++ -O0 -g -gdwarf-4",
                                           "g++ -O2 -g -gdwarf-4", "clang++ -O0 -g -gdwarf-5",
                                           "clang++ -O2 -g -gdwarf-5", "clang++ -O0 -g -gdwarf-4",
                                           "clang++ -O2 -g -gdwarf-4", "g++ -O1 -g -no-pie"));

TEST(Symbols, AnInlinedFunctionStandsInsideItsCaller) {
  for (const char* compile : {"g++ -O0 -g", "clang++ -O0 -g"}) {
    const Program program(compile);
    Symbols symbols(program.modules());
    const std::map<std::string, std::string> callers{{"inlined", "main"}, {"inlined_in_lambda", "main::{lambda}"}};
    std::size_t found = 0;
    for (const Fact& fact : program.facts()) {
      const auto caller = callers.find(fact.expected.substr(0, fact.expected.find(':')));
      if (caller == callers.end()) continue;
      ++found;
      const std::vector<Frame>& frames = symbols.frames(fact.numbers.at(0));
      ASSERT_EQ(frames.size(), 2U) << compile;
      EXPECT_EQ(frames[0].function, caller->first);
      EXPECT_EQ(frames[1].function, caller->second);
      EXPECT_GT(frames[1].line, frames[0].line);
    }
    EXPECT_EQ(found, callers.size());
  }
}

TEST(Symbols, WithoutDebugInformationTheSymbolTableHelpsAndItIsToldOnce) {
  const Program program("g++ -O0");
  Symbols symbols(program.modules());
  for (const Fact& fact : program.facts()) {
    if (fact.kind != "module") named(symbols, fact);
    if (fact.expected == "x") {
      EXPECT_EQ(named(symbols, fact), "x");
    } else if (fact.expected.starts_with("app::Worker::run:")) {
      EXPECT_EQ(named(symbols, fact), "app::Worker::run:0");
    }
  }
  EXPECT_EQ(
      symbols.remarks(),
      std::vector<std::string>{program.path() + " has no debug information: compile with -g to see lines and names"});
}

TEST(Symbols, AFileThatIsGoneOrWasBuiltAgainIsTold) {
  Symbols gone({{"/no/such/file", 0x1000, 0x2000, ""}});
  EXPECT_EQ(gone.user_frame({0x1100, 0x1200}), Frame{});
  EXPECT_EQ(gone.data(0x1800, 4, {}).name, "0x1800");
  EXPECT_EQ(gone.remarks(),
            std::vector<std::string>{"/no/such/file cannot be read as a program: no lines and no names from it"});
  const Program program("g++ -O0 -g -Wl,--build-id");
  std::vector<trace::Module> modules = program.modules();
  modules[0].build_id = "0123";
  Symbols other(modules);
  for (const Fact& fact : program.facts())
    if (fact.kind == "code") {
      EXPECT_EQ(named(other, fact), ":0");
    }
  ASSERT_EQ(other.remarks().size(), 1U);
  EXPECT_NE(other.remarks()[0].find("was built again since the run"), std::string::npos);
}

TEST(Symbols, HeapBlocksAndStacksAreDescribed) {
  const Program program("g++ -O0 -g");
  Symbols symbols(program.modules());
  const auto fact =
      std::find_if(program.facts().begin(), program.facts().end(), [](const Fact& f) { return f.kind == "heap"; });
  trace::TraceObject object{0x7000, 24, 0, {fact->numbers.begin() + 4, fact->numbers.end()}, -1, {}};
  const std::string line = std::to_string(symbols.user_frame(object.allocated).line);
  const std::string block = "a block of 24 bytes allocated at names.cpp:" + line;
  EXPECT_EQ(symbols.data(0x7008, 4, {object}), (DataName{"block@names.cpp:" + line + "+8", block + ", byte 8", false}));
  EXPECT_EQ(symbols.data(0x7018, 4, {object}).description, "the memory right behind " + block);
  EXPECT_EQ(symbols.data(0x701a, 4, {object}).description, "the memory 2 bytes behind " + block);
  EXPECT_EQ(symbols.data(0x6fff, 1, {object}).description, "the memory 1 byte before " + block);
  const trace::TraceObject stack{0x10000, 0x1000, 1, {}, -1, {}};
  EXPECT_EQ(symbols.data(0x10010, 4, {object, stack}, {"main", "thread 1"}),
            (DataName{"stack of thread 1+0x10", "a variable on the stack of thread 1", false}));
  EXPECT_EQ(symbols.data(0x90000, 4, {object, stack}), (DataName{"0x90000", "the memory at 0x90000", false}));
}

/// In a child: libdw, too, must live through it.
bool survives(const std::vector<trace::Module>& modules, const std::vector<Fact>& facts) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    Symbols symbols(modules);
    for (const Fact& fact : facts)
      if (fact.kind != "module") named(symbols, fact);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Symbols, DamagedFilesAreSurvived) {
  const Program program("g++ -O0 -g");
  std::ifstream stream(program.path(), std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(stream)), {});
  const std::string path = program.path() + ".damaged";
  std::vector<trace::Module> modules = program.modules();
  modules[0].path = path;
  for (int seed = 0; seed < tests::scaled(30); ++seed) {
    base::Rng rng(static_cast<std::uint64_t>(seed));
    std::string bad = good;
    const bool is_cut = rng.chance(20);
    if (is_cut) bad.resize(rng.next() % bad.size());
    for (int i = is_cut ? 0 : 1 << rng.below(12); i > 0; --i)
      bad[rng.next() % bad.size()] = static_cast<char>(rng.below(256));
    std::ofstream(path, std::ios::binary) << bad;
    EXPECT_TRUE(survives(modules, program.facts())) << "seed " << seed;
  }
  std::filesystem::remove(path);
}

TEST(Symbols, TheTypeOfAValueIsKnown) {
  const Program program("g++ -O0 -g");
  Symbols symbols(program.modules());
  std::map<std::string, ValueType::Kind> kinds;
  for (const Fact& fact : program.facts())
    if (fact.kind == "data") kinds[fact.expected] = symbols.data(fact.numbers.at(0), fact.numbers.at(1), {}).type.kind;
  EXPECT_EQ(kinds.at("x"), ValueType::Kind::kSigned);
  EXPECT_EQ(kinds.at("flag"), ValueType::Kind::kBool);
  EXPECT_EQ(kinds.at("text"), ValueType::Kind::kPointer);
  EXPECT_EQ(kinds.at("queue.slots[2].head"), ValueType::Kind::kPointer);
  EXPECT_EQ(kinds.at("queue.slots[1].real"), ValueType::Kind::kFloat);
  EXPECT_EQ(kinds.at("queue.slots[2]"), ValueType::Kind::kUnknown);
}

TEST(HeapType, IsReadFromTheSourceLine) {
  using Types = std::vector<std::string>;
  EXPECT_EQ(types_in_line("  auto* n = new app::Node(3);"), Types{"Node"});
  EXPECT_EQ(types_in_line("p = new Pair<int, Node>[3];"), (Types{"Pair<int, Node>"}));
  EXPECT_EQ(types_in_line("a = std::make_unique<Node>(); renew = b;"), Types{"Node"});
  EXPECT_EQ(types_in_line("struct node* n = malloc(sizeof(struct node));"), Types{"node"});
  EXPECT_EQ(types_in_line("struct node *n = malloc(sizeof *n);"), Types{"node"});
  EXPECT_EQ(types_in_line("Node* n = (Node*)malloc(3 * sizeof(*n));"), (Types{"Node"}));
  EXPECT_EQ(types_in_line("n = malloc(sizeof *n);"), Types{});
  EXPECT_EQ(types_in_line("renew x; new"), Types{});
  EXPECT_EQ(types_in_line("make_shared<Node"), Types{});
  EXPECT_EQ(type_of_allocator("std::__new_allocator<(anonymous namespace)::Node>::allocate"), "Node");
  EXPECT_EQ(type_of_allocator("std::__new_allocator<Node>::deallocate"), "");
}

TEST(Shortened, LosesTemplateArgumentsOnlyIfItIsLong) {
  EXPECT_EQ(shortened("Queue<int>::push"), "Queue<int>::push");
  EXPECT_EQ(shortened("Queue<std::pair<long, std::string>, 128, std::allocator<int>>::push<int>"), "Queue<…>::push<…>");
}

}  // namespace
}  // namespace ordeal::symbols
