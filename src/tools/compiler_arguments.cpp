#include "tools/compiler_arguments.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

namespace ordeal::tools {
namespace {

template <std::size_t kSize>
bool is_one_of(std::string_view word, const std::array<std::string_view, kSize>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

template <std::size_t kSize>
bool starts_with_one_of(std::string_view word, const std::array<std::string_view, kSize>& list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view start) { return word.starts_with(start); });
}

// Options of GCC and Clang whose value is the next word, if they are written alone: what follows is no input.
constexpr auto kTakesNextWord = std::to_array<std::string_view>({"-o",
                                                                 "-x",
                                                                 "-I",
                                                                 "-L",
                                                                 "-D",
                                                                 "-U",
                                                                 "-l",
                                                                 "-A",
                                                                 "-B",
                                                                 "-F",
                                                                 "-G",
                                                                 "-T",
                                                                 "-V",
                                                                 "-b",
                                                                 "-e",
                                                                 "-h",
                                                                 "-u",
                                                                 "-z",
                                                                 "-J",
                                                                 "-include",
                                                                 "-imacros",
                                                                 "-isystem",
                                                                 "-iquote",
                                                                 "-idirafter",
                                                                 "-iprefix",
                                                                 "-iwithprefix",
                                                                 "-iwithprefixbefore",
                                                                 "-isysroot",
                                                                 "-imultilib",
                                                                 "-iframework",
                                                                 "-ivfsoverlay",
                                                                 "-include-pch",
                                                                 "-cxx-isystem",
                                                                 "-c-isystem",
                                                                 "-stdlib++-isystem",
                                                                 "-MF",
                                                                 "-MT",
                                                                 "-MQ",
                                                                 "-MJ",
                                                                 "-Xlinker",
                                                                 "-Xassembler",
                                                                 "-Xpreprocessor",
                                                                 "-Xclang",
                                                                 "-Xanalyzer",
                                                                 "-Xopenmp-target",
                                                                 "-mllvm",
                                                                 "-aux-info",
                                                                 "-arch",
                                                                 "-target",
                                                                 "--param",
                                                                 "-dumpbase",
                                                                 "-dumpdir",
                                                                 "-dumpbase-ext",
                                                                 "-wrapper",
                                                                 "-framework",
                                                                 "-gcc-toolchain",
                                                                 "--sysroot",
                                                                 "-resource-dir",
                                                                 "-working-directory",
                                                                 "--serialize-diagnostics",
                                                                 "-serialize-diagnostics",
                                                                 "-soname",
                                                                 "-rpath",
                                                                 "-dependency-file",
                                                                 "--config",
                                                                 "-specs"});

constexpr auto kAnswers = std::to_array<std::string_view>(
    {"--version", "-dumpversion", "-dumpfullversion", "-dumpmachine", "-dumpspecs", "--target-help", "-help", "-V"});
constexpr auto kAnswerStarts =
    std::to_array<std::string_view>({"-print-", "--print-", "--help", "-autocomplete", "--autocomplete"});

constexpr auto kStopsEarly =
    std::to_array<std::string_view>({"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--precompile", "--compile", "--assemble",
                                     "--preprocess", "--analyze", "-emit-ast", "-emit-pch", "-fmodule-header"});
constexpr auto kJoins = std::to_array<std::string_view>({"-r", "-Wl,-r", "-Wl,--relocatable", "-Wl,-i"});

constexpr auto kForLinker = std::to_array<std::string_view>({"-Xlinker", "-T", "-u", "-z", "-e", "-rpath", "-soname"});

// What ends the name of a file that is compiled. Assembler is too: the driver makes an object of it.
constexpr auto kSourceEndings =
    std::to_array<std::string_view>({"c",   "i", "ii", "cc", "cp", "cxx", "cpp", "CPP", "c++", "C",  "cppm",
                                     "ixx", "m", "mi", "mm", "M",  "mii", "s",   "S",   "sx",  "ll", "bc"});
constexpr auto kHeaderEndings = std::to_array<std::string_view>({"h", "hh", "hp", "hxx", "hpp", "HPP", "h++", "H", "tcc"});

std::string_view ending_of(std::string_view file) {
  const std::size_t dot = file.rfind('.');
  return dot == std::string_view::npos || file.find('/', dot) != std::string_view::npos ? "" : file.substr(dot + 1);
}

bool is_header(const Argument& argument) {
  if (!argument.language.empty()) return argument.language.find("header") != std::string::npos;
  return is_one_of(ending_of(argument.words.front()), kHeaderEndings);
}

/// One argument from the words at `place`, which moves behind it.
Argument next_argument(const Words& words, std::size_t& place, std::string& language) {
  const std::string& word = words[place++];
  Argument argument{{word}, Role::kOther, "", ""};
  if (word == "-" || !word.starts_with('-')) {
    argument.role = Role::kInput;
    argument.language = language;
    return argument;
  }
  const bool has_next = is_one_of(word, kTakesNextWord) && place < words.size();
  if (has_next) argument.words.push_back(words[place++]);
  const bool is_joined = word.size() > 2 && !has_next;
  if (word.starts_with("-x") && (has_next ? word == "-x" : is_joined)) {
    argument.role = Role::kLanguage;
    argument.value = has_next ? argument.words.back() : word.substr(2);
    language = argument.value == "none" ? "" : argument.value;
  } else if (word == "-o" ? has_next : word.starts_with("-o") && !word.starts_with("-objc")) {
    argument.role = Role::kOutput;
    argument.value = has_next ? argument.words.back() : word.substr(2);
  } else if (word.starts_with("-l") || word.starts_with("-Wl,") || is_one_of(word, kForLinker)) {
    argument.role = Role::kForLinker;
  }
  return argument;
}

Goal goal_of(const std::vector<Argument>& arguments) {
  Goal goal = Goal::kAnswer;
  for (const Argument& argument : arguments)
    if (argument.role == Role::kInput || argument.words.front().starts_with("-l")) goal = Goal::kLink;
  for (const Argument& argument : arguments) {
    const std::string& word = argument.words.front();
    if (is_one_of(word, kAnswers) || starts_with_one_of(word, kAnswerStarts)) return Goal::kAnswer;
    if (goal == Goal::kAnswer) continue;
    const bool joins = is_one_of(word, kJoins) || (word == "-Xlinker" && argument.words.back() == "-r");
    if (is_one_of(word, kStopsEarly) || (argument.role == Role::kInput && is_header(argument))) goal = Goal::kCompile;
    if (joins && goal == Goal::kLink) goal = Goal::kJoin;
  }
  return goal;
}

std::string refusal_of(const std::string& word, Goal goal) {
  if (word == "-m32" || word == "-mx32" || word == "-m16")
    return fmt::format("{} cannot work: Ordeal checks 64-bit programs only. Leave it out.", word);
  if (word.starts_with("-fsanitize=")) {
    if (word == "-fsanitize=thread")
      return word + " is not needed: Ordeal instruments the program itself, and finds data races. Leave it out.";
    return word + " cannot work together with Ordeal's instrumentation. Leave it out here, and use it in another build.";
  }
  if (goal != Goal::kLink) return "";
  if (word == "-static" || word == "--static" || word == "-static-pie")
    return word +
           " cannot work: the program must find Ordeal's versions of the C library's functions when it is loaded. "
           "Link dynamically: leave it out.";
  return "";
}

}  // namespace

