// `ordeal test`: compiles sources, or takes a program that `ordeal c++` built, and runs it many times at random.
#pragma once

#include "tools/compiler_arguments.h"

namespace CLI {
class App;
}

namespace ordeal::tools {

/// As add_check_verb.
void add_test_verb(CLI::App& app, int& exit_code, Words& words);

}  // namespace ordeal::tools
