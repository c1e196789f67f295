// The `ordeal` command: one file a verb.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>

#include "tools/assembler.h"
#include "tools/cc.h"
#include "tools/check.h"
#include "tools/exit_code.h"
#include "tools/litmus.h"
#include "tools/replay.h"
#include "tools/report.h"
#include "tools/usage.h"

int main(int argc, char** argv) {
  if (argc > 0 && std::filesystem::path(argv[0]).filename() == "as") return ordeal::tools::run_assembler(argc, argv);
  if (const auto call = ordeal::tools::compiler_call(argc, argv)) return ordeal::tools::run_compiler(*call);
  CLI::App app("Ordeal puts C and C++ code that uses atomics through every behaviour the C++ memory model allows.", "ordeal");
  app.set_version_flag("--version", "ordeal " ORDEAL_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.failure_message(ordeal::tools::usage_message);
  app.footer("'ordeal VERB --help' lists the options of a verb.");
  int exit_code = ordeal::tools::kFine;
  ordeal::tools::Words words(argv + std::min(1, argc), argv + argc);
  ordeal::tools::add_check_verb(app, exit_code, words);
  ordeal::tools::add_replay_verb(app, exit_code);
  ordeal::tools::add_report_verb(app, exit_code);
  ordeal::tools::add_litmus_verb(app, exit_code);
  ordeal::tools::add_compiler_verbs(app);
  try {
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the end
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);  // prints help or the message
    return code == 0 ? 0 : ordeal::tools::kUsage;
  } catch (const std::exception& error) {
    std::cerr << "ordeal: " << error.what() << "\n";
    return ordeal::tools::kUsage;
  }
  return exit_code;
}
