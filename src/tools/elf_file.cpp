#include "tools/elf_file.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ordeal::tools {
namespace {

/// The bytes of a file, read with a look at its length: offsets in a damaged file may be anything. Programs are large and little of them is
/// read, so they are mapped.
class Bytes {
 public:
  explicit Bytes(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe is none of our files, and not to be waited for
    struct stat status {};
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
      const auto size = static_cast<std::size_t>(status.st_size);
      void* const memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
      if (memory != MAP_FAILED) text_ = {static_cast<const char*>(memory), size};
    }
    if (file >= 0) close(file);
  }
  ~Bytes() {
    if (!text_.empty()) munmap(const_cast<char*>(text_.data()), text_.size());
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  template <typename Type>
  std::optional<Type> at(std::uint64_t offset) const {
    Type value;
    if (offset > text_.size() || text_.size() - offset < sizeof value) return std::nullopt;
    std::memcpy(&value, text_.data() + offset, sizeof value);
    return value;
  }
  std::string string_at(std::uint64_t offset) const {
    if (offset >= text_.size()) return "";
    const std::size_t end = text_.find('\0', offset);
    return end == std::string_view::npos ? "" : std::string(text_.substr(offset, end - offset));
  }
  bool has_string_at(std::uint64_t offset, const std::string& text) const {
    return offset < text_.size() && text_.compare(offset, text.size() + 1, text.c_str(), text.size() + 1) == 0;
  }

 private:
  std::string_view text_;
};

/// Calls `use(entry, strings)` for each entry of the tables of this kind, with the offset of the strings that go with it.
template <typename Entry, typename Use>
void each_entry(const Bytes& bytes, const Elf64_Ehdr& header, std::uint32_t kind, Use use) {
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto section = bytes.at<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr));
    if (!section || section->sh_type != kind) continue;
    const auto strings = bytes.at<Elf64_Shdr>(header.e_shoff + section->sh_link * sizeof(Elf64_Shdr));
    for (std::uint64_t at = 0; strings && at + sizeof(Entry) <= section->sh_size; at += sizeof(Entry)) {
      const auto entry = bytes.at<Entry>(section->sh_offset + at);
      if (!entry) break;
      use(*entry, strings->sh_offset);
    }
  }
}

}  // namespace

bool ElfFile::needs(const std::string& library) const {
  return std::find(libraries.begin(), libraries.end(), library) != libraries.end();
}
bool ElfFile::refers_to(const std::string& name) const {
  return std::find(undefined.begin(), undefined.end(), name) != undefined.end();
}

ElfFile read_elf(const std::string& path) {
  ElfFile file;
  const Bytes bytes(path);
  const auto header = bytes.at<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return file;
  file.is_program = header->e_machine == EM_X86_64 && (header->e_type == ET_EXEC || header->e_type == ET_DYN);
  each_entry<Elf64_Dyn>(bytes, *header, SHT_DYNAMIC, [&](const Elf64_Dyn& entry, std::uint64_t strings) {
    if (entry.d_tag == DT_NEEDED) file.libraries.push_back(bytes.string_at(strings + entry.d_un.d_val));
  });
  each_entry<Elf64_Sym>(bytes, *header, SHT_DYNSYM, [&](const Elf64_Sym& symbol, std::uint64_t strings) {
    if (symbol.st_shndx == SHN_UNDEF) file.undefined.push_back(bytes.string_at(strings + symbol.st_name));
  });
  return file;
}

bool has_symbol(const std::string& path, const std::string& name) {
  const Bytes bytes(path);
  const auto header = bytes.at<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return false;
  bool is_there = false;
  for (const std::uint32_t kind : {SHT_SYMTAB, SHT_DYNSYM})
    each_entry<Elf64_Sym>(bytes, *header, kind, [&](const Elf64_Sym& symbol, std::uint64_t strings) {
      is_there = is_there || bytes.has_string_at(strings + symbol.st_name, name);
    });
  return is_there;
}

std::string why_not_checkable(const std::string& path) {
  const ElfFile file = read_elf(path);
  if (!file.is_program)
    return fmt::format(
        "'{}' is no program for this machine. Give a C or C++ source file, or a program that 'ordeal c++' built.",
        path);
  const char* const rebuild =
      "Build it with 'ordeal c++' (or 'ordeal cc') instead of the compiler: make CXX='ordeal c++', or "
      "cmake -DCMAKE_CXX_COMPILER=ordeal-c++ in a fresh build folder.";
  if (file.libraries.empty())
    return fmt::format("'{}' is linked statically, so Ordeal cannot take part in it. {}", path, rebuild);
  if (file.needs("libordeal.so") && !file.refers_to("__tsan_init"))
    return fmt::format(
        "'{}' was linked by Ordeal, but none of its code was compiled by it: its accesses to memory would go unseen. "
        "{}",
        path, rebuild);
  if (!file.needs("libordeal.so"))
    return fmt::format("'{}' is not instrumented: it was not built by Ordeal{}. {}", path,
                       file.refers_to("__tsan_init") ? " but with -fsanitize=thread" : "", rebuild);
  return "";
}

}  // namespace ordeal::tools
