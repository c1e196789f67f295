// The shadow of random testing, for several tests of one process.
#pragma once

#include "runtime/race_shadow.h"

namespace ordeal::runtime::testing {

/// False: its addresses are not to be had here.
inline bool has_race_shadow() {
  static const bool is_there = RaceShadow::open();
  return is_there;
}

}  // namespace ordeal::runtime::testing
