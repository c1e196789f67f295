// EXPECT: verified 70
// All that set-up leaves behind is there again in each execution: globals, the heap, thread-local storage, a key, an exit handler, an
// exception on its way, random numbers. Two threads store and load x four times each: 8 over 4 ways to place the
// loads among the values 0 … 4, that is 70. (What the loads give is used: otherwise they may be alike, src/runtime/loops.)
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

std::atomic<int> x;
int global = 1, values;
thread_local int local = 2;
pthread_key_t key;
int exits;

int main() {
  std::map<int, std::string> names;
  for (int i = 0; i < 20; ++i) names[i] = std::string(30, static_cast<char>('a' + i));
  auto shared = std::make_shared<std::vector<int>>(100, 7);
  std::srand(5);
  const int first = std::rand();
  global = 10;
  local = 20;
  assert(pthread_key_create(&key, nullptr) == 0);
  pthread_setspecific(key, &names);
  std::atexit([] { assert(++exits == 1); });
  try {
    throw 5;
  } catch (int& caught) {
    std::thread writer([&] {
      assert(local == 2 && ++global == 11 && names.size() == 20 && names[3] == std::string(30, 'd'));
      names.erase(3);
      shared->at(5) = 8;
      caught = 6;
      for (int i = 1; i <= 4; ++i) x.store(i, std::memory_order_relaxed);
      names[30] = "new";
      shared.reset();
    });
    std::thread reader([] {
      assert(local == 2 && pthread_getspecific(key) == nullptr);
      local = 3;
      int seen = 0;
      for (int i = 1; i <= 4; ++i) seen = 8 * seen + x.load(std::memory_order_relaxed);
      values = seen;
      assert(local == 3);
    });
    writer.join();
    reader.join();
    assert(caught == 6);
  }
  assert(global == 11 && local == 20 && pthread_getspecific(key) == &names && names.size() == 20 && shared == nullptr);
  std::srand(5);
  assert(std::rand() == first);
}
