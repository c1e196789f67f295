#include "tools/stepping.h"

#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <unistd.h>

#include "report/headline.h"
#include "report/steps.h"
#include "tools/run_report.h"
#include "tools/source_names.h"

namespace ordeal::tools {
namespace {

/// Reads each file once.
class SourceLines {
 public:
  std::string line(const std::string& file, std::uint32_t number) {
    const auto [place, is_new] = files_.try_emplace(file);
    if (is_new) {
      std::ifstream stream(file);
      for (std::string text; std::getline(stream, text);) place->second.push_back(text);
    }
    return number > 0 && number <= place->second.size() ? place->second[number - 1] : "";
  }

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

/// False: no more is wanted.
bool wants_next(std::size_t left) {
  if (left == 0 || isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0) return true;
  std::cout << left << " more: Enter, or q " << std::flush;
  std::string answer;
  return std::getline(std::cin, answer) && answer != "q";
}

}  // namespace

void print_steps(const trace::RunResult& result) {
  const auto names = source_names(result.modules);
  const report::BugView view(result.bugs.front(), *names);
  SourceLines sources;
  const auto steps = report::execution_steps(view, *names, [&](const std::string& file, std::uint32_t line) { return sources.line(file, line); });
  print(report::headline(view) + "\n\n");
  if (steps.empty()) print("The operations of this execution are not known: it was too long to keep them.\n");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    print(steps[i]);
    if (!wants_next(steps.size() - i - 1)) return;
  }
}

}  // namespace ordeal::tools
