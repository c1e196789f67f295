// EXPECT: bug data-race
#include <string>
#include <thread>

std::string text = "short";

int main() {
  std::thread a([] { text[0] = 'S'; });
  const char last = text[0];
  a.join();
  return last == 0;
}
