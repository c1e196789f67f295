// EXPECT: bug deadlock
//
// A thread waits on a condition variable until there is work. The other one sets the flag without the mutex. It can do so between
// the waiter's look at the flag and its wait: the notification wakes nobody, and the waiter sleeps for ever. The flag is atomic,
// so there is no data race.
//
// Ordeal says: deadlock, main waits for a thread that waits for a notification.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
std::atomic<bool> work = false;

void consume() {
  std::unique_lock lock(mutex);
  while (!work) changed.wait(lock);
}

void produce() {
  work = true;
  changed.notify_one();
}

int main() {
  std::thread consumer(consume);
  std::thread producer(produce);
  consumer.join();
  producer.join();
}
