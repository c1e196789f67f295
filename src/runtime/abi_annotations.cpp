// ThreadSanitizer's annotations, which libraries call when they are compiled for it: nothing is done.
//
// Most tell it about order that it cannot see, made by fences, or silence what it would report. Ordeal knows fences, and a data
// race that the author takes for harmless is one all the same. Arguments are left in their registers.
#include "runtime/abi.h"

#define ORDEAL_ANNOTATION(NAME) \
  ORDEAL_ABI void NAME() {}

ORDEAL_ANNOTATION(AnnotateBenignRace)
ORDEAL_ANNOTATION(AnnotateBenignRaceSized)
ORDEAL_ANNOTATION(AnnotateCondVarSignal)
ORDEAL_ANNOTATION(AnnotateCondVarSignalAll)
ORDEAL_ANNOTATION(AnnotateCondVarWait)
ORDEAL_ANNOTATION(AnnotateEnableRaceDetection)
ORDEAL_ANNOTATION(AnnotateExpectRace)
ORDEAL_ANNOTATION(AnnotateFlushExpectedRaces)
ORDEAL_ANNOTATION(AnnotateFlushState)
ORDEAL_ANNOTATION(AnnotateHappensAfter)
ORDEAL_ANNOTATION(AnnotateHappensBefore)
ORDEAL_ANNOTATION(AnnotateIgnoreReadsBegin)
ORDEAL_ANNOTATION(AnnotateIgnoreReadsEnd)
ORDEAL_ANNOTATION(AnnotateIgnoreSyncBegin)
ORDEAL_ANNOTATION(AnnotateIgnoreSyncEnd)
ORDEAL_ANNOTATION(AnnotateIgnoreWritesBegin)
ORDEAL_ANNOTATION(AnnotateIgnoreWritesEnd)
ORDEAL_ANNOTATION(AnnotateMemoryIsInitialized)
ORDEAL_ANNOTATION(AnnotateMemoryIsUninitialized)
ORDEAL_ANNOTATION(AnnotateMutexIsNotPHB)
ORDEAL_ANNOTATION(AnnotateMutexIsUsedAsCondVar)
ORDEAL_ANNOTATION(AnnotateNewMemory)
ORDEAL_ANNOTATION(AnnotateNoOp)
ORDEAL_ANNOTATION(AnnotatePCQCreate)
ORDEAL_ANNOTATION(AnnotatePCQDestroy)
ORDEAL_ANNOTATION(AnnotatePCQGet)
ORDEAL_ANNOTATION(AnnotatePCQPut)
ORDEAL_ANNOTATION(AnnotatePublishMemoryRange)
ORDEAL_ANNOTATION(AnnotateRWLockAcquired)
ORDEAL_ANNOTATION(AnnotateRWLockCreate)
ORDEAL_ANNOTATION(AnnotateRWLockCreateStatic)
ORDEAL_ANNOTATION(AnnotateRWLockDestroy)
ORDEAL_ANNOTATION(AnnotateRWLockReleased)
ORDEAL_ANNOTATION(AnnotateThreadName)
ORDEAL_ANNOTATION(AnnotateTraceMemory)
ORDEAL_ANNOTATION(AnnotateUnpublishMemoryRange)
ORDEAL_ANNOTATION(__tsan_acquire)
ORDEAL_ANNOTATION(__tsan_release)
ORDEAL_ANNOTATION(__tsan_flush_memory)
ORDEAL_ANNOTATION(__tsan_mutex_create)
ORDEAL_ANNOTATION(__tsan_mutex_destroy)
ORDEAL_ANNOTATION(__tsan_mutex_pre_lock)
ORDEAL_ANNOTATION(__tsan_mutex_post_lock)
ORDEAL_ANNOTATION(__tsan_mutex_post_unlock)
ORDEAL_ANNOTATION(__tsan_mutex_pre_signal)
ORDEAL_ANNOTATION(__tsan_mutex_post_signal)
ORDEAL_ANNOTATION(__tsan_mutex_pre_divert)
ORDEAL_ANNOTATION(__tsan_mutex_post_divert)
/// How often the mutex was held.
ORDEAL_ABI int __tsan_mutex_pre_unlock() { return 0; }
