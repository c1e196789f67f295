// EXPECT: verified 1
// BLOCKED: 0
// Nobody else is near: the standard lets try_lock fail all the same, but that helps nobody.
#include <cassert>
#include <mutex>

std::mutex guard;

int main() {
  assert(guard.try_lock());
  guard.unlock();
  assert(guard.try_lock());  // behind the own unlock
  guard.unlock();
}
