// Which compiler the wrapper runs, and of which family it is.
#pragma once

#include <string>

#include "tools/compiler_wrapper.h"

namespace ordeal::tools {

enum class Language { kC, kCpp };

/// `name` is what the user chose (a program, or several words like "ccache g++"); if it is empty, $ORDEAL_CC or $ORDEAL_CXX,
/// else gcc or g++. Throws std::runtime_error if it is no GCC or Clang, or cannot be started.
Compiler find_compiler(const std::string& name, Language language);

/// The same compiler for the other language, if its name tells: g++-12 → gcc-12, clang → clang++.
std::string counterpart(const std::string& name, Language language);

}  // namespace ordeal::tools
