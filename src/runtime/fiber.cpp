#include "runtime/fiber.h"

#include <asm/prctl.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <utility>

namespace ordeal::runtime {

namespace context = boost::context::detail;

Fiber* Fiber::running_ = nullptr;
context::fcontext_t Fiber::engine_ = nullptr;
std::uintptr_t Fiber::engine_thread_pointer_ = 0;

namespace {

constexpr unsigned long kHasFsgsbase = 1UL << 1;  // in AT_HWCAP2: the instructions are allowed in user mode
bool has_instruction = false;

}  // namespace

std::uintptr_t thread_pointer() {
  std::uintptr_t base;
  asm volatile("mov %%fs:0, %0" : "=r"(base));  // its first word points to itself (x86-64 ABI)
  return base;
}

void set_thread_pointer(std::uintptr_t base) {
  if (has_instruction) asm volatile("wrfsbase %0" ::"r"(base) : "memory");
  else syscall(SYS_arch_prctl, ARCH_SET_FS, base);
}

void Fiber::prepare_engine() {
  has_instruction = (getauxval(AT_HWCAP2) & kHasFsgsbase) != 0;
  engine_thread_pointer_ = runtime::thread_pointer();
}

void Fiber::start(void* stack_end, std::size_t stack_size, std::uintptr_t thread_pointer, void (*body)(void*), void* argument) {
  context_ = context::make_fcontext(stack_end, stack_size, &Fiber::begin);
  thread_pointer_ = thread_pointer;
  body_ = body;
  argument_ = argument;
}

/// Who goes on keeps where the other one stands: it has said where that is to be found.
void Fiber::keep(context::transfer_t transfer) { *static_cast<context::fcontext_t*>(transfer.data) = transfer.fctx; }

void Fiber::begin(context::transfer_t transfer) {
  keep(transfer);
  const Fiber* self = running_;
  self->body_(self->argument_);
  __builtin_trap();  // a body ends by leaving for good
}

void Fiber::enter() {
  running_ = this;
  set_thread_pointer(thread_pointer_);
  keep(context::jump_fcontext(context_, &engine_));
  set_thread_pointer(engine_thread_pointer_);
  running_ = nullptr;
}

void Fiber::leave() { keep(context::jump_fcontext(engine_, &running_->context_)); }

void Fiber::leave_for(Fiber& other) {
  Fiber* self = std::exchange(running_, &other);
  set_thread_pointer(other.thread_pointer_);
  keep(context::jump_fcontext(other.context_, &self->context_));
}

}  // namespace ordeal::runtime
