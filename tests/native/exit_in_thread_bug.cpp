// EXPECT: bug exit-code 5
#include <cstdlib>
#include <thread>

int main() {
  std::thread a([] { std::exit(5); });  // BUG
  a.join();
}
