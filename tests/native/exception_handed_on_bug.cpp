// EXPECT: bug data-race|use-after-free
// The object is used when its thread has let go of it: the other one may have ended it.
#include <atomic>
#include <exception>
#include <thread>
#include <utility>

struct Failure {
  int code = 1;
};

std::atomic<const Failure*> kept;

int main() {
  std::exception_ptr failure = std::make_exception_ptr(Failure());
  std::thread other([failure]() mutable {
    try {
      std::rethrow_exception(std::move(failure));
    } catch (const Failure& caught) {
      kept = &caught;
    }  // BUG
  });  // BUG
  failure = nullptr;
  const Failure* caught = kept;
  const bool is_wrong = caught != nullptr && caught->code != 1;  // BUG
  other.join();
  return is_wrong;
}
