/* Stands in for libordeal.so in tests of the compiler wrapper and of `ordeal check`, where what matters is that programs are
   compiled, linked, started and judged, not that they are explored. It counts nothing and checks nothing: atomic operations
   are done, plain accesses ignored, waits poll.

   Started by `ordeal check` it does not run the program: it writes the file $STUB_RESULT to the descriptor that
   ORDEAL_OPTIONS names, and its options to $STUB_LOG; with $STUB_SIGNAL it kills itself before that, with $STUB_SLEEP it
   waits for Ctrl-C; with $STUB_EXIT it exits with that code. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

void __tsan_init(void) {}
void __tsan_func_entry(void* caller) { (void)caller; }
void __tsan_func_exit(void) {}
void __tsan_read_range(void* address, unsigned long size) { (void)address, (void)size; }
void __tsan_write_range(void* address, unsigned long size) { (void)address, (void)size; }
void __tsan_vptr_update(void** vptr, void* value) { (void)vptr, (void)value; }
void __tsan_vptr_read(void** vptr) { (void)vptr; }

#define ACCESS(name) \
  void __tsan_##name(void* address) { (void)address; }
#define ACCESSES(size)                                                                                              \
  ACCESS(read##size) ACCESS(write##size) ACCESS(volatile_read##size) ACCESS(volatile_write##size)                   \
  ACCESS(unaligned_read##size) ACCESS(unaligned_write##size) ACCESS(unaligned_volatile_read##size)                  \
  ACCESS(unaligned_volatile_write##size) ACCESS(read_write##size) ACCESS(unaligned_read_write##size)
ACCESSES(1) ACCESSES(2) ACCESSES(4) ACCESSES(8) ACCESSES(16)

#define FETCH(bits, name)                                                                                           \
  uint##bits##_t __tsan_atomic##bits##_fetch_##name(volatile uint##bits##_t* a, uint##bits##_t v, int order) {      \
    (void)order;                                                                                                    \
    return __atomic_fetch_##name(a, v, __ATOMIC_SEQ_CST);                                                           \
  }
static __thread uint64_t last_loaded;
#define ATOMICS(bits)                                                                                               \
  uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t* a, int order) {                          \
    (void)order;                                                                                                    \
    return last_loaded = __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                      \
  }                                                                                                                 \
  void __tsan_atomic##bits##_store(volatile uint##bits##_t* a, uint##bits##_t v, int order) {                       \
    (void)order;                                                                                                    \
    __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                                       \
  }                                                                                                                 \
  uint##bits##_t __tsan_atomic##bits##_exchange(volatile uint##bits##_t* a, uint##bits##_t v, int order) {          \
    (void)order;                                                                                                    \
    return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                                                             \
  }                                                                                                                 \
  FETCH(bits, add) FETCH(bits, sub) FETCH(bits, and) FETCH(bits, or) FETCH(bits, xor) FETCH(bits, nand)             \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile uint##bits##_t* a, uint##bits##_t* e, uint##bits##_t v, \
                                                    int success, int failure) {                                     \
    (void)success, (void)failure;                                                                                   \
    return __atomic_compare_exchange_n(a, e, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                             \
  }                                                                                                                 \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile uint##bits##_t* a, uint##bits##_t* e, uint##bits##_t v,  \
                                                  int success, int failure) {                                       \
    return __tsan_atomic##bits##_compare_exchange_strong(a, e, v, success, failure);                                \
  }                                                                                                                 \
  uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(volatile uint##bits##_t* a, uint##bits##_t e,           \
                                                            uint##bits##_t v, int success, int failure) {           \
    __tsan_atomic##bits##_compare_exchange_strong(a, &e, v, success, failure);                                      \
    return e;                                                                                                       \
  }
ATOMICS(8) ATOMICS(16) ATOMICS(32) ATOMICS(64)
void __tsan_atomic_thread_fence(int order) { (void)order; __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int order) { (void)order; }
void* __tsan_memcpy(void* to, const void* from, size_t size) { return memcpy(to, from, size); }
void* __tsan_memmove(void* to, const void* from, size_t size) { return memmove(to, from, size); }
void* __tsan_memset(void* to, int byte, size_t size) { return memset(to, byte, size); }

/* include/ordeal/inside/runtime_calls.h, include/ordeal/ordeal.h */
static uint64_t load(const volatile void* address, unsigned size) {
  uint64_t value = 0;
  if (size == 1) value = __atomic_load_n((const volatile uint8_t*)address, __ATOMIC_SEQ_CST);
  if (size == 2) value = __atomic_load_n((const volatile uint16_t*)address, __ATOMIC_SEQ_CST);
  if (size == 4) value = __atomic_load_n((const volatile uint32_t*)address, __ATOMIC_SEQ_CST);
  if (size == 8) value = __atomic_load_n((const volatile uint64_t*)address, __ATOMIC_SEQ_CST);
  return value;
}
static unsigned long weak_calls;
int __ordeal_compare_exchange_weak(volatile void* address, void* expected, const void* desired, unsigned size, int order,
                                   int failure_order) {
  __atomic_fetch_add(&weak_calls, 1, __ATOMIC_RELAXED);
#define COMPARE_EXCHANGE(bits)                                                                              \
  if (size == bits / 8)                                                                                     \
    return __tsan_atomic##bits##_compare_exchange_strong((volatile uint##bits##_t*)address, (uint##bits##_t*)expected, \
                                                         *(const uint##bits##_t*)desired, order, failure_order);
  COMPARE_EXCHANGE(8) COMPARE_EXCHANGE(16) COMPARE_EXCHANGE(32) COMPARE_EXCHANGE(64)
  abort();  /* nobody asks for more here */
}
unsigned long stub_weak_calls(void) { return weak_calls; }
void __ordeal_atomic_wait(const volatile void* address, unsigned size, unsigned long long old, int order) {
  (void)order;
  while (load(address, size) == old) sched_yield();
}
void __ordeal_atomic_await(const volatile void* address, unsigned size, unsigned long long old, int order) {
  __ordeal_atomic_wait(address, size, old, order);
}
static volatile char in_step;
void __ordeal_begin_step(const volatile void* object) {
  (void)object;
  while (__atomic_test_and_set(&in_step, __ATOMIC_ACQUIRE)) sched_yield();
}
void __ordeal_end_step(const volatile void* object) {
  (void)object;
  __atomic_clear(&in_step, __ATOMIC_RELEASE);
}
int __ordeal_atomic_wait_timed(const volatile void* address, unsigned size, unsigned long long old, int order) {
  (void)order;
  return load(address, size) != old;
}
unsigned long long __ordeal_last_seen(const volatile void* address, unsigned size) { (void)address, (void)size; return last_loaded; }
void __ordeal_atomic_notify(const volatile void* address, int all) { (void)address, (void)all; }
int __ordeal_mutex_trylock(void* mutex) { return pthread_mutex_trylock(mutex); }
int __ordeal_mutex_unlock(void* mutex) { return pthread_mutex_unlock(mutex); }
int __ordeal_rwlock_tryrdlock(void* lock) { return pthread_rwlock_tryrdlock(lock); }
int __ordeal_rwlock_trywrlock(void* lock) { return pthread_rwlock_trywrlock(lock); }
void __ordeal_at_thread_exit(void (*run)(void*), void* object) { (void)run, (void)object; }  /* nobody asks for it here */
void __ordeal_misuse(const volatile void* object, const char* what) { (void)object, (void)what; }  /* what RMWs saw is not known here */
void __ordeal_assume(int condition) { if (!condition) _exit(0); }
unsigned int __ordeal_choose(unsigned int n) { return n - 1; }
void __ordeal_check(int condition, const char* what, const char* file, unsigned int line) {
  if (condition) return;
  fprintf(stderr, "%s:%u: %s\n", file, line, what);
  _exit(66);
}

/* base/wrapped_functions.h: aliases of the real functions do, as far as tests call them */
#define WRAP(type, name, parameters, arguments) \
  type __wrap_##name parameters { return name arguments; }
#define WRAP_PRINT(name, parameters, arguments)   \
  int __wrap_##name parameters {                  \
    va_list rest;                                 \
    va_start(rest, format);                       \
    const int result = v##name arguments;         \
    va_end(rest);                                 \
    return result;                                \
  }
