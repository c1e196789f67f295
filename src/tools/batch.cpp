#include "tools/batch.h"

#include <iostream>
#include <string>

#include <CLI/CLI.hpp>

#include "tools/checked_run.h"
#include "tools/command.h"

namespace ordeal::tools {
namespace {

Words words_of(const std::string& line) {
  Words words;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find('\t', at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

/// Programs are started once and serve. A line "exit N" follows what each command prints.
void run_all() {
  const KeepPrograms keep;
  for (std::string line; std::getline(std::cin, line);) {
    const int code = run_command(words_of(line));
    std::cout << "exit " << code << std::endl;
  }
}

}  // namespace

void add_batch_verb(CLI::App& app) {
  app.add_subcommand("batch", "Command lines from standard input, one a line, with tabs between the words")->group("")->callback(run_all);
}

}  // namespace ordeal::tools
