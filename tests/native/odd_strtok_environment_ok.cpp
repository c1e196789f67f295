// EXPECT: verified 1
// Small functions of libc.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>

int main() {
  std::thread a([] {
    char text[] = "one two";
    assert(std::strcmp(std::strtok(text, " "), "one") == 0);
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%d-%s-%.2f", 5, "x", 0.5);
    assert(std::strcmp(buffer, "5-x-0.50") == 0);
    assert(std::atoi("12") == 12 && std::strtod("0.5", nullptr) == 0.5);
    setenv("ORDEAL_TEST_NAME", "value", 1);
    assert(std::strcmp(std::getenv("ORDEAL_TEST_NAME"), "value") == 0);
  });
  a.join();
  const std::time_t now = std::time(nullptr);
  assert(std::localtime(&now) != nullptr);
}
