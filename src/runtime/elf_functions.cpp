#include "runtime/elf_functions.h"

#include <algorithm>
#include <cstring>

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ordeal::runtime {
namespace {

/// A file in memory, read with a look at its length.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
      void* memory = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      if (memory != MAP_FAILED) {
        bytes_ = static_cast<const unsigned char*>(memory);
        size_ = static_cast<std::size_t>(status.st_size);
      }
    }
    if (file >= 0) close(file);
  }
  ~MappedFile() {
    if (bytes_ != nullptr) munmap(const_cast<unsigned char*>(bytes_), size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// nullptr: the file is too short.
  template <class Type>
  const Type* at(std::uint64_t offset, std::uint64_t count = 1) const {
    if (offset > size_ || count > (size_ - offset) / sizeof(Type)) return nullptr;
    return reinterpret_cast<const Type*>(bytes_ + offset);
  }
  std::string string_at(std::uint64_t offset) const {
    if (offset >= size_) return {};
    const auto* text = reinterpret_cast<const char*>(bytes_ + offset);
    return {text, strnlen(text, size_ - offset)};
  }

 private:
  const unsigned char* bytes_ = nullptr;
  std::size_t size_ = 0;
};

void add_symbols(const MappedFile& file, const Elf64_Shdr& table, const Elf64_Shdr& names, ElfSymbols& found) {
  const auto count = table.sh_size / sizeof(Elf64_Sym);
  const auto* symbols = file.at<Elf64_Sym>(table.sh_offset, count);
  for (std::uint64_t i = 0; symbols != nullptr && i < count; ++i) {
    const Elf64_Sym& symbol = symbols[i];
    if (symbol.st_shndx == SHN_UNDEF)
      found.wanted.push_back(file.string_at(names.sh_offset + symbol.st_name));
    else if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_size > 0)
      found.functions.push_back({file.string_at(names.sh_offset + symbol.st_name), symbol.st_value, symbol.st_size});
  }
}

}  // namespace

bool ElfSymbols::wants(const char* name) const { return std::find(wanted.begin(), wanted.end(), name) != wanted.end(); }

ElfSymbols read_symbols(const std::string& path) {
  ElfSymbols found;
  const MappedFile file(path);
  const auto* header = file.at<Elf64_Ehdr>(0);
  if (header == nullptr || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64)
    return found;
  const auto* sections = file.at<Elf64_Shdr>(header->e_shoff, header->e_shnum);
  const auto add = [&](std::uint32_t type) {
    for (unsigned i = 0; sections != nullptr && i < header->e_shnum; ++i)
      if (sections[i].sh_type == type && sections[i].sh_link < header->e_shnum)
        add_symbols(file, sections[i], sections[sections[i].sh_link], found);
  };
  add(SHT_SYMTAB);
  if (found.functions.empty()) add(SHT_DYNSYM);
  return found;
}

}  // namespace ordeal::runtime