WRAP_PRINT(printf, (const char* format, ...), (format, rest))
WRAP_PRINT(fprintf, (FILE* file, const char* format, ...), (file, format, rest))
WRAP(void*, memcpy, (void* a, const void* b, size_t n), (a, b, n))
WRAP(void*, mempcpy, (void* a, const void* b, size_t n), (a, b, n))
WRAP(void*, memmove, (void* a, const void* b, size_t n), (a, b, n))
WRAP(void*, memset, (void* a, int b, size_t n), (a, b, n))
WRAP(int, memcmp, (const void* a, const void* b, size_t n), (a, b, n))
WRAP(void*, memchr, (const void* a, int b, size_t n), (a, b, n))
WRAP(int, bcmp, (const void* a, const void* b, size_t n), (a, b, n))
WRAP(void, bzero, (void* a, size_t n), (a, n))
WRAP(size_t, strlen, (const char* a), (a))
WRAP(size_t, strnlen, (const char* a, size_t n), (a, n))
WRAP(int, strcmp, (const char* a, const char* b), (a, b))
WRAP(int, strncmp, (const char* a, const char* b, size_t n), (a, b, n))
WRAP(int, strcasecmp, (const char* a, const char* b), (a, b))
WRAP(int, strncasecmp, (const char* a, const char* b, size_t n), (a, b, n))
WRAP(char*, strchr, (const char* a, int b), (a, b))
WRAP(char*, strrchr, (const char* a, int b), (a, b))
WRAP(char*, strstr, (const char* a, const char* b), (a, b))
WRAP(char*, strcpy, (char* a, const char* b), (a, b))
WRAP(char*, stpcpy, (char* a, const char* b), (a, b))
WRAP(char*, strncpy, (char* a, const char* b, size_t n), (a, b, n))
WRAP(char*, strcat, (char* a, const char* b), (a, b))
WRAP(char*, strncat, (char* a, const char* b, size_t n), (a, b, n))
WRAP(char*, strdup, (const char* a), (a))
WRAP(char*, strndup, (const char* a, size_t n), (a, n))