bool is_source(const Argument& argument) {
  if (argument.role != Role::kInput) return false;
  return !argument.language.empty() || is_one_of(ending_of(argument.words.front()), kSourceEndings);
}

CompilerArguments understand(const Words& words) {
  CompilerArguments result;
  std::string language;
  for (std::size_t place = 0; place < words.size();) result.all.push_back(next_argument(words, place, language));
  result.goal = goal_of(result.all);
  if (result.goal == Goal::kAnswer) return result;
  for (const Argument& argument : result.all)
    if (result.refusal.empty()) result.refusal = refusal_of(argument.words.front(), result.goal);
  return result;
}

Words words_of_response_file(const std::string& text) {
  Words words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (quote == 0 && std::isspace(static_cast<unsigned char>(letter)) != 0) {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
      continue;
    }
    in_word = true;
    if (letter == '\\' && i + 1 < text.size())
      word += text[++i];
    else if (quote != 0 && letter == quote)
      quote = 0;
    else if (quote == 0 && (letter == '"' || letter == '\''))
      quote = letter;
    else
      word += letter;
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

Words with_response_files(const Words& words) {
  Words result;
  int left = 2000;  // files: two that name each other would never end (GCC's limit)
  std::vector<std::string> rest(words.rbegin(), words.rend());
  while (!rest.empty()) {
    std::string word = std::move(rest.back());
    rest.pop_back();
    std::ifstream file;
    if (word.starts_with('@') && left-- > 0) file.open(word.substr(1));
    if (!file.is_open()) {
      result.push_back(std::move(word));
      continue;
    }
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const Words inner = words_of_response_file(text);
    rest.insert(rest.end(), inner.rbegin(), inner.rend());
  }
  return result;
}

}  // namespace ordeal::tools
