// Memory that is taken and freed at once: two threads, a million times each.
#include <cstdlib>
#include <thread>

namespace {

void take_and_free() {
  for (std::size_t i = 0; i < 1'000'000; ++i) {
    void* block = std::malloc(32 + i * 32 % 256);
    asm volatile("" : : "r"(block) : "memory");  // it is used
    std::free(block);
  }
}

}  // namespace

int main() {
  std::thread a(take_and_free), b(take_and_free);
  a.join();
  b.join();
}
