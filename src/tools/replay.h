// `ordeal replay`: runs the execution of a replay file again.
#pragma once

#include "tools/compiler_arguments.h"

namespace CLI {
class App;
}

namespace ordeal::tools {

/// Adds the verb; when it is given, its exit code goes to `exit_code`. What is behind -- in `words`, the command's arguments, is for gdb
/// and is taken out.
void add_replay_verb(CLI::App& app, int& exit_code, Words& words);

}  // namespace ordeal::tools
