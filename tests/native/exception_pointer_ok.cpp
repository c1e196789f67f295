// EXPECT: verified 1
// An exception is carried from a thread to main.
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

int main() {
  std::exception_ptr carried;
  std::thread a([&] {
    try {
      throw std::out_of_range("far");
    } catch (...) {
      carried = std::current_exception();
    }
  });
  a.join();
  try {
    std::rethrow_exception(carried);
  } catch (const std::out_of_range& e) {
    assert(std::string(e.what()) == "far");
    return 0;
  }
  return 1;
}
