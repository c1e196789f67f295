// EXPECT: verified
// Library code that nobody here wrote, from a Debian package.
#include <xenium/chase_work_stealing_deque.hpp>
#include <thread>
#include <cassert>
int main() {
  xenium::chase_work_stealing_deque<int> q;
  int x = 1;
  q.try_push(&x);
  std::thread a([&] { int* p = nullptr; if (q.try_steal(p)) assert(p == &x); });
  int* p = nullptr;
  if (q.try_pop(p)) assert(p == &x);
  a.join();
}
