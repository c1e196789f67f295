// A compiler's command line, understood as far as the wrapper needs: which words are inputs, which options take a value, how
// far the compiler is to go, and what cannot work under Ordeal. All other options are passed on without a look.
#pragma once

#include <string>
#include <vector>

namespace ordeal::tools {

using Words = std::vector<std::string>;

enum class Role {
  kInput,      // a file, or - for standard input
  kLanguage,   // -x LANGUAGE
  kOutput,     // -o FILE
  kForLinker,  // a library or a flag that only means something to the linker
  kOther,
};

struct Argument {
  Words words;  // one, or an option and its value
  Role role = Role::kOther;
  std::string value;     // of kLanguage and kOutput
  std::string language;  // of an input: what -x said, or empty
};

/// How far the compiler goes.
enum class Goal {
  kAnswer,   // --version and the like, or nothing to work on: the wrapper keeps out
  kCompile,  // -c, -S, -E, -M, -fsyntax-only, a precompiled header …
  kJoin,     // -r: objects into an object
  kLink,
};

struct CompilerArguments {
  std::vector<Argument> all;
  Goal goal = Goal::kAnswer;
  std::string refusal;  // why this cannot work, and what to do; empty: it can
};

/// Whether this input is compiled, not just given to the linker.
bool is_source(const Argument& argument);

CompilerArguments understand(const Words& words);

/// The words with each @FILE replaced by what is in the file, as GCC does it; one that cannot be read stays as it is.
Words with_response_files(const Words& words);

/// The words of a response file: separated by spaces, with quotes and backslashes.
Words words_of_response_file(const std::string& text);

}  // namespace ordeal::tools
