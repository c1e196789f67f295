// The command with all its verbs and options, to be parsed (run_command), or to be described (package/pages.cpp).
#pragma once

#include <memory>

#include "tools/compiler_arguments.h"

namespace CLI {
class App;
}

namespace ordeal::tools {

/// The verb that is given sets `exit_code`. `words` are the command's arguments (see add_check_verb).
std::unique_ptr<CLI::App> make_command(int& exit_code, Words& words);

/// What the words of a command line say, done: the exit code.
int run_command(Words words);

}  // namespace ordeal::tools
