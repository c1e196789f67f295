// The driver of mcs-lock: two threads lock twice each; one stores, then loads, the other one loads, then stores.
#pragma once
#include "mcs_lock.h"

template <class Mutex, class Load, class Store>
void lock_twice_in_two_threads(Load load, Store store) {
  Mutex mutex;
  auto twice = [&](auto first, auto second) {
    typename Mutex::Guard guard(mutex);
    first();
    guard.unlock();
    guard.lock();
    second();
  };
  std::thread a([&] { twice(store, load); });
  std::thread b([&] { twice(load, store); });
  a.join();
  b.join();
}
