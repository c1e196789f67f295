#include "report/value_text.h"

#include <bit>

#include <fmt/format.h>

#include "report/printable.h"

namespace ordeal::report {
namespace {

using Kind = ValueType::Kind;
constexpr std::uint32_t kByteBits = 8, kWholeSize = 8;

std::uint64_t unsigned_value(std::int64_t value, std::uint32_t size) {
  if (size == 0 || size >= kWholeSize) return static_cast<std::uint64_t>(value);
  return static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << size * kByteBits) - 1);
}

std::int64_t signed_value(std::int64_t value, std::uint32_t size) {
  if (size == 0 || size >= kWholeSize) return value;
  const std::uint32_t above = (kWholeSize - size) * kByteBits;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << above) >> above;
}

std::string float_text(std::int64_t value, std::uint32_t size) {
  if (size == sizeof(float)) return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(value)));
  if (size == sizeof(double)) return fmt::format("{}", std::bit_cast<double>(value));
  return std::to_string(value);
}

std::string enumeration_text(const ValueType& type, std::int64_t value, std::uint32_t size) {
  for (const auto& [number, name] : type.enumerators)
    if (unsigned_value(number, size) == unsigned_value(value, size)) return printable(name);
  return std::to_string(signed_value(value, size));
}

}  // namespace

namespace {

/// What the heap fills new memory with. A single byte of it may be anything.
bool is_uninitialised(std::int64_t value, std::uint32_t size) {
  constexpr std::uint64_t kPattern = 0xCDCD'CDCD'CDCD'CDCD;
  constexpr std::uint32_t kFewest = 4;
  return size >= kFewest && size <= kWholeSize && unsigned_value(value, size) == unsigned_value(static_cast<std::int64_t>(kPattern), size);
}

/// Large numbers are mostly made of parts, a count and an index, or -1.
std::string unsigned_text(std::uint64_t value) {
  constexpr std::uint64_t kLarge = std::uint64_t{1} << 32;
  return value < kLarge ? std::to_string(value) : fmt::format("{:#x}", value);
}

}  // namespace

std::string value_text(const ValueType& type, std::int64_t value, std::uint32_t size) {
  if (is_uninitialised(value, size)) return "uninitialised";
  switch (type.kind) {
    case Kind::kUnsigned: return unsigned_text(unsigned_value(value, size));
    case Kind::kBool:
      if (unsigned_value(value, size) <= 1) return unsigned_value(value, size) == 1 ? "true" : "false";
      break;
    case Kind::kPointer: return value == 0 ? "nullptr" : fmt::format("{:#x}", unsigned_value(value, size));
    case Kind::kFloat: return float_text(value, size);
    case Kind::kEnumeration: return enumeration_text(type, value, size);
    case Kind::kSigned:
    case Kind::kUnknown: break;
  }
  return std::to_string(signed_value(value, size));
}

}  // namespace ordeal::report
