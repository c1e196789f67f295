// Sets of events and binary relations on events, as bit matrices. Small and plain: the oracle is for reading.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace ordeal::oracle {

/// An execution has at most this many events (with the initial writes); larger ones make the oracle give up.
constexpr int kMaxEvents = 64;

/// A set of events: event e is in it iff bit e is 1.
using Set = std::uint64_t;

constexpr Set singleton(int event) { return Set{1} << event; }
constexpr bool contains(Set set, int event) { return (set >> event & 1) != 0; }
/// The events 0 … size-1.
constexpr Set all_events(int size) { return size == kMaxEvents ? ~Set{0} : singleton(size) - 1; }

/// A relation on the events 0 … size-1. Row a holds the successors of a.
struct Relation {
  explicit Relation(int event_count) : size(event_count) {
    for (int a = 0; a < size; ++a) row[a] = 0;
  }
  bool operator()(int a, int b) const { return contains(row[a], b); }
  void add(int a, int b) { row[a] |= singleton(b); }

  int size;
  std::array<Set, kMaxEvents> row;  // NOLINT: only the first `size` rows are used
};

/// Union.
inline Relation operator|(Relation left, const Relation& right) {
  for (int a = 0; a < left.size; ++a) left.row[a] |= right.row[a];
  return left;
}

/// Intersection.
inline Relation operator&(Relation left, const Relation& right) {
  for (int a = 0; a < left.size; ++a) left.row[a] &= right.row[a];
  return left;
}

/// Difference.
inline Relation operator-(Relation left, const Relation& right) {
  for (int a = 0; a < left.size; ++a) left.row[a] &= ~right.row[a];
  return left;
}

/// Composition, `left ; right`: a to c iff there is a b with left(a, b) and right(b, c).
inline Relation operator*(const Relation& left, const Relation& right) {
  Relation result(left.size);
  for (int a = 0; a < left.size; ++a)
    for (Set rest = left.row[a]; rest != 0; rest &= rest - 1) result.row[a] |= right.row[std::countr_zero(rest)];
  return result;
}

/// `[set]`: the identity on a set.
inline Relation identity(int size, Set set) {
  Relation result(size);
  for (int a = 0; a < size; ++a)
    if (contains(set, a)) result.add(a, a);
  return result;
}

/// All pairs of an element of `from` and an element of `to`.
inline Relation product(int size, Set from, Set to) {
  Relation result(size);
  for (int a = 0; a < size; ++a)
    if (contains(from, a)) result.row[a] = to;
  return result;
}

/// `relation?`: the relation or nothing.
inline Relation optional(Relation relation) {
  for (int a = 0; a < relation.size; ++a) relation.add(a, a);
  return relation;
}

inline Relation inverse(const Relation& relation) {
  Relation result(relation.size);
  for (int a = 0; a < relation.size; ++a)
    for (int b = 0; b < relation.size; ++b)
      if (relation(a, b)) result.add(b, a);
  return result;
}

inline Relation without_identity(Relation relation) {
  for (int a = 0; a < relation.size; ++a) relation.row[a] &= ~singleton(a);
  return relation;
}

/// `relation+`, the transitive closure (Warshall).
inline Relation closure(Relation relation) {
  for (int middle = 0; middle < relation.size; ++middle)
    for (int a = 0; a < relation.size; ++a)
      if (relation(a, middle)) relation.row[a] |= relation.row[middle];
  return relation;
}

inline bool irreflexive(const Relation& relation) {
  for (int a = 0; a < relation.size; ++a)
    if (relation(a, a)) return false;
  return true;
}

inline bool acyclic(const Relation& relation) { return irreflexive(closure(relation)); }

inline bool is_empty(const Relation& relation) {
  for (int a = 0; a < relation.size; ++a)
    if (relation.row[a] != 0) return false;
  return true;
}

}  // namespace ordeal::oracle
