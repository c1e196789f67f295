// The description of a frame (FDE) points to its table of exceptions; their forms are those of the Linux Standard Base (.eh_frame) and of the Itanium C++ ABI. What compilers do not
// write is not understood.
#include "runtime/loops/catches.h"

#include <cstring>
#include <optional>

extern "C" {
struct dwarf_eh_bases {
  void *tbase, *dbase, *func;
};
const void* _Unwind_Find_FDE(void* code, dwarf_eh_bases* bases);
}

namespace ordeal::runtime {
namespace {

constexpr unsigned char kOmitted = 0xFF, kAbsolute = 0x00, kUleb = 0x01, kRelative = 0x10, kForm = 0x0F, kIndirect = 0x80;

using Bytes = const unsigned char*;

std::uint64_t read_uleb(Bytes& at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const unsigned char byte = *at++;
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) return value;
  }
}

template <class Number>
Number read(Bytes& at) {
  Number number;
  std::memcpy(&number, at, sizeof number);
  at += sizeof number;
  return number;
}

/// 0: none. Nothing: it is in a form that compilers do not use.
std::optional<std::uintptr_t> read_address(Bytes& at, unsigned char encoding) {
  const auto place = reinterpret_cast<std::uintptr_t>(at);
  std::uintptr_t address = 0;
  switch (encoding & kForm) {
    case 0x00:
    case 0x04:
    case 0x0C: address = read<std::uintptr_t>(at); break;
    case 0x03: address = read<std::uint32_t>(at); break;
    case 0x0B: address = static_cast<std::uintptr_t>(static_cast<std::intptr_t>(read<std::int32_t>(at))); break;
    default: return std::nullopt;
  }
  const unsigned applied = encoding & ~unsigned{kForm} & ~unsigned{kIndirect};
  if (applied != kAbsolute && applied != kRelative) return std::nullopt;
  return address != 0 && applied == kRelative ? address + place : address;
}

/// What descriptions have in common (CIE), as far as it matters here.
struct Common {
  bool is_augmented = false;
  unsigned char table = kOmitted, code = kAbsolute;  // how addresses are written
};

std::optional<Common> read_common(Bytes at) {
  constexpr std::uint32_t kLong = 0xFFFFFFFF;
  if (read<std::uint32_t>(at) == kLong) return std::nullopt;
  at += sizeof(std::uint32_t);
  const unsigned char version = *at++;
  const char* letters = reinterpret_cast<const char*>(at);
  at += std::strlen(letters) + 1;
  read_uleb(at);
  read_uleb(at);
  if (version == 1) ++at;
  else read_uleb(at);
  Common common;
  if (*letters == '\0') return common;
  if (*letters != 'z') return std::nullopt;
  common.is_augmented = true;
  read_uleb(at);
  while (*++letters != '\0') {
    switch (*letters) {
      case 'L': common.table = *at++; break;
      case 'R': common.code = *at++; break;
      case 'P': {
        const unsigned char encoding = *at++;
        if (!read_address(at, encoding)) return std::nullopt;
        break;
      }
      case 'S':
      case 'B': break;
      default: return std::nullopt;
    }
  }
  return common;
}

/// 0: the function catches nothing and cleans up nothing.
std::optional<std::uintptr_t> table_of(Bytes description) {
  Bytes at = description;
  const auto size = read<std::uint32_t>(at);
  const Bytes common_at = at - read<std::int32_t>(at);  // (the distance counts from where it stands)
  const std::optional<Common> common = read_common(common_at);
  if (size == 0xFFFFFFFF || !common || !read_address(at, common->code) || !read_address(at, common->code & kForm)) return std::nullopt;
  if (!common->is_augmented || common->table == kOmitted) return 0;
  read_uleb(at);
  if ((common->table & kIndirect) != 0) return std::nullopt;
  return read_address(at, common->table);
}

}  // namespace

bool add_catches(std::uintptr_t code, std::vector<std::uintptr_t>& catches) {
  dwarf_eh_bases bases{};
  const void* description = _Unwind_Find_FDE(reinterpret_cast<void*>(code), &bases);
  if (description == nullptr) return false;
  const std::optional<std::uintptr_t> table = table_of(static_cast<Bytes>(description));
  if (!table || *table == 0) return table.has_value();
  auto at = reinterpret_cast<Bytes>(*table);
  if (*at++ != kOmitted) return false;  // landing pads count from the function's beginning
  if (*at++ != kOmitted) read_uleb(at);  // where the types are
  if (*at++ != kUleb) return false;
  const std::uint64_t length = read_uleb(at);
  for (const Bytes end = at + length; at < end;) {
    read_uleb(at);  // the calls: their beginning, their length
    read_uleb(at);
    const std::uint64_t pad = read_uleb(at);
    read_uleb(at);  // what is done there
    if (pad != 0) catches.push_back(reinterpret_cast<std::uintptr_t>(bases.func) + pad);
  }
  return true;
}

}  // namespace ordeal::runtime
