// POSIX semaphores with names (sem_open). In an execution there are none at first, and other processes have no part in them.
//
// A name has the same place in each execution; what an execution did with it is a state of the table of locations, which belongs to the execution. To open, to close
// and to unlink are steps under a lock of that name. Whoever opens what another thread made knows what that did before.
#pragma once

#include <semaphore.h>

#include <cstdint>

namespace ordeal::runtime {

class NamedSemaphores {
 public:
  /// SEM_FAILED or -1: it failed, and errno says why.
  static sem_t* open(const char* name, int flags, unsigned count, std::uintptr_t site);
  static int close(sem_t* semaphore, std::uintptr_t site);
  static int unlink(const char* name, std::uintptr_t site);
  /// It has a name, and all who opened it have closed it.
  static bool is_closed(const sem_t* semaphore);
};

}  // namespace ordeal::runtime
