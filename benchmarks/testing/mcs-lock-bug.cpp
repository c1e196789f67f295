// The loads in waiting loops are relaxed: who waited for the lock need not see what the one before did.
#include "../programs/mcs_twice.h"

int shared;

int main() {
  auto load = [] {
    const int value = shared;
    asm volatile("" ::"r"(value));
  };
  auto store = [] { shared = 17; };
  lock_twice_in_two_threads<McsMutex<std::memory_order_acq_rel, std::memory_order_relaxed>>(load, store);
}
