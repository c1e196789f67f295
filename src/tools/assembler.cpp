#include "tools/assembler.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <vector>

#include "tools/child_process.h"
#include "tools/exit_code.h"

namespace ordeal::tools {
namespace {

constexpr std::string_view kCall = "\tcall\t__ordeal_inline_assembly@PLT\n";

bool starts_with_any(std::string_view word, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(), [&](std::string_view start) { return word.substr(0, start.size()) == start; });
}

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// The first word, which is taken off.
std::string_view take_word(std::string_view& text) {
  const auto end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text = trim(text.substr(end));
  return word;
}

/// An operand in memory, other than the function's own stack.
bool has_memory_operand(std::string_view operands) {
  for (auto open = operands.find('('); open != std::string_view::npos; open = operands.find('(', open + 1)) {
    const std::string_view base = trim(operands.substr(open + 1));
    if (!starts_with_any(base, {"%rsp", "%rbp"})) return true;
  }
  return false;
}

bool instruction_touches_memory(std::string_view instruction) {
  std::string_view rest = trim(instruction);
  std::string_view word = take_word(rest);
  while (!word.empty() && word.back() == ':') word = take_word(rest);  // labels
  if (word == "lock") return true;
  if (word.substr(0, 3) == "rep") word = take_word(rest);
  if (starts_with_any(word, {"mfence", "sfence", "lfence", "syscall", "sysenter", "cmpxchg", "xadd", "xbegin", "movs", "stos", "cmps", "scas", "lods"})) {
    const bool is_vector = rest.find("%xmm") != std::string_view::npos || rest.find("%ymm") != std::string_view::npos;
    const bool is_extension = starts_with_any(word, {"movsb", "movsw", "movsl", "movsx"}) && rest.find('%') != std::string_view::npos;
    if (!is_vector && !is_extension) return true;
  }
  if (word.empty() || word.front() == '.' || starts_with_any(word, {"lea", "nop", "prefetch", "call", "j"})) return false;
  return has_memory_operand(rest);
}

bool is_line(std::string_view line, std::string_view wanted) { return trim(line) == wanted; }

/// The one file that the arguments of `as` name: its index, or 0 for standard input. -1: not understood.
int input_of(int argc, char** argv) {
  int input = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "-o" || word == "-I" || word == "--defsym" || word == "--MD") {
      ++i;
    } else if (word.front() != '-' && word.front() != '@') {
      if (input != 0) return -1;
      input = i;
    } else if (word.front() == '@') {
      return -1;
    }
  }
  return input;
}

[[noreturn]] void become_assembler(char** argv) {
  argv[0] = const_cast<char*>("as");
  execvp(argv[0], argv);
  std::cerr << "ordeal: cannot start the assembler 'as': " << std::strerror(errno) << "\n";
  _exit(kUsage);
}

}  // namespace

bool touches_memory(const std::string& instructions) {
  int sections = 0;  // what goes to another section is not run here
  std::istringstream lines(instructions);
  for (std::string line; std::getline(lines, line);) {
    std::string_view code = std::string_view(line).substr(0, line.find('#'));
    while (!code.empty()) {
      const auto end = std::min(code.find(';'), code.size());
      const std::string_view instruction = trim(code.substr(0, end));
      code.remove_prefix(std::min(end + 1, code.size()));
      if (starts_with_any(instruction, {".pushsection"})) ++sections;
      if (starts_with_any(instruction, {".popsection"})) --sections;
      if (sections == 0 && instruction_touches_memory(instruction)) return true;
    }
  }
  return false;
}

std::optional<std::string> with_marked_assembly(const std::string& text) {
  if (text.find("#APP") == std::string::npos) return std::nullopt;
  std::string result, block;
  bool is_marked = false, in_function = false, in_block = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line += '\n';
    if (is_line(std::string_view(line).substr(0, line.size() - 1), "#APP")) {
      in_block = true;
      block.clear();
      result += line;
      continue;
    }
    if (!in_block) {
      const std::string_view code = trim(std::string_view(line).substr(0, line.size() - 1));
      if (code == ".cfi_startproc") in_function = true;
      if (code == ".cfi_endproc") in_function = false;
      result += line;
      continue;
    }
    if (!is_line(std::string_view(line).substr(0, line.size() - 1), "#NO_APP")) {
      block += line;
      continue;
    }
    in_block = false;
    if (in_function && touches_memory(block)) {
      result += kCall;
      is_marked = true;
    }
    result += block + line;
  }
  if (in_block) result += block;
  if (!is_marked) return std::nullopt;
  return result;
}

int run_assembler(int argc, char** argv) {
  const int input = input_of(argc, argv);
  if (input < 0) become_assembler(argv);
  std::string text;
  if (input == 0) {
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
  } else {
    std::ifstream file(argv[input], std::ios::binary);
    if (!file) become_assembler(argv);
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  const std::optional<std::string> marked = with_marked_assembly(text);
  if (!marked && input != 0) become_assembler(argv);
  const TemporaryDirectory temporary;
  const std::string name = temporary.path() + "/marked.s";
  std::ofstream(name, std::ios::binary) << (marked ? *marked : text);
  std::vector<std::string> command{"as"};
  for (int i = 1; i < argc; ++i)
    if (i != input && std::string_view(argv[i]) != "-") command.push_back(argv[i]);
  command.push_back(name);
  const ChildEnd end = run_child(command);
  if (!end.not_started.empty()) std::cerr << "ordeal: cannot start the assembler 'as': " << end.not_started << "\n";
  return !end.not_started.empty() ? int{kUsage} : end.signal != 0 ? 128 + end.signal : end.exit_code;
}

}  // namespace ordeal::tools
