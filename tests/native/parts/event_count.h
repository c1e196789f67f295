// One thread makes something and signals it; another sleeps until it is there (event_count_ok.cpp).
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

constexpr unsigned kWaits = 0x80000000;
std::atomic<bool> is_there;
std::atomic<unsigned> number;  // of signals; and whether somebody waits
std::mutex guard;
std::condition_variable changed;
unsigned waiters;
int sleeps, turns;

inline void produce() {
  is_there.store(true, std::memory_order_release);
  unsigned old = number.fetch_add(0);
  if ((old & kWaits) == 0) return;
  std::unique_lock lock(guard);
  while (!number.compare_exchange_strong(old, (old + 1) & ~kWaits, std::memory_order_relaxed)) {
  }
  const unsigned sleepers = waiters;
  waiters = 0;
  lock.unlock();
  if (sleepers != 0) changed.notify_all();
}

inline void wait(unsigned since) {
  if ((number.load() & ~kWaits) != since) return;
  std::unique_lock lock(guard);
  if ((number.load() & ~kWaits) != since) return;
  ++waiters;
  ++sleeps;
  changed.wait(lock);
}

inline void consume() {
  while (!is_there.load(std::memory_order_acquire)) {
    const unsigned since = number.fetch_or(kWaits) & ~kWaits;
    if (is_there.load(std::memory_order_acquire)) return;
    wait(since);
    ++turns;
  }
}

inline void run_once() {
  std::thread producer(produce), consumer(consume);
  producer.join();
  consumer.join();
}
