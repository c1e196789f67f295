// POSIX semaphores. (Those with a name: named_semaphores.h.)
#include <cstdint>
#include <cstring>

#include <errno.h>
#include <limits.h>
#include <semaphore.h>

#include "runtime/abi.h"
#include "runtime/access.h"
#include "runtime/arrived_signals.h"
#include "runtime/cancellation.h"
#include "runtime/entry.h"
#include "runtime/loops/rules.h"
#include "runtime/named_semaphores.h"
#include "runtime/pthreads.h"
#include "runtime/sync.h"
#include "runtime/virtual_time.h"

namespace ordeal::runtime {
namespace {

/// What its memory holds; how much is in it, the graph knows. All 0: it was never initialised, and has nothing.
struct Content {
  std::uint64_t unused;
  std::uint32_t state;
};
static_assert(sizeof(Content) <= sizeof(sem_t));
constexpr std::uint32_t kDestroyed = 0x0DEAD10C;

Content& content(sem_t* semaphore) { return *reinterpret_cast<Content*>(semaphore); }

void require_usable(sem_t* semaphore, const char* message, std::uintptr_t site) {
  require_live(semaphore, site);
  if (NamedSemaphores::is_closed(semaphore)) fail_with_misuse(semaphore, "uses a semaphore that was closed", site);
  if (content(semaphore).state == kDestroyed) fail_with_misuse(semaphore, message, site);
}

void begin_to_take(sem_t* semaphore, std::uintptr_t site) {
  require_usable(semaphore, "takes a semaphore that was destroyed", site);
  begin_step(*NativeProgram::current, site, semaphore);
}

int failed(int error) {
  errno = error;
  return -1;
}

/// While the running thread waits: a handler without SA_RESTART ends that.
class Interruptible {
 public:
  Interruptible() {
    NativeProgram::current->may_be_interrupted = true;
    NativeProgram::current->is_interrupted = false;
    ArrivedSignals::is_interrupted(ArrivedSignals::Call::kEnds);  // what came before does not
  }
  ~Interruptible() { NativeProgram::current->may_be_interrupted = false; }
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
  static bool has_been() { return NativeProgram::current->is_interrupted; }
};

int take_until(sem_t* semaphore, const timespec* deadline, std::uintptr_t site) {
  Cancellation::point();
  begin_to_take(semaphore, site);
  if (gives_up_at_once(site)) {
    // Only one that has nothing makes it wait.
    const bool succeeded = try_take(semaphore, site);
    if (succeeded && NativeProgram::instance->explores_all()) NativeProgram::instance->stop(engine::Cut::kAssumption);
    if (succeeded) return 0;
    let_time_pass_until(deadline);
    return failed(ETIMEDOUT);
  }
  const TimeLimit limit(deadline);
  const Interruptible interruptible;
  const Cancellable cancellable;
  const bool succeeded = take(semaphore, site);
  note_use(semaphore, site);
  if (succeeded) return 0;
  if (cancellable.has_ended()) Cancellation::leave();
  if (Interruptible::has_been()) return failed(EINTR);
  let_time_pass_until(deadline);
  return failed(ETIMEDOUT);
}

/// The call is not the program's: there is nobody to wait for.
bool is_not_programs(std::uintptr_t site) { return !is_programs_sync(site); }

}  // namespace
}  // namespace ordeal::runtime

using namespace ordeal::runtime;

ORDEAL_ABI int sem_init(sem_t* semaphore, int, unsigned count) {
  if (count > SEM_VALUE_MAX) return failed(EINVAL);
  const bool is_programs = is_programs_sync(ORDEAL_SITE);
  if (is_programs) plain_write(reinterpret_cast<std::uintptr_t>(semaphore), sizeof *semaphore, ORDEAL_SITE);
  std::memset(semaphore, 0, sizeof *semaphore);
  if (is_programs) start_semaphore(semaphore, count, ORDEAL_SITE);
  return 0;
}
ORDEAL_ABI int sem_destroy(sem_t* semaphore) {
  if (is_not_programs(ORDEAL_SITE)) return 0;
  require_usable(semaphore, "destroys a semaphore that was destroyed", ORDEAL_SITE);
  note_effect(*NativeProgram::current);
  plain_write(reinterpret_cast<std::uintptr_t>(semaphore), sizeof *semaphore, ORDEAL_SITE);
  content(semaphore).state = kDestroyed;
  return 0;
}

ORDEAL_ENTRY(sem_wait)
ORDEAL_BEHIND_ENTRY int ordeal_sem_wait(sem_t* semaphore) {
  if (is_not_programs(ORDEAL_SITE)) return 0;
  begin_to_take(semaphore, ORDEAL_SITE);
  Cancellation::point();
  const Interruptible interruptible;
  const Cancellable cancellable;
  const bool succeeded = take(semaphore, ORDEAL_SITE);
  note_use(semaphore, ORDEAL_SITE);
  if (!succeeded && cancellable.has_ended()) Cancellation::leave();
  return succeeded || !Interruptible::has_been() ? 0 : failed(EINTR);
}
ORDEAL_ENTRY(sem_trywait)
ORDEAL_BEHIND_ENTRY int ordeal_sem_trywait(sem_t* semaphore) {
  if (is_not_programs(ORDEAL_SITE)) return 0;
  begin_to_take(semaphore, ORDEAL_SITE);
  const bool succeeded = try_take(semaphore, ORDEAL_SITE);
  note_use(semaphore, ORDEAL_SITE);
  return succeeded ? 0 : failed(EAGAIN);
}
ORDEAL_ENTRY(sem_timedwait)
ORDEAL_BEHIND_ENTRY int ordeal_sem_timedwait(sem_t* semaphore, const timespec* deadline) {
  return is_not_programs(ORDEAL_SITE) ? 0 : take_until(semaphore, deadline, ORDEAL_SITE);
}
ORDEAL_ENTRY(sem_clockwait)
ORDEAL_BEHIND_ENTRY int ordeal_sem_clockwait(sem_t* semaphore, clockid_t, const timespec* deadline) {
  return is_not_programs(ORDEAL_SITE) ? 0 : take_until(semaphore, deadline, ORDEAL_SITE);
}
ORDEAL_ABI int sem_post(sem_t* semaphore) {
  if (is_not_programs(ORDEAL_SITE)) return 0;
  require_usable(semaphore, "posts a semaphore that was destroyed", ORDEAL_SITE);
  begin_release(semaphore, ORDEAL_SITE);
  const std::int64_t before = post(semaphore, ORDEAL_SITE);
  end_release(semaphore, ORDEAL_SITE);
  if (before >= SEM_VALUE_MAX)
    fail_with_misuse(semaphore, "posts a semaphore that is full (SEM_VALUE_MAX)", ORDEAL_SITE);
  return 0;
}
ORDEAL_ENTRY(sem_getvalue)
ORDEAL_BEHIND_ENTRY int ordeal_sem_getvalue(sem_t* semaphore, int* value) {
  if (is_not_programs(ORDEAL_SITE)) return 0;
  require_usable(semaphore, "looks at a semaphore that was destroyed", ORDEAL_SITE);
  begin_step(*NativeProgram::current, ORDEAL_SITE, semaphore);
  const auto seen = static_cast<int>(semaphore_value(semaphore, ORDEAL_SITE));
  note_use(semaphore, ORDEAL_SITE);
  plain_write(reinterpret_cast<std::uintptr_t>(value), sizeof *value, ORDEAL_SITE);
  *value = seen;
  return 0;
}
