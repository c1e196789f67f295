// The `ordeal` command: one file a verb.
#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <unistd.h>

#include "tools/assembler.h"
#include "tools/cc.h"
#include "tools/command.h"
#include "tools/exit_code.h"

namespace {

/// If one of the standard streams is closed, no file that is opened later may take its place. Writing to it still fails.
void occupy_standard_streams() {
  int file = 0;
  while (file >= 0 && file <= STDERR_FILENO) file = open("/dev/null", O_RDONLY);
  if (file > STDERR_FILENO) close(file);
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_streams();
  if (argc > 0 && std::filesystem::path(argv[0]).filename() == "as") return ordeal::tools::run_assembler(argc, argv);
  if (const auto call = ordeal::tools::compiler_call(argc, argv)) return ordeal::tools::run_compiler(*call);
  int exit_code = ordeal::tools::kFine;
  ordeal::tools::Words words(argv + std::min(1, argc), argv + argc);
  const std::unique_ptr<CLI::App> app = ordeal::tools::make_command(exit_code, words);
  app->set_version_flag("--version", "ordeal " ORDEAL_VERSION);
  try {
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the end
    app->parse(words);
  } catch (const CLI::ParseError& error) {
    const int code = app->exit(error);  // prints help or the message
    return code == 0 ? 0 : ordeal::tools::kUsage;
  } catch (const std::exception& error) {
    std::cerr << "ordeal: " << error.what() << "\n";
    return ordeal::tools::kUsage;
  }
  return exit_code;
}
