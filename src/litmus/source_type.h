// C types as a litmus test writes them: `volatile atomic_int*`, `_Atomic(int*)*`, `unsigned long`.
#pragma once

#include <cstdint>
#include <string_view>

#include "litmus/ast.h"

namespace ordeal::litmus {

class TokenCursor;

/// A type with what the tree does not keep: which levels of a pointer are atomic. So it is known whether what `p` points
/// to is atomic.
struct SourceType {
  int bits = 32;
  bool is_signed = true;
  bool is_bool = false;
  bool is_void = false;
  bool is_volatile = false;
  int pointers = 0;
  std::uint32_t atomic_levels = 0;  // bit n: what n levels of `*` lead away from the innermost type is atomic

  bool is_pointer() const { return pointers > 0; }
  bool is_atomic_object() const { return (atomic_levels >> pointers & 1) != 0; }
  /// What this points to; `int` if it is no pointer (an address may be kept in an integer).
  SourceType pointee() const;
  SourceType pointer_to() const;
  /// The type of this in an arithmetic expression: at least as wide as `int`, without qualifiers.
  SourceType promoted() const;
  Type type() const;
  bool operator==(const SourceType&) const = default;
};

SourceType integer_type(int bits);  // signed
SourceType pointer_type();          // int*

/// Whether `name` can begin a type, supported or not.
bool is_type_word(std::string_view name);

/// A type up to its first `*`. Fails on types that are not supported, by name.
SourceType parse_base_type(TokenCursor& cursor);
/// `*`, `* const` … behind `base`.
SourceType parse_pointers(TokenCursor& cursor, SourceType base);

}  // namespace ordeal::litmus
