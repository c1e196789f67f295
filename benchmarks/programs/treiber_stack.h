// Treiber's stack, twice. CountedStack has its nodes in an array, and a count beside each index (against ABA); LinkedStack has nodes on
// the heap, and never frees them.
#pragma once

#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>

// An index of a node, 0 for none, and a count that makes it another word each time.
struct Counted {
  std::uint32_t index = 0, count = 0;
  bool operator==(const Counted&) const = default;
};

class CountedStack {
 public:
  CountedStack() {
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      for (std::uint32_t i = 0; i < 2; ++i) {
        free_[thread][i] = 1 + 4 * thread + i;
        nodes_[free_[thread][i]].next.store({kPoison}, std::memory_order_relaxed);
      }
    }
  }

  void push(unsigned thread, int value) {
    const std::uint32_t index = new_node(thread);
    Node& node = nodes_[index];
    node.value = value;
    Counted old;
    do {
      old = top_.load(std::memory_order_acquire);
      node.next.store(old, std::memory_order_relaxed);
    } while (!replace_top(old, index));
  }

  // 0: the stack was empty.
  int pop(unsigned thread) {
    Counted old, next;
    do {
      old = top_.load(std::memory_order_acquire);
      if (old.index == 0) return 0;
      next = nodes_[old.index].next.load(std::memory_order_relaxed);
    } while (!replace_top(old, next.index));
    const int value = nodes_[old.index].value;
    reclaim(thread, old.index);
    return value;
  }

 private:
  struct Node {
    int value = 0;
    std::atomic<Counted> next;
  };

  static constexpr unsigned kThreads = 4;
  static constexpr std::uint32_t kPoison = 0x666;

  bool replace_top(Counted old, std::uint32_t index) {
    return top_.compare_exchange_strong(old, Counted{index, old.count + 1}, std::memory_order_release,
                                        std::memory_order_relaxed);
  }

  std::uint32_t new_node(unsigned thread) {
    for (std::uint32_t& place : free_[thread]) {
      if (place == 0) continue;
      const std::uint32_t index = place;
      place = 0;
      return index;
    }
    assert(!"no node is free");
    return 0;
  }

  void reclaim(unsigned thread, std::uint32_t index) {
    for (std::uint32_t& place : free_[thread]) {
      if (place != 0) continue;
      place = index;
      return;
    }
    assert(!"no place for a free node");
  }

  std::atomic<Counted> top_;
  std::array<Node, 16> nodes_;
  std::array<std::array<std::uint32_t, 4>, kThreads> free_{};  // each thread's own
};

class LinkedStack {
 public:
  void push(int value) {
    Node* node = new Node(value);
    Node* old = top_.load(std::memory_order_relaxed);
    do {
      node->next.store(old, std::memory_order_relaxed);
    } while (!top_.compare_exchange_strong(old, node, std::memory_order_release, std::memory_order_relaxed));
  }

  // 0: the stack was empty.
  int pop() {
    Node* old = top_.load(std::memory_order_acquire);
    for (;;) {
      if (old == nullptr) return 0;
      Node* next = old->next.load(std::memory_order_relaxed);
      if (top_.compare_exchange_strong(old, next, std::memory_order_relaxed)) return old->value;
    }
  }

 private:
  struct Node {
    explicit Node(int value) : value(value) { next = nullptr; }
    const int value;
    std::atomic<Node*> next;
  };

  std::atomic<Node*> top_ = nullptr;
};
