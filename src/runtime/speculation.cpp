#include "runtime/speculation.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "runtime/digest.h"
#include "runtime/heap.h"
#include "runtime/layout.h"
#include "runtime/snapshot.h"
#include "runtime/spin.h"
#include "runtime/tls.h"

namespace ordeal::runtime {

bool Speculation::is_on_ = false;

namespace {

// Each question takes a few milliseconds, more with a large heap.
// A place where states keep differing for a reason, such as a loop that counts, is not asked about for ever.
constexpr int kMostInVain = 8;
constexpr int kMostQuestions = 1000;
constexpr std::size_t kMostHeap = std::size_t{16} << 20;
constexpr std::uintptr_t kEnd = 1;  // stands for the end of the thread, which has no place
int report_to = -1;                 // in a copy: the pipe
int questions = 0;

/// What a copy tells.
struct Report {
  static constexpr int kMostRanges = 32;  // so that a pipe takes it at once
  Digest digest;
  std::uintptr_t site = 0;
  int ranges = 0;  // more than kMostRanges: too many
  Range range[kMostRanges];  // what it has looked at
};
Report mine;  // in a copy

/// The next place, as long as memory is as it was.
struct Answer {
  std::uintptr_t site = 0;
  std::vector<std::pair<Range, Digest>> memory;

  void depend_on(const Report& report) {
    for (int i = 0; i < report.ranges; ++i) memory.emplace_back(report.range[i], report.range[i].content());
  }
  bool holds() const {
    return std::all_of(memory.begin(), memory.end(), [](const auto& then) { return then.first.content() == then.second; });
  }
};

struct Asked {
  int in_vain = 0;  // in a row
  bool has_answer = false;
  bool is_given_up() const { return in_vain >= kMostInVain; }
};
std::map<std::uintptr_t, Asked> asked;  // by place
std::map<Digest, std::vector<Answer>> known;  // question → answers. (No static of a function: their guards are the program's.)

std::size_t heap_in_use() {
  std::size_t bytes = 0;
  ProgramHeap::for_each_used([&](const void*, std::size_t size) { bytes += size; });
  return bytes;
}

/// Returns `value` to the program, from the call of the visit.
[[noreturn]] void go_on_from(const SpinVisit& visit, std::uint64_t value) {
  const std::uintptr_t at_entry = visit.registers[6];
  std::memcpy(reinterpret_cast<void*>(at_entry + sizeof(void*)), visit.stack.data(), visit.stack.size());
  // What we left below would turn up in the frames of the next call.
  asm volatile(
      "mov (%0), %%rbx\n"
      "mov 16(%0), %%r12\n"
      "mov 24(%0), %%r13\n"
      "mov 32(%0), %%r14\n"
      "mov 40(%0), %%r15\n"
      "mov 48(%0), %%rsp\n"
      "mov 8(%0), %%rbp\n"
      "lea -4096(%%rsp), %%rdi\n"
      "mov $512, %%ecx\n"
      "xor %%eax, %%eax\n"
      "rep stosq\n"
      "mov %1, %%rax\n"
      "ret\n"
      :
      : "d"(visit.registers), "S"(value)
      : "memory");
  __builtin_unreachable();
}

void close_output() {
  const auto nowhere = static_cast<int>(syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR));
  for (const int file : {1, 2}) syscall(SYS_dup2, nowhere, file);
}

/// The copy ends after a second of its own time, so that an answer does not depend on what else the machine does.
void limit_time() {
  const rlimit second{1, 1};
  syscall(SYS_prlimit64, 0, RLIMIT_CPU, &second, nullptr);
}

/// Reads what the copy tells. One that sleeps has a minute.
bool read_report(int file, Report& report) {
  pollfd wait{file, POLLIN, 0};
  for (int tries = 0; tries < 600; ++tries) {
    const long ready = syscall(SYS_poll, &wait, 1, 100);
    if (ready > 0) return syscall(SYS_read, file, &report, sizeof report) == static_cast<long>(sizeof report);
  }
  return false;
}

bool try_out(const SpinVisit& visit, std::uint64_t value, Report& report, bool& is_on) {
  const int error = errno;  // the program's: a timer may interrupt what we do here
  std::array<int, 2> ends{};
  if (syscall(SYS_pipe2, ends.data(), O_CLOEXEC) != 0) return false;
  const auto child = static_cast<pid_t>(syscall(SYS_fork));
  if (child == 0) {
    is_on = true;
    limit_time();
    report_to = ends[1];
    close_output();
    go_on_from(visit, value);
  }
  syscall(SYS_close, ends[1]);
  const bool told = child > 0 && read_report(ends[0], report);
  syscall(SYS_close, ends[0]);
  if (child > 0) {
    syscall(SYS_kill, child, SIGKILL);
    while (syscall(SYS_wait4, child, nullptr, 0, nullptr) < 0) {
    }
  }
  errno = error;
  return told;
}

}  // namespace

