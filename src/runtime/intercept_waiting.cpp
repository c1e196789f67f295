// System calls that may wait: for a file, a socket, another process. While the program is tested, they are made when they need not wait
// (outside.h), so that the other threads can go on; otherwise as they are.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "runtime/cancellation.h"
#include "runtime/outside.h"
#include "runtime/system_call.h"
#include "runtime/testing.h"
#include "runtime/virtual_time.h"

namespace ordeal::runtime {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

/// Whether other threads could go on meanwhile.
bool must_not_wait() { return is_checked() && is_testing && !Testing::is_alone(); }

long read_when_ready(const char* name, Function& real, const Arguments& arguments, std::uintptr_t site, Note note) {
  Cancellation::point();
  if (must_not_wait() && !Outside::wait_for_file(static_cast<int>(arguments.at[0]), POLLIN)) return -1;
  const long result = intercept(name, real, arguments, site, note, is_negative);
  if (!is_negative(result) && must_not_wait()) Outside::acquire(site);
  return result;
}

/// Of a pipe or socket that would make the call wait.
bool is_channel(int file) {
  struct stat status {};
  const long flags = syscall(SYS_fcntl, file, F_GETFL);
  return flags >= 0 && (flags & O_NONBLOCK) == 0 && syscall(SYS_fstat, file, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

/// The call, which does not wait now.
long call_without_waiting(const char* name, Function& real, const Arguments& arguments) {
  const auto file = static_cast<int>(arguments.at[0]);
  const long flags = syscall(SYS_fcntl, file, F_GETFL);
  syscall(SYS_fcntl, file, F_SETFL, flags | O_NONBLOCK);
  const long result = intercept(name, real, arguments, 0, note_nothing, is_negative);
  const int error = errno;
  syscall(SYS_fcntl, file, F_SETFL, flags);
  errno = error;
  return result;
}

/// It waits until all is written, part by part.
long write_all(const char* name, Function& real, Arguments arguments, std::uintptr_t site) {
  const auto file = static_cast<int>(arguments.at[0]);
  note_taken(arguments.at[1], arguments.at[2], site);
  Outside::release(site);
  long done = 0;
  while (done == 0 || arguments.at[2] > 0) {
    const long result = call_without_waiting(name, real, arguments);
    if (is_negative(result)) {
      if (errno != EAGAIN) return done > 0 ? done : -1;
      if (!Outside::wait_for_file(file, POLLOUT)) return done > 0 ? done : -1;
      continue;
    }
    Outside::is_changed = true;
    done += result;
    arguments.at[1] += result;
    arguments.at[2] -= result;
    if (arguments.at[2] <= 0 || result == 0) break;
  }
  return done;
}

long write_when_ready(const char* name, Function& real, const Arguments& arguments, std::uintptr_t site, Note note) {
  Cancellation::point();
  if (!must_not_wait()) return intercept(name, real, arguments, site, note, is_negative);
  const bool has_buffer = note == &note_taken;
  if (has_buffer && is_channel(static_cast<int>(arguments.at[0]))) return write_all(name, real, arguments, site);
  Outside::release(site);
  if (!Outside::wait_for_file(static_cast<int>(arguments.at[0]), POLLOUT)) return -1;
  const long result = intercept(name, real, arguments, site, note, is_negative);
  Outside::is_changed = true;
  return result;
}

/// Also if the thread is alone, but waits for some time: our timer would interrupt the call, and it would begin anew each time. Time that is virtual does not go
/// on by itself, so it is the real one that counts.
bool must_wait_outside(std::int64_t nanoseconds) { return must_not_wait() || (is_checked() && is_testing && nanoseconds > 0); }

/// A wait that nothing ended has taken its time, and the virtual clock shows it: programs look at it to know that the time is over.
class TimedWait {
 public:
  /// Negative, or 0: without end, or without a wait.
  explicit TimedWait(std::int64_t nanoseconds) : nanoseconds_(nanoseconds), begun_(is_virtual() ? own_time() : 0) {}
  long end(long result) const {
    if (result == 0 && nanoseconds_ > 0 && is_virtual()) move_time_to(begun_ + nanoseconds_);
    return result;
  }

 private:
  static bool is_virtual() { return is_checked() && is_testing && !Outside::real_time; }
  std::int64_t nanoseconds_, begun_;
};
std::int64_t nanoseconds_of(const timespec* time) { return time == nullptr ? -1 : time->tv_sec * kSecond + time->tv_nsec; }

/// For several files: a signal ends it.
long wait_in_call(const char* name, Function& real, const Arguments& arguments, std::uintptr_t site) {
  interrupted_call = ArrivedSignals::Call::kEnds;
  const long result = intercept(name, real, arguments, site, note_nothing, is_negative);
  interrupted_call = ArrivedSignals::Call::kStartsAgain;
  return result;
}

long poll_when_ready(const char* name, Function& real, const Arguments& arguments, std::int64_t nanoseconds, std::uintptr_t site) {
  Cancellation::point();
  const TimedWait wait(nanoseconds);
  const std::int64_t deadline = nanoseconds < 0 ? 0 : Outside::deadline_in(nanoseconds);
  const bool returns_at_once = nanoseconds == 0;
  const bool waits_outside = must_wait_outside(nanoseconds);
  if (waits_outside && !returns_at_once &&
      Outside::wait_for_files(reinterpret_cast<const pollfd*>(arguments.at[0]), static_cast<nfds_t>(arguments.at[1]), deadline) == Outside::Wait::kInterrupted)
    return -1;
  Arguments now = arguments;
  static constexpr timespec kNothing{0, 0};
  if (waits_outside) now.at[2] = name[1] == 'p' ? reinterpret_cast<long>(&kNothing) : 0;  // ppoll
  const long result = wait_in_call(name, real, now, site);
  if (result > 0 && must_not_wait()) Outside::acquire(site);
  return wait.end(result);
}

void add_files(const fd_set* set, int count, short events, std::vector<pollfd>& files) {
  for (int file = 0; set != nullptr && file < count; ++file)
    if (FD_ISSET(file, set)) files.push_back({file, events, 0});
}

long select_when_ready(const char* name, Function& real, const Arguments& arguments, std::int64_t nanoseconds, void* nothing, std::uintptr_t site) {
  Cancellation::point();
  const TimedWait wait(nanoseconds);
  const std::int64_t deadline = nanoseconds < 0 ? 0 : Outside::deadline_in(nanoseconds);
  const bool waits_outside = must_wait_outside(nanoseconds);
  if (waits_outside) {
    std::vector<pollfd> files;
    const auto count = static_cast<int>(arguments.at[0]);
    add_files(reinterpret_cast<const fd_set*>(arguments.at[1]), count, POLLIN, files);
    add_files(reinterpret_cast<const fd_set*>(arguments.at[2]), count, POLLOUT, files);
    add_files(reinterpret_cast<const fd_set*>(arguments.at[3]), count, POLLPRI, files);
    if (Outside::wait_for_files(files.data(), files.size(), deadline) == Outside::Wait::kInterrupted) return -1;
  }
  Arguments now = arguments;
  if (waits_outside) now.at[4] = reinterpret_cast<long>(nothing);
  const long result = wait_in_call(name, real, now, site);
  if (result > 0 && must_not_wait()) Outside::acquire(site);
  return wait.end(result);
}

long wait_for_events(const char* name, Function& real, const Arguments& arguments, std::uintptr_t site) {
  const std::int64_t nanoseconds = static_cast<int>(arguments.at[3]) * kMillisecond;
  Cancellation::point();
  const TimedWait wait(nanoseconds);
  const bool waits_outside = must_wait_outside(nanoseconds);
  if (waits_outside) {
    const pollfd file{static_cast<int>(arguments.at[0]), POLLIN, 0};
    if (nanoseconds != 0 && Outside::wait_for_files(&file, 1, nanoseconds < 0 ? 0 : Outside::deadline_in(nanoseconds)) == Outside::Wait::kInterrupted) return -1;
  }
  Arguments now = arguments;
  if (waits_outside) now.at[3] = 0;
  const long result = wait_in_call(name, real, now, site);
  if (result > 0 && must_not_wait()) Outside::acquire(site);
  return wait.end(result);
}

}  // namespace
}  // namespace ordeal::runtime

using namespace ordeal::runtime;

#define ORDEAL_WAITING(NAME, DO, NOTE)                                                              \
  ORDEAL_ABI long ordeal_##NAME(long a, long b, long c, long d, long e, long f) __asm__(#NAME);     \
  ORDEAL_ABI long ordeal_##NAME(long a, long b, long c, long d, long e, long f) {                   \
    static constinit Function real = nullptr;                                                       \
    return DO(#NAME, real, {{a, b, c, d, e, f}}, ORDEAL_SITE, NOTE);                                \
  }

ORDEAL_WAITING(read, read_when_ready, note_filled)
ORDEAL_WAITING(recv, read_when_ready, note_filled)
ORDEAL_WAITING(recvfrom, read_when_ready, note_filled)
ORDEAL_WAITING(readv, read_when_ready, note_nothing)
ORDEAL_WAITING(recvmsg, read_when_ready, note_nothing)
ORDEAL_WAITING(recvmmsg, read_when_ready, note_nothing)
ORDEAL_WAITING(accept, read_when_ready, note_nothing)
ORDEAL_WAITING(accept4, read_when_ready, note_nothing)
ORDEAL_WAITING(write, write_when_ready, note_taken)
ORDEAL_WAITING(send, write_when_ready, note_taken)
ORDEAL_WAITING(sendto, write_when_ready, note_taken)
ORDEAL_WAITING(writev, write_when_ready, note_nothing)
ORDEAL_WAITING(sendmsg, write_when_ready, note_nothing)

#define ORDEAL_POLLING(NAME, CALL)                                                                  \
  ORDEAL_ABI long ordeal_##NAME(long a, long b, long c, long d, long e, long f) __asm__(#NAME);     \
  ORDEAL_ABI long ordeal_##NAME(long a, long b, long c, long d, long e, long f) {                   \
    static constinit Function real = nullptr;                                                       \
    const Arguments arguments{{a, b, c, d, e, f}};                                                  \
    return CALL;                                                                                    \
  }
