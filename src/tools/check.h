// `ordeal check`: compiles sources, or takes a program that `ordeal c++` built, and explores every behaviour of it.
#pragma once

#include "tools/compiler_arguments.h"

namespace CLI {
class App;
}

namespace ordeal::tools {

/// Adds the verb; when it is given, its exit code goes to `exit_code`. `words` are the command's arguments: what is meant for
/// the compiler or for the checked program is taken out of them.
void add_check_verb(CLI::App& app, int& exit_code, Words& words);

}  // namespace ordeal::tools
