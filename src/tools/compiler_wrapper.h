// What `ordeal cc` and `ordeal c++` run instead of the command line that they are given. Pure: words in, words out.
//
// Idea. GCC and Clang with -fsanitize=thread call a function __tsan_… at each access to memory. We let them, and link our
// library instead of theirs. So the flag must be there when code is compiled and not when it is linked: a command that does
// both becomes several.
//
//   ordeal c++ -O1 a.cpp b.o -o a     →     g++ … -O1 -c a.cpp -o TEMPORARY/0.o … -fsanitize=thread …
//                                           g++ … libordeal.so fast_path.o -O1 TEMPORARY/0.o b.o -o a -Wl,-z,now …
//
// A command that only compiles, or only links, stays one, with flags put around it; the user's words stay as they are.
#pragma once

#include <string>
#include <vector>

#include "tools/compiler_arguments.h"

namespace ordeal::tools {

enum class CompilerFamily { kGcc, kClang };

struct Compiler {
  Words command;  // g++, or ccache g++
  CompilerFamily family = CompilerFamily::kGcc;
};

/// The files that Ordeal gives to the compiler.
struct Resources {
  std::string headers;  // the folder with ordeal/ordeal.h, and ordeal/inside for the wrapper
  std::string library;  // libordeal.so
  std::string fast_path = {};  // fast_path.o (runtime/fast_path.h): becomes part of what is linked; empty: there is none
  std::string assembler = {};  // the folder with our `as` (assembler.h); empty: there is none
};

struct CompilerPlan {
  std::string refusal;              // if not empty: nothing can be run, and why
  std::vector<Words> compilations;  // first these; all must succeed
  Words last;                       // then this
  bool links = false;               // the last one needs the library
};

/// `temporary` is a folder for the objects between compilations and link; nothing is created.
CompilerPlan plan(const Words& arguments, const Compiler& compiler, const Resources& resources, const std::string& temporary);

}  // namespace ordeal::tools
