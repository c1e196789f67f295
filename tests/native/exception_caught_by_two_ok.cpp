// EXPECT: verified 2
// An exception that two threads have rethrown from pointers of their own: whichever catch clause is left last ends it, and that is all that can differ.
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

struct Failure : std::runtime_error {
  explicit Failure(const std::string& where) : std::runtime_error("failure"), where(where) {}
  std::string where;
};

bool is_right(std::exception_ptr failure) {
  try {
    std::rethrow_exception(std::move(failure));
  } catch (const Failure& caught) {
    return caught.where == "a place with a long name, on the heap" && caught.what() == std::string("failure");
  }
}

int main() {
  std::exception_ptr failure = std::make_exception_ptr(Failure("a place with a long name, on the heap"));
  bool is_right_there = false;
  std::thread other([&is_right_there, failure]() mutable { is_right_there = is_right(std::move(failure)); });
  const bool is_right_here = is_right(std::move(failure));
  other.join();
  assert(is_right_here && is_right_there);
}
