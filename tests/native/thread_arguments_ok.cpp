// EXPECT: verified 1
// Nothing shared is written by two threads, and no operation has a choice: one class.
#include <cassert>
#include <string>
#include <thread>
#include <utility>

void add(int a, int b, int& sum) { sum = a + b; }

struct Counter {
  int value = 0;
  void add(int n) { value += n; }
};

int main() {
  int sum = 0;
  Counter counter;
  std::string text;
  std::thread a(add, 2, 3, std::ref(sum));
  std::thread b(&Counter::add, &counter, 7);
  std::thread c([&text, word = std::string("hello")] { text = word + " world"; });
  std::thread moved = std::move(a);
  assert(!a.joinable() && moved.joinable());
  moved.join();
  b.join();
  c.join();
  assert(sum == 5 && counter.value == 7 && text == "hello world");
}