ORDEAL_POLLING(poll, poll_when_ready("poll", real, arguments, static_cast<int>(c) * kMillisecond, ORDEAL_SITE))
ORDEAL_POLLING(ppoll, poll_when_ready("ppoll", real, arguments, nanoseconds_of(reinterpret_cast<const timespec*>(c)), ORDEAL_SITE))
ORDEAL_POLLING(epoll_wait, wait_for_events("epoll_wait", real, arguments, ORDEAL_SITE))
ORDEAL_POLLING(epoll_pwait, wait_for_events("epoll_pwait", real, arguments, ORDEAL_SITE))

ORDEAL_ABI long ordeal_select(long count, long reads, long writes, long errors, timeval* timeout) __asm__("select");
ORDEAL_ABI long ordeal_select(long count, long reads, long writes, long errors, timeval* timeout) {
  static constinit Function real = nullptr;
  const std::int64_t nanoseconds = timeout == nullptr ? -1 : timeout->tv_sec * kSecond + timeout->tv_usec * 1000;
  timeval nothing{};
  return select_when_ready("select", real, {{count, reads, writes, errors, reinterpret_cast<long>(timeout), 0}}, nanoseconds, &nothing, ORDEAL_SITE);
}
ORDEAL_ABI long ordeal_pselect(long count, long reads, long writes, long errors, const timespec* timeout, long mask) __asm__("pselect");
ORDEAL_ABI long ordeal_pselect(long count, long reads, long writes, long errors, const timespec* timeout, long mask) {
  static constinit Function real = nullptr;
  timespec nothing{};
  return select_when_ready("pselect", real, {{count, reads, writes, errors, reinterpret_cast<long>(timeout), mask}}, nanoseconds_of(timeout), &nothing, ORDEAL_SITE);
}

