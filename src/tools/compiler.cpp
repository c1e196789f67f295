#include "tools/compiler.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "tools/child_process.h"

namespace ordeal::tools {
namespace {

namespace fs = std::filesystem;

Words split(const std::string& command) {
  std::error_code error;
  if (fs::exists(command, error)) return {command};
  std::istringstream stream(command);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::optional<CompilerFamily> family_by_name(const std::string& file) {
  const std::string name = fs::path(file).filename().string();
  if (name.find("clang") != std::string::npos) return CompilerFamily::kClang;
  if (name.find("g++") != std::string::npos || name.find("gcc") != std::string::npos) return CompilerFamily::kGcc;
  return std::nullopt;
}

/// By the name; by what a link like c++ leads to; else by asking, which takes some milliseconds.
CompilerFamily family_of(const Words& command) {
  if (const auto family = family_by_name(command.back())) return *family;
  std::error_code error;
  const fs::path target = fs::canonical(find_program(command.back()), error);
  if (!error)
    if (const auto family = family_by_name(target.string())) return *family;
  Words question = command;
  question.insert(question.end(), {"-dM", "-E", "-x", "c", "/dev/null"});  // what is #defined
  const std::string answer = output_of_program(question);
  if (answer.find("#define __clang__ ") != std::string::npos) return CompilerFamily::kClang;
  if (answer.find("#define __GNUC__ ") != std::string::npos) return CompilerFamily::kGcc;
  throw std::runtime_error(
      fmt::format("'{}' is neither GCC nor Clang, or cannot be started; choose one of them", fmt::join(command, " ")));
}

}  // namespace

Compiler find_compiler(const std::string& name, Language language) {
  const bool is_c = language == Language::kC;
  const char* variable = is_c ? "ORDEAL_CC" : "ORDEAL_CXX";
  const char* chosen = std::getenv(variable);
  std::string command = name;
  if (command.empty() && chosen != nullptr) command = chosen;
  Words words = split(command);
  if (words.empty()) words = {is_c ? "gcc" : "g++"};
  for (const std::string& word : words)
    if (fs::path(word).filename().string().starts_with("ordeal"))
      throw std::runtime_error(fmt::format("{} is '{}': that is Ordeal itself, not a compiler that it can run",
                                           name.empty() ? variable : "the compiler", fmt::join(words, " ")));
  return {words, family_of(words)};
}

std::string counterpart(const std::string& name, Language language) {
  const std::size_t slash = name.rfind('/');
  const std::size_t start = slash == std::string::npos ? 0 : slash + 1;
  const auto replaced = [&](const std::string& from, const std::string& to) {
    const std::size_t at = name.find(from, start);
    return at == std::string::npos ? name : name.substr(0, at) + to + name.substr(at + from.size());
  };
  if (language == Language::kC)
    return name.find("clang++", start) != std::string::npos ? replaced("clang++", "clang") : replaced("g++", "gcc");
  if (name.find("++", start) != std::string::npos) return name;
  return name.find("clang", start) != std::string::npos ? replaced("clang", "clang++") : replaced("gcc", "g++");
}

}  // namespace ordeal::tools
