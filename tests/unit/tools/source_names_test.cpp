// From a real program to its report: the debug information, the adapter and the text together.
#include "tools/source_names.h"

#include <cstdio>
#include <fstream>

#include <gtest/gtest.h>

#include "report/check_report.h"
#include "tools/child_process.h"

namespace ordeal::tools {
namespace {

constexpr const char* kSource = R"(
#include <link.h>
#include <cstdio>
struct Queue { int head; int tail; } queue;
__attribute__((noinline)) void* here() { return __builtin_return_address(0); }
void* push() {
  void* address = here();
  return address;
}
void* pop() { void* address = here(); return address; }
int main() {
  dl_iterate_phdr([](dl_phdr_info* info, size_t, void*) { std::printf("%p ", (void*)info->dlpi_addr); return 1; }, nullptr);
  std::printf("%p %p %p\n", push(), pop(), (void*)&queue.tail);
}
)";

TEST(SourceNames, GiveARaceItsNamesAndLines) {
  const TemporaryDirectory folder;
  const std::string source = folder.path() + "/queue.cpp", program = folder.path() + "/queue";
  std::ofstream(source) << kSource;
  ASSERT_EQ(std::system(("g++ -g -O0 -o " + program + " " + source).c_str()), 0);
  FILE* pipe = popen(program.c_str(), "r");
  unsigned long base = 0, push = 0, pop = 0, tail = 0;
  ASSERT_EQ(std::fscanf(pipe, "%lx %lx %lx %lx", &base, &push, &pop, &tail), 4);
  pclose(pipe);

  trace::RunResult result;
  result.verdict = trace::Verdict::kBug;
  result.modules = {{program, base, base + 0x100000, ""}};
  trace::Bug bug;
  bug.kind = trace::BugKind::kDataRace;
  bug.trace.threads = {"main", "thread 1"};
  bug.address = tail;
  bug.size = 4;
  bug.parties = {{0, "writes 4 bytes", tail, -1, {push}}, {1, "reads 4 bytes", tail, -1, {pop}}};
  result.bugs = {bug};
  const auto names = source_names(result.modules);
  std::string text = report::check_report(result, *names, {});
  text = text.substr(0, text.find("\n\n"));
  for (std::size_t at = 0; (at = text.find("\n  ")) != std::string::npos;) text.replace(at, 3, " ");  // where it is wrapped
  EXPECT_EQ(text,
            "data race on 'queue.tail': main writes at " + source + ":7, thread 1 reads at " + source + ":10");
}

}  // namespace
}  // namespace ordeal::tools
