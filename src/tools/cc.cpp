#include "tools/cc.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <stdexcept>

#include <unistd.h>

#include "tools/child_process.h"
#include "tools/exit_code.h"
#include "tools/resources.h"

namespace ordeal::tools {
namespace {

/// This process becomes the compiler.
int become(const Words& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  throw std::runtime_error("cannot start the compiler '" + command.front() + "': " + std::strerror(errno));
}

/// Compilations, then the link. A signal that ends one of them ends this process in the same way, as compilers do.
int run_all(const CompilerPlan& plan) {
  IgnoreInterrupts ignore;
  std::vector<Words> commands = plan.compilations;
  commands.push_back(plan.last);
  for (const Words& command : commands) {
    const ChildEnd end = run_child(command);
    if (!end.not_started.empty())
      throw std::runtime_error("cannot start the compiler '" + command.front() + "': " + end.not_started);
    if (end.signal != 0) return 128 + end.signal;
    if (end.exit_code != 0) return end.exit_code;
  }
  return kFine;
}

int run_plan(const CompilerCall& call) {
  const Compiler compiler = find_compiler("", call.language);
  const Resources files = resources();
  const CompilerPlan first = plan(call.arguments, compiler, files, "");
  if (!first.refusal.empty()) throw std::runtime_error(first.refusal);
  if (first.links) require_library(files);
  if (first.compilations.empty()) return become(first.last);
  const TemporaryDirectory temporary;
  return run_all(plan(call.arguments, compiler, files, temporary.path()));
}

}  // namespace

std::optional<CompilerCall> compiler_call(int argc, char** argv) {
  const std::string name = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
  if (name == "ordeal-cc") return CompilerCall{Language::kC, Words(argv + 1, argv + argc)};
  if (name == "ordeal-c++") return CompilerCall{Language::kCpp, Words(argv + 1, argv + argc)};
  const std::string verb = argc > 1 ? argv[1] : "";
  if (verb == "cc") return CompilerCall{Language::kC, Words(argv + 2, argv + argc)};
  if (verb == "c++") return CompilerCall{Language::kCpp, Words(argv + 2, argv + argc)};
  return std::nullopt;
}

int run_compiler(const CompilerCall& call) {
  try {
    return run_plan(call);
  } catch (const std::exception& error) {
    std::cerr << (call.language == Language::kC ? "ordeal cc: " : "ordeal c++: ") << error.what() << "\n";
    return kUsage;
  }
}

void add_compiler_verbs(CLI::App& app) {
  app.add_subcommand("cc", "A drop-in C compiler: what it builds runs under Ordeal")->group("Verbs");
  app.add_subcommand("c++", "The same for C++")->group("Verbs");
}

}  // namespace ordeal::tools
