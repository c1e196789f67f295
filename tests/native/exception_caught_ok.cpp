// EXPECT: verified 2
// Exceptions are in flight in both threads while the other one runs; the two additions have two orders.
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <string>
#include <thread>

std::atomic<int> x;

struct AddAtUnwinding {
  ~AddAtUnwinding() { x.fetch_add(1); }
};

void run(const char* name) {
  try {
    AddAtUnwinding add;
    throw std::runtime_error(name);
  } catch (const std::exception& e) {
    assert(std::string(e.what()) == name);
    try {
      throw;
    } catch (const std::runtime_error& again) {
      assert(&again == &e);
    }
  }
  assert(std::uncaught_exceptions() == 0);
}

int main() {
  std::thread a(run, "a"), b(run, "b");
  a.join();
  b.join();
  assert(x == 2);
}
