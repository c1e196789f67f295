// EXPECT: verified
// exit in a thread ends the program, handlers included, while main waits.
#include <cstdlib>
#include <thread>

int main() {
  std::thread a([] { std::exit(0); });
  a.join();
  std::abort();
}