std::uintptr_t Speculation::common_next_site(const Thread& thread, const SpinVisit& before, const SpinVisit& now, std::uint64_t value) {
  Asked& here = asked[now.site];
  if (here.is_given_up() && !here.has_answer) return 0;
  Digest question;
  question.add(now.site);
  question.add(value);
  question.add(static_cast<std::uint64_t>(thread.id));
  add_visit(question, before);
  add_visit(question, now);
  if (const auto answers = known.find(question); answers != known.end())
    for (const Answer& answer : answers->second)
      if (answer.holds()) return answer.site;
  if (here.is_given_up() || questions >= kMostQuestions || heap_in_use() > kMostHeap) return 0;
  ++questions;
  Report from_before, from_now;
  const bool is_same = try_out(before, value, from_before, is_on_) && try_out(now, value, from_now, is_on_) &&
                       from_before.digest == from_now.digest && from_before.site == from_now.site &&
                       from_before.ranges <= Report::kMostRanges && from_now.ranges <= Report::kMostRanges;
  here.in_vain = is_same ? 0 : here.in_vain + 1;
  here.has_answer |= is_same;
  Answer& answer = known[question].emplace_back();
  if (is_same) {
    answer.site = from_now.site;
    answer.depend_on(from_before);
    answer.depend_on(from_now);
  }
  scrub_stack_deep();
  return answer.site;
}

void Speculation::begin_round() {
  asked.clear();
  questions = 0;
}

void Speculation::note_access(const Thread& thread, std::uintptr_t address, std::size_t size) {
  if (mine.ranges >= Report::kMostRanges || !is_sure_to_be_there(thread, address)) mine.ranges = Report::kMostRanges + 1;
  else mine.range[mine.ranges++] = {address, size};
}

void Speculation::finish(const Thread& thread, const engine::Operation& operation, std::uintptr_t site) {
  Report& report = mine;
  report.site = operation.kind == engine::OperationKind::kFinish ? kEnd : site;
  Digest& digest = report.digest;
  digest.add(&operation.access, sizeof operation.access);
  digest.add(static_cast<std::uint64_t>(operation.kind));
  digest.add(operation.alternatives);
  digest.add(site);
  digest.add(thread.spin.effects);
  digest.add(thread.spin.holds);
  digest.add(static_cast<std::uint64_t>(thread.time));
  // Without a stamp the registers are not known.
  if (!has_stamp(site)) report.ranges = Report::kMostRanges + 1;
  const std::uintptr_t stack = ordeal_entry_registers[6];
  add_registers(digest, ordeal_entry_registers, site);
  digest.add(reinterpret_cast<const void*>(stack), stack_end(thread.id) - stack);
  const auto add = [&](const void* data, std::size_t size) { digest.add(data, size); };
  Snapshot::for_each_written(add);
  ProgramHeap::for_each_used(add);
  TlsPool::visit(thread.id, add);
  syscall(SYS_write, report_to, &report, sizeof report);
  for (;;) syscall(SYS_exit_group, 0);
}

}  // namespace ordeal::runtime
