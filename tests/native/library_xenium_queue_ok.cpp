// EXPECT: verified
// Library code that nobody here wrote, from a Debian package.
#include <array>  // xenium forgets it

#include <xenium/michael_scott_queue.hpp>
#include <xenium/reclamation/generic_epoch_based.hpp>
#include <thread>
#include <cassert>
int main() {
  xenium::michael_scott_queue<int, xenium::policy::reclaimer<xenium::reclamation::epoch_based<>>> q;
  std::thread a([&] { q.push(1); });
  int v = 0;
  if (q.try_pop(v)) assert(v == 1);
  a.join();
}
