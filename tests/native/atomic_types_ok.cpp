// EXPECT: verified 64
// b loads each of six atomics once, a stores each once, all relaxed: 2^6 = 64.
#include <atomic>
#include <cassert>
#include <thread>

struct Small {
  short a, b;
};
enum class Colour { kRed, kGreen };
int object;

std::atomic<bool> boolean;
std::atomic<float> real{0.5f};
std::atomic<double> wide{0.25};
std::atomic<int*> pointer;
std::atomic<Small> small;
std::atomic<Colour> colour;

constexpr auto relaxed = std::memory_order_relaxed;

int main() {
  std::thread a([] {
    boolean.store(true, relaxed);
    real.store(-1.5f, relaxed);
    wide.store(1e300, relaxed);
    pointer.store(&object, relaxed);
    small.store({-1, 2}, relaxed);
    colour.store(Colour::kGreen, relaxed);
  });
  std::thread b([] {
    (void)boolean.load(relaxed);
    const float f = real.load(relaxed);
    assert(f == 0.5f || f == -1.5f);
    const double d = wide.load(relaxed);
    assert(d == 0.25 || d == 1e300);
    int* p = pointer.load(relaxed);
    assert(p == nullptr || p == &object);
    const Small s = small.load(relaxed);
    assert((s.a == 0 && s.b == 0) || (s.a == -1 && s.b == 2));
    const Colour c = colour.load(relaxed);
    assert(c == Colour::kRed || c == Colour::kGreen);
  });
  a.join();
  b.join();
}
