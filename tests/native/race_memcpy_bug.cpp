// EXPECT: bug data-race buffer
#include <cstring>
#include <thread>

char buffer[64];

int main() {
  std::thread a([] { std::memcpy(buffer, "0123456789", 10); });  // BUG
  char copy[16];
  std::memcpy(copy, buffer + 8, 16);  // BUG
  a.join();
}