static void interrupted(int signal) { (void)signal; }

static void copy_result(int descriptor) {
  const char* name = getenv("STUB_RESULT");
  FILE* file = name ? fopen(name, "rb") : NULL;
  char buffer[4096];
  size_t count;
  while (file && (count = fread(buffer, 1, sizeof buffer, file)) > 0)
    if (write(descriptor, buffer, count) < 0) _exit(99);
}

__attribute__((constructor)) static void start(void) {
  const char* options = getenv("ORDEAL_OPTIONS");
  const char* at = options ? strstr(options, "result_fd=") : NULL;
  if (!at) return;
  if (getenv("STUB_LOG")) {
    FILE* log = fopen(getenv("STUB_LOG"), "w");
    fprintf(log, "%s\n", options);
    const char* replay = strstr(options, "replay_fd=");
    char buffer[4096];
    ssize_t count = replay ? read(atoi(replay + 10), buffer, sizeof buffer) : 0;
    if (count > 0) fwrite(buffer, 1, (size_t)count, log);
    fclose(log);
  }
  if (getenv("STUB_SIGNAL")) raise(atoi(getenv("STUB_SIGNAL")));
  if (getenv("STUB_SLEEP")) {
    struct sigaction action = {.sa_handler = interrupted};
    sigaction(SIGINT, &action, NULL);
    if (write(1, "sleeping\n", 9) != 9 || sleep(60) == 0) _exit(98);
  }
  copy_result(atoi(at + 10));
  _exit(getenv("STUB_EXIT") ? atoi(getenv("STUB_EXIT")) : 0);
}