/// Whoever waits at the other end sees it.
ORDEAL_ABI int close(int file) {
  static constinit Function real = nullptr;
  if (must_not_wait()) Outside::release(ORDEAL_SITE);
  // It is never made again: the number may be another file's.
  return static_cast<int>(intercept("close", real, {{file, 0, 0, 0, 0, 0}}, ORDEAL_SITE, note_nothing, [](long) { return false; }));
}
ORDEAL_ABI int shutdown(int file, int how) noexcept {
  static constinit Function real = nullptr;
  if (must_not_wait()) Outside::release(ORDEAL_SITE);
  return static_cast<int>(intercept("shutdown", real, {{file, how, 0, 0, 0, 0}}, ORDEAL_SITE, note_nothing, is_negative));
}

// --- other processes ---------------------------------------------------------------------------------------------------------

namespace {

pid_t wait_for_process(pid_t process, int* status, int options, void* usage, std::uintptr_t site) {
  Cancellation::point();
  for (;;) {
    const int now = must_not_wait() ? options | WNOHANG : options;
    static constinit Function real = nullptr;
    const auto result = static_cast<pid_t>(intercept("wait4", real, {{process, reinterpret_cast<long>(status), now, reinterpret_cast<long>(usage), 0, 0}}, site, note_nothing, is_negative));
    if (result > 0 && must_not_wait()) Outside::acquire(site);
    if (result != 0 || now == options) return result;
    if (!Outside::wait_a_little()) return -1;
  }
}

/// Tells nobody's number if there is nothing to tell yet.
int wait_for_change(long type, long number, siginfo_t* info, int options, std::uintptr_t site) {
  siginfo_t told{};
  Cancellation::point();
  for (;;) {
    const int now = must_not_wait() ? options | WNOHANG : options;
    static constinit Function real = nullptr;
    told.si_pid = 0;
    const auto result = static_cast<int>(intercept("waitid", real, {{type, number, reinterpret_cast<long>(&told), now, 0, 0}}, site, note_nothing, is_negative));
    const bool is_told = result == 0 && told.si_pid != 0;
    if (is_told && must_not_wait()) Outside::acquire(site);
    if (result != 0 || is_told || now == options) {
      if (result == 0 && info != nullptr) *info = told;
      return result;
    }
    if (!Outside::wait_a_little()) return -1;
  }
}

}  // namespace

