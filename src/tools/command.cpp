#include "tools/command.h"

#include <algorithm>
#include <exception>
#include <iostream>

#include <CLI/CLI.hpp>

#include "tools/batch.h"
#include "tools/cc.h"
#include "tools/check.h"
#include "tools/exit_code.h"
#include "tools/litmus.h"
#include "tools/replay.h"
#include "tools/report.h"
#include "tools/test.h"
#include "tools/usage.h"

namespace ordeal::tools {

std::unique_ptr<CLI::App> make_command(int& exit_code, Words& words) {
  auto app = std::make_unique<CLI::App>(
      "Ordeal puts C and C++ code that uses atomics through every behaviour the C++ memory model allows.", "ordeal");
  app->require_subcommand(1);
  app->get_formatter()->label("SUBCOMMAND", "VERB");
  app->failure_message(usage_message);
  app->footer("'ordeal VERB --help' lists the options of a verb.");
  add_check_verb(*app, exit_code, words);
  add_test_verb(*app, exit_code, words);
  add_replay_verb(*app, exit_code, words);
  add_report_verb(*app, exit_code);
  add_litmus_verb(*app, exit_code);
  add_compiler_verbs(*app);
  add_batch_verb(*app);
  return app;
}

int run_command(Words words) {
  int exit_code = kFine;
  const std::unique_ptr<CLI::App> app = make_command(exit_code, words);
  app->set_version_flag("--version", "ordeal " ORDEAL_VERSION);
  try {
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the end
    app->parse(words);
  } catch (const CLI::ParseError& error) {
    return app->exit(error) == 0 ? kFine : kUsage;  // prints help or the message
  } catch (const std::exception& error) {
    std::cerr << "ordeal: " << error.what() << "\n";
    return kUsage;
  }
  return exit_code;
}

}  // namespace ordeal::tools
