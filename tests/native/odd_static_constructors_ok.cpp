// EXPECT: verified 1
// Output and threads before main, destructors and exit handlers after it, anew in each execution.
#include <cassert>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>

int order;
struct Early {
  std::string name = "a name that is too long for the object itself";
  Early() {
    std::cout << "early " << name << std::endl;
    assert(order++ == 0);
    std::thread([this] { name += "!"; }).join();
  }
  ~Early() {
    std::cout << "late" << std::endl;
    assert(order == 3 && name.back() == '!');
  }
} early;

int main() {
  assert(order++ == 1);
  std::atexit([] { assert(order++ == 2); });
}
