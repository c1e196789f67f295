// A lock-free hash table in the manner of Cliff Click's, without its way to grow: keys and values are pointers in one array, each set by
// compare-exchange, with linear probing. The full hashes beside them spare comparisons; one that is still 0 says nothing.
#pragma once

#include <array>
#include <atomic>
#include <cassert>

template <class Key, class Value, int size>
class HashTable {
 public:
  HashTable() {
    for (Slot& slot : table_.slots) {
      slot.key.store(nullptr, std::memory_order_relaxed);
      slot.value.store(nullptr, std::memory_order_relaxed);
      slot.hash.store(0, std::memory_order_relaxed);
    }
    table_.larger.store(nullptr, std::memory_order_relaxed);
    table_.values_used.store(0, std::memory_order_relaxed);
    table_.keys_used.store(0, std::memory_order_relaxed);
    current_.store(&table_, std::memory_order_relaxed);
  }

  const Value* get(const Key& key) const {
    const Table& table = *current_.load(std::memory_order_acquire);
    const unsigned code = hash(key);
    for (unsigned index = code % size, probes = 0; probes < kProbes; index = (index + 1) % size, ++probes) {
      const Slot& slot = table.slots[index];
      const Key* there = slot.key.load(std::memory_order_relaxed);
      const Value* value = slot.value.load(std::memory_order_acquire);
      if (there == nullptr) return nullptr;
      if (is_equal(slot, there, key, code)) return value;
    }
    assert(table.larger.load(std::memory_order_acquire) == nullptr);
    return nullptr;
  }

  // Both must live as long as the table. Returns the old value.
  const Value* put(const Key* key, const Value* value) {
    Table& table = *current_.load(std::memory_order_acquire);
    Slot& slot = slot_for(table, key);
    const Value* old = slot.value.load(std::memory_order_acquire);
    assert(table.larger.load(std::memory_order_acquire) == nullptr);
    while (!slot.value.compare_exchange_strong(old, value, std::memory_order_acq_rel, std::memory_order_relaxed))
      old = slot.value.load(std::memory_order_acquire);
    if (old == nullptr) table.values_used.fetch_add(1, std::memory_order_relaxed);
    return old;
  }

 private:
  struct Slot {
    std::atomic<const Key*> key;
    std::atomic<const Value*> value;
    std::atomic<unsigned> hash;
  };

  struct Table {
    std::array<Slot, size> slots;
    std::atomic<Table*> larger;
    std::atomic<int> keys_used, values_used;
  };

  static constexpr unsigned kProbes = 10;

  static unsigned hash(const Key& key) {
    unsigned h = key.hash_code();
    h += (h << 15) ^ 0xffffcd7d;
    h ^= h >> 10;
    h += h << 3;
    h ^= h >> 6;
    h += (h << 2) + (h << 14);
    return h ^ (h >> 16);
  }

  static bool is_equal(const Slot& slot, const Key* there, const Key& key, unsigned code) {
    if (there == &key) return true;
    const unsigned known = slot.hash.load(std::memory_order_relaxed);
    return (known == 0 || known == code) && *there == key;
  }

  // The slot that has the key, now at the latest.
  static Slot& slot_for(Table& table, const Key* key) {
    const unsigned code = hash(*key);
    for (unsigned index = code % size, probes = 0; probes < kProbes + size / 4; index = (index + 1) % size, ++probes) {
      Slot& slot = table.slots[index];
      const Key* there = slot.key.load(std::memory_order_relaxed);
      if (there == nullptr) {
        if (slot.key.compare_exchange_strong(there, key, std::memory_order_relaxed)) {
          table.keys_used.fetch_add(1, std::memory_order_relaxed);
          slot.hash.store(code, std::memory_order_relaxed);
          return slot;
        }
        there = slot.key.load(std::memory_order_relaxed);
        assert(there != nullptr);
      }
      if (is_equal(slot, there, *key, code)) return slot;
    }
    assert(!"the table is never full");
    return table.slots[0];
  }

  Table table_;
  std::atomic<Table*> current_;
};
