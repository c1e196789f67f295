// EXPECT: verified
// Library code that nobody here wrote, from a Debian package.
#include <xenium/seqlock.hpp>
#include <thread>
#include <cassert>
struct P { long a, b; };
int main() {
  xenium::seqlock<P> s(P{0, 0});
  std::thread a([&] { s.store(P{1, 1}); });
  P p = s.load();
  assert(p.a == p.b);
  a.join();
}
