// Before libstdc++'s <bits/gthr-default.h>, through which std::mutex and its kin use pthreads: their try_lock may fail without reason
// ([thread.mutex.requirements.mutex]), pthread_mutex_trylock may not (POSIX); who unlocks a recursive mutex without holding it gets an error from
// pthread_mutex_unlock, and must not unlock a std::recursive_mutex. So the runtime must know which one is meant.
#ifndef ORDEAL_INSIDE_BITS_GTHR_DEFAULT_H
#define ORDEAL_INSIDE_BITS_GTHR_DEFAULT_H

#pragma GCC system_header

#include <pthread.h>

#include "../runtime_calls.h"

#define pthread_mutex_trylock __ordeal_mutex_trylock
#define pthread_mutex_unlock __ordeal_mutex_unlock
#include_next <bits/gthr-default.h>
#undef pthread_mutex_trylock
#undef pthread_mutex_unlock

#endif