ORDEAL_ABI pid_t waitpid(pid_t process, int* status, int options) { return wait_for_process(process, status, options, nullptr, ORDEAL_SITE); }
ORDEAL_ABI pid_t wait(int* status) { return wait_for_process(-1, status, 0, nullptr, ORDEAL_SITE); }
ORDEAL_ABI pid_t wait3(int* status, int options, struct rusage* usage) noexcept { return wait_for_process(-1, status, options, usage, ORDEAL_SITE); }

ORDEAL_ABI pid_t wait4(pid_t process, int* status, int options, struct rusage* usage) noexcept { return wait_for_process(process, status, options, usage, ORDEAL_SITE); }
ORDEAL_ABI int waitid(idtype_t type, id_t number, siginfo_t* info, int options) { return wait_for_change(static_cast<long>(type), number, info, options, ORDEAL_SITE); }

ORDEAL_ABI int flock(int file, int operation) noexcept {
  static constinit Function real = nullptr;
  for (;;) {
    const int now = must_not_wait() ? operation | LOCK_NB : operation;
    const long result = intercept("flock", real, {{file, now, 0, 0, 0, 0}}, ORDEAL_SITE, note_nothing, is_negative);
    if (!is_negative(result) || now == operation || errno != EWOULDBLOCK) return static_cast<int>(result);
    if (!Outside::wait_a_little()) return -1;
  }
}
