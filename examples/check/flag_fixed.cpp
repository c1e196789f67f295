// EXPECT: verified
//
// flag_bug.cpp with an atomic flag. Atomic accesses never race with each other.
//
// Ordeal says: verified.
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<bool> ready = false;

int main() {
  std::thread worker([] {
    if (ready) std::puts("working");
  });
  ready = true;
  worker.join();
}
