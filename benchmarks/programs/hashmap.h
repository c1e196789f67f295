// A hash map in the manner of Doug Lea's: a chain of entries for each bucket. Who changes a chain locks its segment; who reads it
// locks only if nothing was found. As many segments as buckets, so a bucket is a segment.
#pragma once

#include <array>
#include <atomic>
#include <mutex>

// The keys of the papers' drivers.
struct Point {
  int x, y, z;
  bool operator==(const Point&) const = default;
};

constexpr unsigned hash(const Point& point) {
  const unsigned code = point.x + 31u * point.y + 961u * point.z;
  return (code << 7) - code + (code >> 9) + (code >> 17);
}

// The keys of CDSSpec's drivers.
constexpr unsigned hash(int key) { return key; }

// A value that is false means "none".
template <class Key, class Value>
class HashMap {
 public:
  Value get(const Key& key) {
    const unsigned code = hash(key);
    Bucket& bucket = buckets_[slot(code)];
    Entry* first = bucket.first.load(std::memory_order_acquire);
    const Entry* found = find(first, key, code);
    if (found != nullptr) {
      if (Value value = found->value.load()) return value;
    }
    std::lock_guard lock(bucket.mutex);
    Entry* now = bucket.first.load(std::memory_order_relaxed);
    if (found == nullptr && now == first) return Value{};
    found = find(now, key, code);
    return found != nullptr ? found->value.load(std::memory_order_relaxed) : Value{};
  }

  // Returns the old value.
  Value put(const Key& key, Value value) {
    const unsigned code = hash(key);
    Bucket& bucket = buckets_[slot(code)];
    std::lock_guard lock(bucket.mutex);
    Entry* first = bucket.first.load(std::memory_order_relaxed);
    if (Entry* found = find(first, key, code)) {
      Value old = found->value.load(std::memory_order_relaxed);
      found->value.store(value);
      return old;
    }
    bucket.first.store(new Entry(key, code, value, first), std::memory_order_release);
    return Value{};
  }

  static constexpr unsigned slot(unsigned code) { return code % kBuckets; }

 private:
  struct Entry {
    Entry(const Key& key, unsigned code, Value first_value, Entry* next_entry) : key(key), code(code) {
      value.store(first_value, std::memory_order_relaxed);
      next.store(next_entry, std::memory_order_relaxed);
    }
    const Key key;
    const unsigned code;
    std::atomic<Value> value;
    std::atomic<Entry*> next;
  };

  struct Bucket {
    std::mutex mutex;
    std::atomic<Entry*> first = nullptr;
  };

  static Entry* find(Entry* entry, const Key& key, unsigned code) {
    while (entry != nullptr && !(entry->code == code && entry->key == key))
      entry = entry->next.load(std::memory_order_relaxed);
    return entry;
  }

  static constexpr unsigned kBuckets = 16;
  std::array<Bucket, kBuckets> buckets_;
};
