// Source files into a program that Ordeal can check, for `ordeal check`.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "tools/child_process.h"
#include "tools/compiler_wrapper.h"

namespace ordeal::tools {

/// The compiler has said why; only the exit code is left to do.
struct CompileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct BuildRequest {
  Words sources;
  Words flags;           // of the user
  std::string compiler;  // what the user chose, or empty
};

struct BuiltProgram {
  std::string path;
  std::string command;  // how it was compiled, for people: "g++ -O1 -g -std=c++20 -DX"
  bool was_there = false;
  std::shared_ptr<TemporaryDirectory> folder;  // has the program, if it could not be put where it stays
};

/// Whether the name is that of a C or C++ source file.
bool is_source_file(const std::string& name);

/// Throws CompileError, or std::runtime_error with a message.
BuiltProgram build_program(const BuildRequest& request);

}  // namespace ordeal::tools
