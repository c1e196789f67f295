// A number for what memory holds, so long that nothing is equal by chance.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ordeal::runtime {

/// Two sums.
struct Digest {
  std::uint64_t first = 0x243F6A8885A308D3, second = 0x13198A2E03707344;

  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; i += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes + i, size - i < sizeof word ? size - i : sizeof word);
      add(word);
    }
  }
  void add(std::uint64_t word) {
    first = (first ^ word) * 0x9E3779B97F4A7C15;
    first ^= first >> 29;
    second = (second + word) * 0xC2B2AE3D27D4EB4F;
    second ^= second >> 31;
  }
  auto operator<=>(const Digest&) const = default;
};

/// Memory of the program.
struct Range {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
  bool is_written = false, is_atomic = false;  // how it is accessed
  /// What it holds; of atomic objects the graph knows that.
  void add_to(Digest& digest) const {
    digest.add(begin);
    if (!is_atomic) digest.add(reinterpret_cast<const void*>(begin), size);
  }
  Digest content() const {
    Digest digest;
    add_to(digest);
    return digest;
  }
  bool overlaps(const Range& other) const { return begin < other.begin + other.size && other.begin < begin + size; }
  bool conflicts_with(const Range& other) const { return (is_written || other.is_written) && !(is_atomic && other.is_atomic) && overlaps(other); }
  bool operator==(const Range&) const = default;
};

}  // namespace ordeal::runtime
