// `ordeal cc` and `ordeal c++`: drop-in compilers whose programs run under Ordeal. compiler_wrapper.h has the idea.
#pragma once

#include <optional>


#include "tools/compiler.h"

namespace CLI {
class App;
}

namespace ordeal::tools {

/// Whether the command was called as a compiler: `ordeal cc …`, or through a link named ordeal-cc; the same for c++. All
/// arguments belong to the compiler then, and no other part of the command looks at them.
struct CompilerCall {
  Language language;
  Words arguments;
};
std::optional<CompilerCall> compiler_call(int argc, char** argv);

/// Compiles; gives the exit code of the compiler, or 2 with a message.
int run_compiler(const CompilerCall& call);

/// Adds both verbs to the list that --help prints.
void add_compiler_verbs(CLI::App& app);

}  // namespace ordeal::tools
