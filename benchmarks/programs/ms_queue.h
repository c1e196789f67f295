// The queue of Michael and Scott, from CDSChecker's benchmarks (Norris and Demsky, OOPSLA 2013), in the versions of
// CDSChecker, AutoMO and CDSSpec. Pointers are indices of nodes, each with a count against its reuse; every thread has nodes
// of its own, and keeps those that it took out of the queue.
#pragma once
#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <thread>
#include <utility>

// The repaired orders: the two that AutoMO found to be too weak in CDSChecker's version, relaxed there, are release and
// acquire.
struct RepairedOrders {
  static constexpr auto kEndNode = std::memory_order_release;   // enqueue: a new node has no successor
  static constexpr auto kLoadTail = std::memory_order_acquire;  // dequeue
};

template <class Orders, unsigned kThreads = 2>
class MsQueue {
 public:
  MsQueue() : nodes_(static_cast<Node*>(std::malloc(kNodes * sizeof(Node)))) {
    for (unsigned thread = 0; thread < kThreads; ++thread)
      for (unsigned i = 0; i < 2; ++i) {
        const unsigned node = 2 + 4 * thread + i;
        free_[thread][i] = node;
        std::construct_at(&nodes_[node].next, pointer(kPoison, 0));
      }
    std::construct_at(&nodes_[kFirst].next, pointer(kNull, 0));
  }
  MsQueue(const MsQueue&) = delete;
  ~MsQueue() { std::free(nodes_); }

  void enqueue(unsigned thread, unsigned value) {
    const unsigned node = new_node(thread);
    nodes_[node].value = value;
    const Pointer old = nodes_[node].next.load(std::memory_order_relaxed);
    nodes_[node].next.store(pointer(kNull, count(old)), Orders::kEndNode);
    Pointer tail;
    for (;;) {
      tail = tail_.load(std::memory_order_acquire);
      std::atomic<Pointer>& tail_next = nodes_[index(tail)].next;
      Pointer next = tail_next.load(std::memory_order_acquire);
      if (tail != tail_.load(std::memory_order_relaxed)) continue;
      assert(index(next) != kPoison);
      if (index(next) == kNull && replace(tail_next, next, node)) break;
      replace(tail_, tail, index(tail_next.load(std::memory_order_acquire)));
      std::this_thread::yield();
    }
    replace(tail_, tail, node);
  }

  bool dequeue(unsigned thread, unsigned& value) {
    for (;;) {
      const Pointer head = head_.load(std::memory_order_acquire);
      const Pointer tail = tail_.load(Orders::kLoadTail);
      const Pointer next = nodes_[index(head)].next.load(std::memory_order_acquire);
      if (head != head_.load(std::memory_order_relaxed)) continue;
      if (index(head) == index(tail)) {
        assert(index(next) != kPoison);
        if (index(next) == kNull) return false;
        replace(tail_, tail, index(next));
        std::this_thread::yield();
      } else {
        value = nodes_[index(next)].value;
        if (replace(head_, head, index(next))) {
          reclaim(thread, index(head));
          return true;
        }
        std::this_thread::yield();
      }
    }
  }

 private:
  using Pointer = std::uint64_t;  // count, index
  struct Node {
    unsigned value;
    std::atomic<Pointer> next;
  };
  static constexpr unsigned kNodes = 16, kNull = 0, kFirst = 1, kPoison = 0x666, kFree = 4;

  static Pointer pointer(unsigned index, unsigned count) { return Pointer{count} << 32 | index; }
  static unsigned index(Pointer pointer) { return static_cast<unsigned>(pointer); }
  static unsigned count(Pointer pointer) { return static_cast<unsigned>(pointer >> 32); }

  static bool replace(std::atomic<Pointer>& place, Pointer old, unsigned node) {
    return place.compare_exchange_strong(old, pointer(node, count(old) + 1), std::memory_order_release,
                                         std::memory_order_relaxed);
  }

  unsigned new_node(unsigned thread) { return exchange_free(thread, true, 0); }
  void reclaim(unsigned thread, unsigned node) {
    assert(node != kNull);
    exchange_free(thread, false, node);
  }
  // Finds the thread's first entry that is used (or not) and puts another one in its place.
  unsigned exchange_free(unsigned thread, bool used, unsigned node) {
    for (unsigned& entry : free_[thread])
      if ((entry != 0) == used) return std::exchange(entry, node);
    assert(!"no such entry");
    return 0;
  }

  Node* const nodes_;  // not initialised but for what the constructor does
  std::atomic<Pointer> head_{pointer(kFirst, 0)}, tail_{pointer(kFirst, 0)};
  unsigned free_[kThreads][kFree] = {};
};
