// EXPECT: verified
//
// wakeup_bug.cpp with the flag set under the mutex: the waiter holds it from its look at the flag until it sleeps. The flag
// need not be atomic any more. The notification may come after the mutex is free.
//
// Ordeal says: verified.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool work = false;

void consume() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return work; });
}

void produce() {
  {
    std::lock_guard lock(mutex);
    work = true;
  }
  changed.notify_one();
}

int main() {
  std::thread consumer(consume);
  std::thread producer(produce);
  consumer.join();
  producer.join();
}
