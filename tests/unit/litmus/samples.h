// Litmus tests in many spellings: what published collections contain, and every construct that the parser accepts.
// The round-trip test prints and reads them; the mutation test starts from them.
#pragma once

#include <string_view>

namespace ordeal::litmus::testing {

inline constexpr std::string_view kSamples[] = {
    R"(C SB
"PodWR Fre PodWR Fre"
Generator=diy7 (version 7.56)
Prefetch=0:x=F,0:y=T,1:y=F,1:x=T
Com=Fr Fr
Orig=PodWR Fre PodWR Fre

{}

P0 (atomic_int* y,atomic_int* x) {
  atomic_store_explicit(x,1,memory_order_relaxed);
  int r0 = atomic_load_explicit(y,memory_order_relaxed);
}

P1 (atomic_int* y,atomic_int* x) {
  atomic_store_explicit(y,1,memory_order_relaxed);
  int r0 = atomic_load_explicit(x,memory_order_relaxed);
}

exists (0:r0=0 /\ 1:r0=0)
)",
    R"(C MP_relacq
{ [x] = 0; [y] = 0; }

// message passing
P0 (atomic_int* y, int* x) {
  *x = 1;
  atomic_store_explicit(y, 1, memory_order_release);
}

P1 (atomic_int* y, volatile int* x) {
  int r0 = atomic_load_explicit(y, memory_order_acquire);
  int r1 = -1;
  if (r0 == 1) {
    r1 = *x;
  }
}

~exists
(1:r0 = 1 /\ 1:r1 = 0)
)",
    R"(C IRIW+sc (* independent reads (* of independent *) writes *)
{ x=0; y=0; }
P0 (atomic_int* x) { atomic_store(x, 1); }
P1 (atomic_int* y) { atomic_store(y, 1); }
P2 (atomic_int* x, atomic_int* y) { int r1 = atomic_load(x); int r2 = atomic_load(y); }
P3 (atomic_int* x, atomic_int* y) { int r3 = atomic_load(y); int r4 = atomic_load(x); }
locations [x; y; 2:r1;]
exists (2:r1=1 /\ 2:r2=0 /\ 3:r3=1 /\ 3:r4=0)
)",
    R"(C a1+Crel-acq+rel
{ [x] = 0; [y] = 0; [zero] = 0; }
P0 (atomic_int* x, atomic_int* y, atomic_int* zero) {
  atomic_compare_exchange_strong_explicit(y, zero, 2, memory_order_acq_rel, memory_order_relaxed);
  atomic_store_explicit(x, 1, memory_order_release);
}
P1 (atomic_int* x, volatile int* y) {
  int r1 = atomic_load_explicit(x, memory_order_acquire);
  if (r1) { *y = 1; }
}
exists(x=1 /\ y=1)
)",
    R"(C pointers
{ int y = 0; int *p = &y; q = x; 1:r9 = 7; 0:int* s = &y; }
P0 (_Atomic (int *) *p, volatile int* x, int* y) {
  *x = 1;
  atomic_store_explicit(p, x, memory_order_release);
  *s = 2;
}
P1 (int** p, atomic_int* q) {
  int *r0 = atomic_load_explicit(p, memory_order_consume);
  int r1 = -1;
  if (r0 == &x || r0 != NULL) { r1 = *r0; }
  int r2 = atomic_load(q);
  **p += 1;
  r9 = r9 + 1;
}
filter (1:r1=1 \/ not (1:r0=y))
~exists (1:r0=x /\ 1:r1=0 /\ 1:r2=&x)
)",
    R"(C read-modify-writes
{ atomic_int x = ATOMIC_VAR_INIT(1); atomic_flag f = ATOMIC_FLAG_INIT; uint64_t w = 0xFFFFFFFFFFFFFFFF; }
static void P0(atomic_int *x, atomic_flag* f, atomic_uint64_t* w) {
  int r0 = atomic_exchange(x, 2), r1;
  r1 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed);
  atomic_fetch_sub(x, 1); atomic_fetch_or(x, 4); atomic_fetch_and(x, ~4); atomic_fetch_xor(x, 0x1);
  while (atomic_flag_test_and_set_explicit(f, memory_order_acquire)) {}
  *x += 2; (*x)++; --*x; *x ^= 3;
  atomic_flag_clear_explicit(f, memory_order_release);
  r2 = *w;
}
void P1(std::atomic_int *x) {
  int e = 0;
  bool ok = atomic_compare_exchange_weak_explicit(x, &e, 5, memory_order::acq_rel, std::memory_order_acquire);
  if (!atomic_compare_exchange_strong(x, &e, e + 1)) atomic_store_explicit(x, 9, relaxed);
}
forall (x>=0 => (1:ok=1 \/ 0:r0!=1:e) /\ ~(0:r1<-3))
)",
    R"(C control
{}
P0 (atomic_int* x, int* z) {
  int i, n = 0x3;
  for (i = 0; i < n; i++) {
    if (i == 1) continue; else if (i > 2) break;
    int i = 5;
    *z = i ? i << 2 : ~i >> 1;
  }
  do { n--; { int n = 7; r5 = n; } } while (n > 0 && *z != 'a');
  for (;;) { return; }
  atomic_thread_fence(memory_order_seq_cst);
  atomic_thread_fence(acquire);
  atomic_signal_fence(memory_order_seq_cst);
  atomic_init(x, -9223372036854775808);
  (void)atomic_load(x); ;
}
P1 (int r) { unsigned char c = (unsigned char)(r + 257); int8_t d = (int8_t)c; r6 = (bool)d + -(3) - -4 * +2 % 3 / 1; }
exists (0:r5=7)
)",
    R"(C types
{ atomic_long l = -1; _Atomic int a; _Atomic(unsigned) b = 3; volatile int v=1; int8_t c = 200; bool t = true; }
P0 (atomic_long* l, _Atomic int *a, const volatile int* v, int8_t* c, bool* t, atomic_int** p) {
  long r0 = *l; int r1 = *a; int r2 = *v; char r3 = *c; _Bool r4 = *t; size_t r5 = 1u; intptr_t r6 = (intptr_t)p;
  short r7 = (short)r0; unsigned r8 = (unsigned)r1; uint8_t r9 = r1 == 1 ? 300 : 2;
}
)",
};

}  // namespace ordeal::litmus::testing
