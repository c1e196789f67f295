// EXPECT: bug deadlock guard
// A reader cannot become a writer: it waits for itself.
#include <mutex>
#include <shared_mutex>

std::shared_mutex guard;

int main() {
  guard.lock_shared();
  guard.unlock_shared();
  std::shared_lock<std::shared_mutex> reader(guard);
  std::unique_lock<std::shared_mutex> writer(guard);  // BUG
}
