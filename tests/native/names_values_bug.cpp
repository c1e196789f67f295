// EXPECT: bug assertion
// SHOWS: number: -3 -> -4 sc
// SHOWS: natural: 4000000000 sc
// SHOWS: ready = true sc
// SHOWS: colour = kGreen sc
// SHOWS: real = -2.25 sc
// SHOWS: head: nullptr sc
// SHOWS: local[1] = -9 sc
// Values are written as their types have them.
#include <atomic>
#include <cassert>
#include <thread>

enum class Colour { kRed, kGreen = 5 };
struct Node {
  int value;
  std::atomic<Node*> next{nullptr};
};

std::atomic<int> number{-3};
std::atomic<unsigned> natural{4000000000U};
std::atomic<bool> ready;
std::atomic<Colour> colour;
std::atomic<double> real;
std::atomic<Node*> head;

int main() {
  std::atomic<short> local[2] = {{1}, {2}};
  std::thread a([&local] {
    number.fetch_add(-1);
    natural.load();
    ready.store(true);
    colour.store(Colour::kGreen);
    real.store(-2.25);
    head.load();
    local[1].store(-9);
  });
  a.join();
  assert(false);  // BUG
}
