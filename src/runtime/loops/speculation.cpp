#include "runtime/loops/speculation.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "runtime/entry.h"
#include "runtime/layout.h"
#include "runtime/loops/code_paths.h"
#include "runtime/loops/configuration.h"
#include "runtime/loops/other_stack.h"
#include "runtime/modules.h"
#include "runtime/native_program.h"

// ordeal_go_on(registers, result, site): the program goes on behind its call from `site`, which returns `result`; returns when ordeal_come_back is called.
extern "C" {
__attribute__((visibility("hidden"))) std::uint64_t ordeal_way_back = 0;
__attribute__((visibility("hidden"))) void ordeal_go_on(const std::uint64_t* registers, std::uint64_t result, std::uintptr_t site);
[[noreturn]] __attribute__((visibility("hidden"))) void ordeal_come_back();
/// Functions of the program return to this, and it goes on where they were called.
__attribute__((visibility("hidden"))) void ordeal_behind_return();
__attribute__((visibility("hidden"), used)) void ordeal_clear_below(std::uintptr_t stack);
__attribute__((visibility("hidden"))) std::uintptr_t ordeal_returns[64];
__attribute__((visibility("hidden"))) std::uint64_t ordeal_return_count = 0;
__attribute__((visibility("hidden"))) void* ordeal_return_stack = nullptr;
}
asm(".text\n"
    ".type ordeal_go_on, @function\n"
    ".hidden ordeal_go_on\n"
    ".globl ordeal_go_on\n"
    "ordeal_go_on:\n"
    "  push %rbx\n  push %rbp\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n"
    "  mov %rsp, ordeal_way_back(%rip)\n"
    "  mov %rsi, %rax\n"
    "  mov %rdx, %rcx\n"
    "  xor %edx, %edx\n"
    "  mov (%rdi), %rbx\n"
    "  mov 8(%rdi), %rbp\n"
    "  mov 16(%rdi), %r12\n"
    "  mov 24(%rdi), %r13\n"
    "  mov 32(%rdi), %r14\n"
    "  mov 40(%rdi), %r15\n"
    "  mov 48(%rdi), %rsp\n"
    "  add $8, %rsp\n"  // the return address
    "  jmp *%rcx\n"
    ".size ordeal_go_on, .-ordeal_go_on\n"
    ".type ordeal_come_back, @function\n"
    ".hidden ordeal_come_back\n"
    ".globl ordeal_come_back\n"
    "ordeal_come_back:\n"
    "  mov ordeal_way_back(%rip), %rsp\n"
    "  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbp\n  pop %rbx\n"
    "  cld\n"
    "  ret\n"
    ".size ordeal_come_back, .-ordeal_come_back\n"
    ".type ordeal_behind_return, @function\n"
    ".hidden ordeal_behind_return\n"
    ".globl ordeal_behind_return\n"
    "ordeal_behind_return:\n"
    "  mov %rsp, %rdi\n"
    "  mov ordeal_return_stack(%rip), %rsp\n"
    "  push %rdi\n"
    "  push %rax\n"
    "  push %rdx\n"
    "  sub $40, %rsp\n"
    "  movups %xmm0, (%rsp)\n"
    "  movups %xmm1, 16(%rsp)\n"
    "  call ordeal_clear_below\n"
    "  movups (%rsp), %xmm0\n"
    "  movups 16(%rsp), %xmm1\n"
    "  add $40, %rsp\n"
    "  pop %rdx\n"
    "  pop %rax\n"
    "  pop %rsp\n"
    "  decq ordeal_return_count(%rip)\n"
    "  mov ordeal_return_count(%rip), %rcx\n"
    "  lea ordeal_returns(%rip), %rsi\n"
    "  jmp *(%rsi,%rcx,8)\n"
    ".size ordeal_behind_return, .-ordeal_behind_return\n"
    ".type ordeal_call_on_stack, @function\n"
    ".hidden ordeal_call_on_stack\n"
    ".globl ordeal_call_on_stack\n"
    "ordeal_call_on_stack:\n"
    "  push %rbx\n"
    "  mov %rsp, %rbx\n"
    "  mov %rsi, %rsp\n"
    "  call *%rdi\n"
    "  mov %rbx, %rsp\n"
    "  pop %rbx\n"
    "  ret\n"
    ".size ordeal_call_on_stack, .-ordeal_call_on_stack\n");

