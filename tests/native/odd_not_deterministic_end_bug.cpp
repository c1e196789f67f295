// EXPECT: cannot-check not deterministic
// One execution has an operation more: it leaves a mark in the kernel that we do not take back.
#include <sys/prctl.h>

#include <atomic>

std::atomic<int> x;

int main() {
  x.store(1);
  const int slack = prctl(PR_GET_TIMERSLACK);
  prctl(PR_SET_TIMERSLACK, slack + 1);
  if (slack % 2 == 0) x.store(2);
}
