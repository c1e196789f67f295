#include "symbols/heap_type.h"

#include <array>
#include <cctype>
#include <fstream>

#include "symbols/die.h"

namespace ordeal::symbols {
namespace {

constexpr std::size_t kLongestLine = 4096;

/// Up to the bracket that closes the one before the text; empty if there is none.
std::string_view up_to_closing(std::string_view text) {
  int depth = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<' || text[i] == '(') ++depth;
    if ((text[i] == '>' || text[i] == ')') && --depth == 0) return text.substr(0, i);
  }
  return {};
}

bool is_part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// A type at the start of the text: a name with namespaces and template arguments.
std::string_view leading_type(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size()) {
    if (text[end] == '<')
      end += up_to_closing(text.substr(end + 1)).size() + 2;
    else if (is_part_of_name(text[end]) || text[end] == ':')
      ++end;
    else
      break;
  }
  return text.substr(0, end);
}

/// "app::Node" → "Node", "struct node" → "node".
std::string without_scope(std::string_view name) {
  for (const std::string_view word : {"const ", "struct ", "class ", "volatile "})
    if (name.starts_with(word)) name.remove_prefix(word.size());
  const std::size_t arguments = name.find('<'), scope = name.substr(0, arguments).rfind("::");
  // "(anonymous namespace)::Node" has its last "::" before the arguments, too.
  if (scope != std::string_view::npos) name.remove_prefix(scope + 2);
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  return std::string(name);
}

/// The first argument of "A<B, C>".
std::string_view first_argument(std::string_view name) {
  const std::size_t start = name.find('<');
  if (start == std::string_view::npos) return {};
  int depth = 0;
  for (std::size_t i = start + 1; i < name.size(); ++i) {
    if (name[i] == '<' || name[i] == '(') ++depth;
    if (depth == 0 && (name[i] == ',' || name[i] == '>')) return name.substr(start + 1, i - start - 1);
    if (name[i] == '>' || name[i] == ')') --depth;
  }
  return {};
}

std::optional<HeapType> fitting(ModuleFile& file, const std::string& name, std::uint64_t block_size) {
  std::optional<HeapType> found;
  for (const Dwarf_Die& type : file.types(name)) {
    const std::uint64_t size = size_of(type).value_or(0);
    if (size == block_size) return HeapType{type, name, size, 0};
    if (size != 0 && block_size % size == 0 && !found) found = HeapType{type, name, size, 0};
  }
  return found;
}

/// What std::make_shared<T> allocates: counters, then the T.
std::optional<HeapType> shared_block(ModuleFile& file, const std::string& name, std::uint64_t block_size) {
  constexpr std::uint64_t kCounters = 16;
  if (!name.starts_with("_Sp_counted_ptr_inplace<") || block_size <= kCounters) return std::nullopt;
  const std::string inner = without_scope(first_argument(name));
  for (const Dwarf_Die& type : file.types(inner)) {
    const std::uint64_t size = size_of(type).value_or(0);
    if (size <= block_size - kCounters) return HeapType{type, inner, size, kCounters};
  }
  return std::nullopt;
}

/// The T of "T* name" in the line: what `sizeof *name` is the size of.
std::string_view pointee_in_line(std::string_view line, std::string_view name) {
  std::size_t at = line.find(name);
  const auto is_whole_word = [&] {
    const std::size_t end = at + name.size();
    return (at == 0 || !is_part_of_name(line[at - 1])) && (end == line.size() || !is_part_of_name(line[end]));
  };
  while (at != std::string_view::npos && !is_whole_word()) at = line.find(name, at + 1);
  if (at == std::string_view::npos || at == 0) return {};
  std::string_view before = line.substr(0, at);
  const auto strip = [&](auto&& is_right) {
    while (!before.empty() && is_right(before.back())) before.remove_suffix(1);
  };
  strip([](char c) { return c == ' '; });
  if (before.empty() || before.back() != '*') return {};
  strip([](char c) { return c == ' ' || c == '*'; });
  std::size_t start = before.size();
  while (start > 0 && (is_part_of_name(before[start - 1]) || before[start - 1] == ':')) --start;
  return before.substr(start);
}

/// The name in "*name" or "(*name)" at the start of the text.
std::string_view dereferenced(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '(')) text.remove_prefix(1);
  if (!text.starts_with('*')) return {};
  text.remove_prefix(1);
  std::size_t end = 0;
  while (end < text.size() && is_part_of_name(text[end])) ++end;
  return text.substr(0, end);
}

std::string source_line(const RawFrame& frame) {
  std::ifstream source(frame.file);
  std::string line;
  for (std::uint32_t i = 0; i < frame.line; ++i)
    if (!std::getline(source, line)) return "";
  return line.substr(0, kLongestLine);
}

}  // namespace

std::vector<std::string> types_in_line(std::string_view line) {
  std::vector<std::string> types;
  const auto add = [&](std::string_view name) {
    const std::string plain = without_scope(name);
    if (!plain.empty() && plain.front() != '*') types.push_back(plain);
  };
  for (std::size_t at = line.find("new "); at != std::string_view::npos; at = line.find("new ", at + 1))
    if (at == 0 || !is_part_of_name(line[at - 1])) add(leading_type(line.substr(at + 4)));
  constexpr std::array<std::string_view, 3> kOpenings{"make_unique<", "make_shared<", "sizeof("};
  for (const std::string_view opening : kOpenings)
    for (std::size_t at = line.find(opening); at != std::string_view::npos; at = line.find(opening, at + 1))
      add(up_to_closing(line.substr(at + opening.size())));
  constexpr std::string_view kSizeof = "sizeof";
  for (std::size_t at = line.find(kSizeof); at != std::string_view::npos; at = line.find(kSizeof, at + 1))
    if (const std::string_view name = dereferenced(line.substr(at + kSizeof.size())); !name.empty())
      add(pointee_in_line(line, name));
  return types;
}

std::string type_of_allocator(std::string_view function) {
  constexpr std::string_view kClass = "new_allocator<";
  const std::size_t at = function.find(kClass);
  if (at == std::string_view::npos) return "";
  const std::string_view argument = up_to_closing(function.substr(at + kClass.size()));
  return function.substr(at + kClass.size() + argument.size()).starts_with(">::allocate") ? without_scope(argument)
                                                                                          : "";
}

std::optional<HeapType> heap_type(ModuleFile& file, const std::vector<RawFrame>& frames, const RawFrame& user_frame,
                                  std::uint64_t block_size) {
  for (const RawFrame& frame : frames) {
    const std::string name = type_of_allocator(frame.function);
    if (name.empty()) continue;
    if (auto shared = shared_block(file, name, block_size)) return shared;
    return name.starts_with('_') ? std::nullopt : fitting(file, name, block_size);
  }
  std::optional<HeapType> found;
  for (const std::string& name : types_in_line(source_line(user_frame))) {
    const auto type = fitting(file, name, block_size);
    if (type && (!found || (found->size != block_size && type->size == block_size))) found = type;
  }
  return found;
}

}  // namespace ordeal::symbols