namespace ordeal::runtime {

void clear_below(std::uintptr_t stack);

bool Speculation::is_on_ = false;
Speculation::Why Speculation::why_ = Why::kNothing;

namespace {

constexpr std::size_t kMostStack = std::size_t{48} << 10;  // of the program's; beyond, nobody asks
constexpr std::size_t kBelow = std::size_t{2} << 10;       // that the code mostly uses of it, below where it stands; further down nothing is kept, and nothing matters
constexpr int kMostWritten = 32;

alignas(64) unsigned char own_stack[std::size_t{32} << 10];     // on which it is directed
alignas(64) unsigned char return_stack[std::size_t{16} << 10];  // … and ordeal_clear_below
unsigned char saved[kMostStack + 2 * kBelow];

/// What is asked.
const Thread* asking = nullptr;
const Step* from = nullptr;
Outcome given;
std::span<const Step> through;
std::uintptr_t lowest = 0;  // the thread's stack from here on is saved

/// What the code has done, and where it came.
std::size_t passed = 0;  // operations of `through`
int deeper = 0;          // functions that it has called, and not returned from
constexpr int kMostDeeper = 16;
std::uintptr_t callers_of_deeper[kMostDeeper];
int returned = 0;        // functions that it has returned from, of those that ran
constexpr int kMostAccessed = 32;
int accessed_count = 0;
Range accessed[kMostAccessed];  // elsewhere than on the stack
int accessed_on_stack_count = 0;
Range on_stack[kMostAccessed];
bool is_known = false;
int written_count = 0;
MemoryPiece now[kMostWritten], then[kMostWritten];  // scratch
MemoryPiece written[kMostWritten];  // with what was there before; in the end with what is there then
Step came;  // where it stands in the end

template <class Visit>
void for_each_atomic_on_stack(const Thread& thread, Visit&& visit) {
  Locations& table = NativeProgram::instance->location_table();
  if (table.has_on_stack(thread.id)) table.for_each_on_stack(thread.id, visit);
}

/// The program's memory as it was at `from`. What it is now goes to `now`.
void undo_writes(std::span<const MemoryPiece> since, MemoryPiece* now) {
  for (std::size_t i = since.size(); i-- > 0;) {
    now[i] = MemoryPiece::of(since[i].address, since[i].size);
    since[i].put();
  }
}

}  // namespace

void clear_below(std::uintptr_t stack) {
  constexpr std::uintptr_t kMost = 2048;  // what we use ourselves is less
  if (stack <= lowest || stack > stack_end(asking->id)) return;
  const std::uintptr_t begin = std::max(lowest, stack - kMost);
  std::memcpy(reinterpret_cast<void*>(begin), saved + (begin - lowest), stack - begin);
}

/// Runs on a stack of its own.
void Speculation::direct() {
  const Thread& thread = *asking;
  const std::span<const MemoryPiece> since = std::span(thread.spin.writes).subspan(from->writes);
  const std::uintptr_t end = stack_end(thread.id), begin = from->registers[6] + sizeof(void*);
  std::uint64_t stamp[std::size(ordeal_entry_registers)];
  std::copy(std::begin(ordeal_entry_registers), std::end(ordeal_entry_registers), stamp);
  std::memcpy(saved, reinterpret_cast<const void*>(lowest), end - lowest);
  undo_writes(since, now);
  std::memcpy(reinterpret_cast<void*>(begin), from->stack.data(), end - begin);
  // Atomic objects keep what they hold: that is the graph's business.
  for_each_atomic_on_stack(thread, [&](std::uintptr_t address, std::size_t size) {
    if (address >= begin && address + size <= end) std::memcpy(reinterpret_cast<void*>(address), saved + (address - lowest), size);
  });
  passed = 0;
  deeper = returned = accessed_count = accessed_on_stack_count = 0;
  written_count = 0;
  is_known = false;
  std::uint64_t result = given.value;
  if (from->call.returns == Call::Returns::kSuccess) {
    result = given.succeeded ? 1 : 0;
    if (!given.succeeded) {
      note_write(from->call.expected_at, from->call.size);
      std::memcpy(reinterpret_cast<void*>(from->call.expected_at), &given.value, from->call.size);
    }
  }
  Thread* const running = std::exchange(NativeProgram::current, nullptr);
  void* const returned_value = running->returned;
  ordeal_return_count = 0;
  ordeal_return_stack = std::end(return_stack);
  is_on_ = true;
  ordeal_go_on(from->registers, result, from->call.site);
  is_on_ = false;
  running->returned = returned_value;
  NativeProgram::current = running;
  if (is_known && came.call.kind == Call::Kind::kEnd) came.stack.clear();
  else if (is_known) {
    const std::uintptr_t caller = came.registers[6] + sizeof(void*);
    const auto* stack = reinterpret_cast<const unsigned char*>(caller);
    came.stack.assign(stack, end - caller);
    came.is_dead_cleared = false;
    mask_atomics(thread, caller, came.stack);
  }
  for (int i = 0; i < written_count; ++i) then[i] = MemoryPiece::of(written[i].address, written[i].size);
  for (int i = written_count; i-- > 0;) written[i].put();
  std::copy_n(then, written_count, written);
  for (std::size_t i = 0; i < since.size(); ++i) now[i].put();
  std::memcpy(reinterpret_cast<void*>(lowest), saved, end - lowest);
  std::copy(std::begin(stamp), std::end(stamp), ordeal_entry_registers);
}

namespace {

/// Whether what the thread has written since is what is there. Once it has had an effect, others may have written after it.
bool is_own_memory(const Thread& thread, const Step& step) {
  const LoopTrace& trace = thread.spin;
  const std::size_t old = trace.steps_effects == trace.effects ? trace.old_writes : trace.writes.size();
  if (step.writes >= old) return true;
  const std::span<const MemoryPiece> since = std::span(trace.writes).subspan(step.writes, old - step.writes);
  const auto is_of_other = [&](int by, bool is_write) { return is_write && by != thread.id; };
  return std::none_of(since.begin(), since.end(), [&](const MemoryPiece& piece) { return Shadow::has_access(piece.address, piece.size, is_of_other); });
}

}  // namespace

bool Speculation::run(const Thread& thread, const Step& step, const Outcome& outcome, std::span<const Step> then) {
  const std::size_t writes = thread.spin.writes.size() - step.writes;
  const std::uintptr_t here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  lowest = std::min<std::uintptr_t>(here, step.registers[6]) - kBelow;
  const std::uintptr_t end = stack_end(thread.id);
  if (writes > kMostWritten || !is_own_memory(thread, step) || end - lowest > sizeof saved || lowest < end - kStackSize || step.stack.size() != end - step.registers[6] - sizeof(void*)) return false;
  asking = &thread;
  from = &step;
  given = outcome;
  through = then;
  const int error = errno;
  ordeal_call_on_stack(&Speculation::direct, std::end(own_stack));
  errno = error;
  return is_known;
}

namespace {

/// What a function leaves on the stack, one of ours too, would turn up in the frames of the next one, where nobody has written yet. So when it has returned, that part of
/// the stack is made to hold what it holds now, in earnest: then what nobody writes does not differ. `caller`: where it returns to.
void clear_when_returned(std::uintptr_t caller) {
  constexpr int kMostWords = 128;
  auto* at = static_cast<std::uintptr_t*>(__builtin_frame_address(0));
  for (int i = 0; i < kMostWords && reinterpret_cast<std::uintptr_t>(at) < stack_end(asking->id) - sizeof(void*); ++i, ++at) {
    if (*at != caller || ordeal_return_count == std::size(ordeal_returns)) continue;
    ordeal_returns[ordeal_return_count++] = caller;
    *at = reinterpret_cast<std::uintptr_t>(&ordeal_behind_return);
    return;
  }
}

}  // namespace

/// (What is looked at there is not part of it.)
bool Speculation::is_seen(std::uintptr_t site) {
  is_on_ = false;
  const bool seen = CodePaths::are_seen(site);
  is_on_ = true;
  return seen;
}

Outcome Speculation::arrive(const Call& call) {
  if (!has_stamp(call.site) && call.kind != Call::Kind::kEnd) leave(Why::kUnknownRegisters);
  if (passed < through.size()) {
    const Step& next = through[passed++];
    if (!is_same_operation(next.call, call) || call.size > 8) leave(Why::kOtherOperation);
    if (!is_seen(call.site)) leave(Why::kHiddenCode);
    use_up_stamp();
    clear_when_returned(call.site);
    return next.outcome;
  }
  came.call = call;
  if (call.kind == Call::Kind::kEnd) {
    std::fill(std::begin(came.registers), std::end(came.registers), 0);
    is_known = true;
    ordeal_come_back();
  }
  std::copy_n(ordeal_entry_registers, kStampedRegisters, came.registers);
  const std::uintptr_t stack = came.registers[6];
  is_known = stack >= lowest && stack < stack_end(asking->id);
  ordeal_come_back();
}

void Speculation::note_entry(std::uintptr_t caller, std::uintptr_t site) {
  clear_when_returned(site);
  if (deeper < kMostDeeper) callers_of_deeper[deeper] = caller;
  ++deeper;
}

/// Behind the operation it asked about, the code is known to be seen; not yet that of the functions that called it.
void Speculation::note_exit(std::uintptr_t site) {
  if (deeper > 0) {
    if (--deeper < kMostDeeper) clear_when_returned(callers_of_deeper[deeper]);
    return clear_when_returned(site);  // the last one returns first
  }
  if (returned == from->callers_count) leave(Why::kHiddenCode);
  const std::uintptr_t caller = from->callers[returned];
  if (!is_ours(caller) && !is_seen(caller)) leave(Why::kHiddenCode);  // (ours: the thread is about to end)
  ++returned;
  if (!is_ours(caller)) clear_when_returned(caller);
  clear_when_returned(site);
}

namespace {

void note_access_on_stack(const Range& range) {
  if (accessed_on_stack_count < kMostAccessed) on_stack[accessed_on_stack_count++] = range;
}

}  // namespace

void Speculation::note_access(std::uintptr_t address, std::size_t size, bool is_write, std::uintptr_t site) {
  clear_when_returned(site);
  if (address >= lowest && address < stack_end(asking->id)) return note_access_on_stack({address, size, is_write, false});
  if (accessed_count == kMostAccessed) leave(Why::kTooMuch);
  accessed[accessed_count++] = {address, size, is_write, false};
  if (is_write) note_write(address, size);
}

bool Speculation::accessed_nothing_new(const Thread& thread, base::ClockEntry events) {
  const auto was_made = [&](const Range& range) { return Shadow::was_made(thread.id, range.begin, range.size, range.is_written, events); };
  return std::all_of(accessed, accessed + accessed_count, was_made) && accessed_no_new_stack(thread, events);
}

bool Speculation::accessed_no_new_stack(const Thread& thread, base::ClockEntry events) {
  const auto was_made = [&](const Range& range) { return Shadow::was_made(thread.id, range.begin, range.size, range.is_written, events); };
  return accessed_on_stack_count < kMostAccessed && std::all_of(on_stack, on_stack + accessed_on_stack_count, was_made);
}

void Speculation::note_write(std::uintptr_t address, std::size_t size) {
  if (address >= lowest && address < stack_end(asking->id)) return;  // saved
  if (size > MemoryPiece::kMostBytes || written_count == kMostWritten || !is_sure_to_be_there(*asking, address)) leave(Why::kTooMuch);
  written[written_count] = MemoryPiece::of(address, size);
  ++written_count;
}

void Speculation::leave(Why why) {
  is_known = false;
  why_ = why;
  ordeal_come_back();
}

namespace {

/// What the byte would hold in the end.
unsigned char byte_in_the_end(const Thread& thread, std::uintptr_t address) {
  for (int i = written_count; i-- > 0;)
    if (written[i].has(address)) return written[i].byte(address);
  return byte_at(thread, *from, address);
}

bool is_same_piece(const Thread& thread, const MemoryPiece& piece, const Step& there) {
  for (std::size_t i = 0; i < piece.size; ++i)
    if (byte_in_the_end(thread, piece.address + i) != byte_at(thread, there, piece.address + i)) return false;
  return true;
}

}  // namespace

bool Speculation::accessed_nothing() { return accessed_count == 0 && written_count == 0; }

bool Speculation::came_to_call(const Step& there) { return is_same_operation(came.call, there.call) && came.registers[6] == there.registers[6]; }

bool Speculation::accessed_on_stack(std::vector<Range>& ranges) {
  ranges.assign(on_stack, on_stack + accessed_on_stack_count);
  return accessed_on_stack_count < kMostAccessed;
}

bool Speculation::came_to_state(const Step& there) { return came.call == there.call && has_same_registers(came, there) && has_same_stack(came, there); }
const Step& Speculation::arrival() { return came; }

bool Speculation::came_to(const Thread& thread, const Step& there) {
  if (!came_to_state(there)) return false;
  if (!std::all_of(written, written + written_count, [&](const MemoryPiece& piece) { return is_same_piece(thread, piece, there); })) return false;
  const std::span<const MemoryPiece> since = std::span(thread.spin.writes).subspan(std::min(from->writes, there.writes));
  return std::all_of(since.begin(), since.end(), [&](const MemoryPiece& piece) { return is_same_piece(thread, piece, there); });
}

}  // namespace ordeal::runtime

void ordeal_clear_below(std::uintptr_t stack) { ordeal::runtime::clear_below(stack); }
