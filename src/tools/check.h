// `ordeal check`: compiles sources, or takes a program that `ordeal c++` built, and explores every behaviour of it.
#pragma once

#include <functional>

#include "tools/compiler_arguments.h"

namespace CLI {
class App;
}

namespace ordeal::tools {

/// Adds the verb; when it is given, its exit code goes to `exit_code`. `words` are the command's arguments: what is meant for
/// the compiler or for the checked program is taken out of them, so that nothing mistakes it for an option.
void add_check_verb(CLI::App& app, int& exit_code, Words& words);

/// The parts of `check FILES… [options] [-- compiler flags [-- program arguments]]`, and of `check [options] ./program
/// [arguments]`.
struct CheckArguments {
  Words own;  // options and files
  Words compiler_flags;
  Words program_arguments;
};
/// `takes_value` tells whether the next word belongs to an option.
CheckArguments split_check_arguments(const Words& words, const std::function<bool(const std::string&)>& takes_value);

}  // namespace ordeal::tools
