// EXPECT: verified 1
// The two ranges do not overlap.
#include <cstring>
#include <thread>

char buffer[64];

int main() {
  std::thread a([] { std::memcpy(buffer, "0123456789", 10); });
  char copy[16];
  std::memcpy(copy, buffer + 10, 16);
  a.join();
}
