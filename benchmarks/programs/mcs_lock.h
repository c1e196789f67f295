// The lock of Mellor-Crummey and Scott, from CDSChecker's benchmarks (Norris and Demsky, OOPSLA 2013): threads queue up, each
// waits at the gate of its own node. CDSSpec's version weakens the operation that takes the last node out of the queue, the broken one of
// ../testing the loads in waiting loops.
#pragma once
#include <atomic>
#include <thread>

template <std::memory_order kLeave = std::memory_order_acq_rel, std::memory_order kWait = std::memory_order_acquire>
class McsMutex {
  struct Node {
    Node() {
      next.store(nullptr);
      gate.store(0);
    }
    std::atomic<Node*> next;
    std::atomic<int> gate;  // 1: wait
  };

 public:
  McsMutex() { tail_.store(nullptr); }

  // Holds the mutex; may give it up and take it again.
  class Guard {
   public:
    explicit Guard(McsMutex& mutex) : mutex_(mutex) { lock(); }
    Guard(const Guard&) = delete;
    ~Guard() { unlock(); }

    void lock() { mutex_.lock(node_); }
    void unlock() { mutex_.unlock(node_); }

   private:
    McsMutex& mutex_;
    Node node_;
  };

 private:
  void lock(Node& me) {
    me.next.store(nullptr, std::memory_order_relaxed);
    me.gate.store(1, std::memory_order_relaxed);
    Node* const before = tail_.exchange(&me, std::memory_order_acq_rel);
    if (before == nullptr) return;
    before->next.store(&me, std::memory_order_release);
    while (me.gate.load(kWait) != 0) std::this_thread::yield();
  }

  void unlock(Node& me) {
    Node* behind = me.next.load(std::memory_order_acquire);
    if (behind == nullptr) {
      Node* last = &me;
      if (tail_.compare_exchange_strong(last, nullptr, kLeave)) return;
      while ((behind = me.next.load(kWait)) == nullptr) std::this_thread::yield();
    }
    behind->gate.store(0, std::memory_order_release);
  }

  std::atomic<Node*> tail_;
};
