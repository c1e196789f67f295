// The unbounded queue for one producer and one consumer of Relacy's examples, in CDSChecker's benchmarks (Norris and Demsky,
// OOPSLA 2013): a list, whose first node has been consumed, and an event count at which the consumer sleeps.
#pragma once
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>

// Who waits sets the highest bit and sleeps if nothing was signalled since; who signals counts up and wakes if the bit is
// set.
class EventCount {
 public:
  EventCount() { count_.store(0); }

  unsigned get() { return count_.fetch_or(kWaits) & ~kWaits; }

  void wait(unsigned since) {
    if ((count_.load() & ~kWaits) != since) return;
    std::unique_lock lock(guard_);
    if ((count_.load() & ~kWaits) != since) return;
    ++waiters_;
    changed_.wait(lock);
  }

  void signal() { wake(count_.fetch_add(0)); }
  void signal_relaxed() { wake(count_.load(std::memory_order_relaxed)); }

 private:
  static constexpr unsigned kWaits = 0x80000000;

  void wake(unsigned count) {
    if ((count & kWaits) == 0) return;
    std::unique_lock lock(guard_);
    while (!count_.compare_exchange_weak(count, (count + 1) & ~kWaits, std::memory_order_relaxed)) {
    }
    const unsigned waiters = waiters_;
    waiters_ = 0;
    lock.unlock();
    if (waiters != 0) changed_.notify_all();
  }

  std::atomic<unsigned> count_;
  unsigned waiters_ = 0;
  std::mutex guard_;
  std::condition_variable changed_;
};

template <void (EventCount::*kSignal)()>
class SpscQueue {
 public:
  SpscQueue() : last_(new Node(0)), first_(last_) {}
  SpscQueue(const SpscQueue&) = delete;
  ~SpscQueue() {
    assert(last_ == first_);
    delete last_;
  }

  void enqueue(int value) {
    Node* const node = new Node(value);
    last_->next.store(node, std::memory_order_release);
    last_ = node;
    (changed_.*kSignal)();
  }

  // Waits for a value; no value is 0.
  int dequeue() {
    int value = try_dequeue();
    while (value == 0) {
      const unsigned since = changed_.get();
      value = try_dequeue();
      if (value != 0) break;
      changed_.wait(since);
      value = try_dequeue();
    }
    return value;
  }

 private:
  struct Node {
    explicit Node(int value) : value(value) { next.store(nullptr); }
    std::atomic<Node*> next;
    int value;
  };

  int try_dequeue() {
    Node* const consumed = first_;
    Node* const node = consumed->next.load(std::memory_order_acquire);
    if (node == nullptr) return 0;
    const int value = node->value;
    delete consumed;
    first_ = node;
    return value;
  }

  Node* last_;   // the producer's
  Node* first_;  // the consumer's; the value behind it is next
  EventCount changed_;
};
