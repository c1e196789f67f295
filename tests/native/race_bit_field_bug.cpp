// EXPECT: bug data-race flags
// Neighbouring bit-fields are one memory location.
#include <thread>

struct Flags {
  unsigned a : 4, b : 4;
} flags;

int main() {
  std::thread t([] { flags.a = 1; });  // BUG
  flags.b = 2;  // BUG
  t.join();
}
