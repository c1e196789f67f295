// The driver of the scaling families: starts threads 0 … Count - 1, each with its number, and waits for all of them.
#pragma once

#include <thread>

template <int Count, class Work>
void run_threads(Work work) {
  std::thread threads[Count];
  for (int i = 0; i < Count; ++i) threads[i] = std::thread(work, i);
  for (std::thread& thread : threads) thread.join();
}
