// Between compiler and assembler: inline assembly that touches memory behind the back of the instrumentation gets a call before
// it, by which the runtime refuses to check it. The compilers start `as` of the folder that -B names; that is this program.
#pragma once

#include <optional>
#include <string>

namespace ordeal::tools {

/// The compiler's output with calls of __ordeal_inline_assembly in the functions that need them; nothing if none does.
std::optional<std::string> with_marked_assembly(const std::string& text);

/// Whether these instructions (AT&T syntax, of one asm statement) read, write or order memory that other threads may see.
/// What is on the own stack is fine.
bool touches_memory(const std::string& instructions);

/// `argv` of `as`: marks, then runs the assembler of $PATH. The exit code.
int run_assembler(int argc, char** argv);

}  // namespace ordeal::tools
