#include "runtime/tls.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "runtime/fiber.h"
#include "runtime/host.h"
#include "runtime/layout.h"

extern "C" void* __tls_get_addr(void* variable);

namespace ordeal::runtime {
namespace {

std::uintptr_t bases[kMaxThreads];
int made = 0;
std::size_t block_size = 0;      // of static thread-local storage, which lies below the base
unsigned char* images[kMaxThreads];  // first contents: they point into the block itself, so each has its own

int add_segment(dl_phdr_info* info, std::size_t, void* total) {
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_TLS) *static_cast<std::size_t*>(total) += info->dlpi_phdr[i].p_memsz + info->dlpi_phdr[i].p_align;
  return 0;
}

/// Where libc keeps the kernel's number of a thread, from the base on; 0: not known.
volatile std::size_t number_offset = 0;

/// Both threads must have theirs there: a number alone may stand anywhere, 32767 as half of any pointer to the stack.
void find_thread_number(std::uintptr_t base, int engine_number) {
  const auto number = static_cast<int>(syscall(SYS_gettid));
  for (std::size_t offset = 0x200; offset < 0x400 && number_offset == 0; offset += sizeof(int))
    if (*reinterpret_cast<int*>(base + offset) == number && *reinterpret_cast<int*>(Fiber::engine_thread_pointer() + offset) == engine_number) number_offset = offset;
}

volatile int engine_number = 0;

void* make_one(void* slot) {
  const std::uintptr_t base = thread_pointer();
  if (number_offset == 0) find_thread_number(base, engine_number);
  *static_cast<volatile std::uintptr_t*>(slot) = base;
  syscall(SYS_exit, 0);
  return nullptr;
}

/// The kernel clears the number when the thread that made the block is gone, and with 0 libc's own locks (of the locale) take
/// themselves for locked. All that runs on this block is the one kernel thread.
void give_thread_number(std::uintptr_t base) {
  if (number_offset == 0) return;
  volatile int& number = *reinterpret_cast<volatile int*>(base + number_offset);
  for (int old = number; old != 0; old = number) syscall(SYS_futex, &number, FUTEX_WAIT, old, nullptr, nullptr, 0);  // the kernel wakes us
  number = static_cast<int>(syscall(SYS_gettid));
}

}  // namespace

int TlsPool::count() { return made; }
std::uintptr_t TlsPool::base(int block) { return bases[block]; }

int TlsPool::find(std::uintptr_t address) {
  for (int block = 0; block < made; ++block)
    if (address < bases[block] && bases[block] - address <= block_size) return block;
  return -1;
}

namespace {

/// A stack of our own for the thread that makes a block, which lies at its top. One of libc's would be taken for free in a process that was
/// forked, and given to the next thread with the block: two threads of the program would have the same.
void* new_stack(std::size_t size) {
  const long memory = syscall(SYS_mmap, nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == -1 ? nullptr : reinterpret_cast<void*>(memory);
}

}  // namespace

bool TlsPool::make(int count) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  if (block_size == 0) dl_iterate_phdr(&add_segment, &block_size);
  block_size = (block_size + 63) / 64 * 64;
  engine_number = static_cast<int>(syscall(SYS_gettid));
  for (; made < std::min(count, kMaxThreads); ++made) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    const std::size_t stack_size = (65536 + block_size + 4095) / 4096 * 4096;
    void* stack = new_stack(stack_size);
    if (stack == nullptr || pthread_attr_setstack(&attributes, stack, stack_size) != 0) return false;
    pthread_t thread;
    volatile std::uintptr_t* base = &bases[made];
    if (create(&thread, &attributes, &make_one, const_cast<std::uintptr_t*>(base)) != 0) return false;
    while (*base == 0) syscall(SYS_sched_yield);
    give_thread_number(bases[made]);
    images[made] = static_cast<unsigned char*>(host_allocate(block_size));
    std::memcpy(images[made], reinterpret_cast<void*>(bases[made] - block_size), block_size);
  }
  return true;
}

std::size_t TlsPool::size() { return block_size; }

void TlsPool::keep(int block, std::vector<unsigned char>& image) {
  const auto* begin = reinterpret_cast<const unsigned char*>(bases[block] - block_size);
  image.assign(begin, begin + block_size);
}
void TlsPool::go_back(int block, const std::vector<unsigned char>& image) {
  std::memcpy(reinterpret_cast<void*>(bases[block] - block_size), image.data(), block_size);
}

namespace {

struct Segment {
  std::size_t module;
  const unsigned char* first = nullptr;
  std::size_t first_size = 0, size = 0;
};

int find_segment(dl_phdr_info* info, std::size_t, void* data) {
  auto& wanted = *static_cast<Segment*>(data);
  if (info->dlpi_tls_modid != wanted.module) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_TLS) continue;
    wanted.first = reinterpret_cast<const unsigned char*>(info->dlpi_addr + header.p_vaddr);
    wanted.first_size = header.p_filesz;
    wanted.size = header.p_memsz;
  }
  return 1;
}

}  // namespace

void TlsPool::note_opened(std::size_t module) {
  Segment segment{module};
  if (dl_iterate_phdr(&find_segment, &segment) == 0) return;
  std::size_t variable[2] = {module, 0};  // as the compiler's code asks for one
  const std::uintptr_t base = thread_pointer(), here = reinterpret_cast<std::uintptr_t>(__tls_get_addr(variable));
  constexpr std::size_t kSpare = 8192;  // libc leaves less room for libraries to come
  if (here >= base || here < base - block_size - kSpare) return;
  const std::size_t offset = base - here;
  for (int block = 0; block < made; ++block) {
    const auto put = [&](unsigned char* variables) {
      std::memset(variables, 0, segment.size);
      std::memcpy(variables, segment.first, segment.first_size);
    };
    if (bases[block] != base) put(reinterpret_cast<unsigned char*>(bases[block] - offset));  // its constructors may have used them here
    if (offset <= block_size) put(images[block] + block_size - offset);
  }
}

void TlsPool::reset(int block) { std::memcpy(reinterpret_cast<void*>(bases[block] - block_size), images[block], block_size); }

}  // namespace ordeal::runtime
