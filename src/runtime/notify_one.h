// Atomic objects of which one waiter is notified.
//
// A wait that ends within a loop, `while (flag == 0) flag.wait(0);`, changes nothing, so its turn may be left out (loops/README.md). But another thread that waits may be passed over because this one
// did. So where notify_one is used at all, to have waited is an effect. When it is seen for the first time, the search begins anew.
#pragma once

namespace ordeal::runtime {

struct NotifyOne {
  static inline bool is_seen = false, is_known = false;  // ever; when this round began
};

}  // namespace ordeal::runtime
