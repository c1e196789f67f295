// EXPECT: bug data-race value
// A thread that a static initialiser starts.
#include <thread>

int value = 1;
std::thread early([] { ++value; });  // BUG

int main() {
  ++value;  // BUG
  early.join();
}
