// Spellings that published families of C tests use: herd's catalogue (c11popl15), diy7 -arch C, litmus7's tests, Dat3M's
// C11 folder, memalloy, c4, McKenney's out-of-thin-air tests, and the old CPP11 tests. The tests here are ours.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "litmus/printer.h"
#include "parsing.h"

namespace ordeal::litmus::testing {
namespace {

/// What a test does, without its types: initial values by name, bodies, condition.
std::string meaning(const LitmusTest& test) {
  std::vector<std::string> locations;
  for (const auto& location : test.locations)
    locations.push_back(location.name + "=" + dump_value(test, location.initial));
  std::sort(locations.begin(), locations.end());
  std::string text;
  for (const auto& location : locations) text += location + " ";
  for (const auto& thread : test.threads) text += "| " + Dumper(test, thread).dump(thread.body) + " ";
  for (const auto& observable : test.shown) text += "+ " + test.name_of(observable) + " ";
  static constexpr const char* kQuantifiers[] = {"exists", "not exists", "forall"};
  return text + kQuantifiers[static_cast<int>(test.quantifier)] + " " + dump(test, test.condition);
}

struct Spelling {
  const char* what;
  const char* text;
};

// --- one test in many spellings ----------------------------------------------------------------------------------------

constexpr std::string_view kMessagePassing =
    "x=0 y=0 | store[plain](x, 1); store[rel](y, 1) | r0 = load[acq](y); r1 = load[plain](x) "
    "exists (and 1:r0=1 1:r1=0)";

constexpr Spelling kMessagePassings[] = {
    {"diy7 -arch C", R"(C MP+ponarel+poacqna
"PodWWNaRel RfeRelAcq PodRRAcqNa Fre"
Cycle=Fre PodWWNaRel RfeRelAcq PodRRAcqNa
Relax=
Safe=PodWW PodRR [Fre,Rfe]
Generator=diy7 (version 7.57+1)
Prefetch=0:x=F,0:y=W,1:y=F,1:x=T
Com=Rf Fr
Orig=PodWWNaRel RfeRelAcq PodRRAcqNa Fre

{}

P0 (atomic_int* y,volatile int* x) {
  *x = 1;
  atomic_store_explicit(y,1,memory_order_release);
}

P1 (atomic_int* y,volatile int* x) {
  int r0 = atomic_load_explicit(y,memory_order_acquire);
  int r1 = *x;
}

exists (1:r0=1 /\ 1:r1=0)
)"},
    {"the catalogue: brackets, types of every thread", R"(C mp
{ [x] = 0; [y] = 0; }

P0 (volatile int* x, atomic_int* y) {
  *x = 1;
  atomic_store_explicit(y, 1, memory_order_release);
}

P1 (int* x, volatile atomic_int *y) {
  int r0 = atomic_load_explicit(y, memory_order_acquire);
  int r1 = *x;
}

exists (1:r0=1 /\ 1:r1=0))"},
    {"a comment between name and state, the state on lines", R"(C mp_relacq

(*
 * Taken from somewhere: it isn't "ours"
 *)

{
[x] = 0;
[y] = 0
}
P0 (atomic_int* y, int* x) {
 *x = 1;
 atomic_store_explicit(y,1,memory_order_release);
}
P1 (atomic_int* y, int* x) {
 int r0 = atomic_load_explicit(y,memory_order_acquire);
 int r1 = *x;
}
exists(1:r0=1 /\ 1:r1=0)
(* Bad outcome. **)
)"},
    {"memalloy: void on its own line, registers first, ==", R"(C test_0
// Hint: try simulating with herd7 <test_0.litmus>

// Declaring global variables.
{
  x = 0;
  y = 0;
}

// Thread 0
void
P0(int *x, atomic_int *y)
{ *x = 1; /* release */ atomic_store_explicit(y, 1, memory_order_release); }

// Thread 1
void
P1(int *x, atomic_int *y)
{
    int r0;
    int r1;
    r0 = atomic_load_explicit(y, memory_order_acquire);
    r1 = *x;
}

exists
(1:r0 == 1 /\ 1:r1 == 0)

)"},
    {"old: CPP11, no declarations, LK", R"(CPP11 MP
"PodWWNaRel RfeRelAcq PodRRAcqNa Fre"
{ x=0; y=0; }
P0 (atomic_int* x, atomic_int* y) {
  *x = 1;
  atomic_store_explicit(y, 1, memory_order_release);
}
P1 (atomic_int* x, atomic_int* y) {
  r0 = atomic_load_explicit(y, memory_order_acquire);
  r1 = *x;
}
LK
  x:nonatomic, y:atomic
exists
(1:r0 = 1 /\ 1:r1 = 0))"},
    {"C11; types in the state", R"(C11 MP
{ int x = 0; atomic_int y = ATOMIC_VAR_INIT(0); }
P0 (int* x, atomic_int* y) { *x = 1; atomic_store_explicit(y, 1, memory_order_release); }
P1 (int* x, atomic_int* y) { int r0 = atomic_load_explicit(y, memory_order_acquire); int r1 = *x; }
exists (1:r0=1 /\ 1:r1=0))"},
    {"types in the state without values", R"(C MP
{int x; atomic_int y;}
P0 (int* x, atomic_int* y) { *x = 1; atomic_store_explicit(y, 1, memory_order_release); }
P1 (int* x, atomic_int* y) { int r0 = atomic_load_explicit(y, memory_order_acquire); int r1 = *x; }
exists (1:r0=1 /\ 1:r1=0))"},
    {"fixed widths and _Atomic", R"(C MP
{ uint32_t x = 0x0; _Atomic uint32_t y; }
P0 (uint32_t *x, _Atomic(uint32_t) *y) { *x = 0x1; atomic_store_explicit(y, 1u, memory_order_release); }
P1 (uint32_t *x, _Atomic uint32_t *y) { uint32_t r0 = atomic_load_explicit(y, memory_order_acquire); uint32_t r1 = *x; }
exists (1:r0=0x1 /\ 1:r1=0))"},
    {"addresses of parameters and of locations", R"(C MP
{ x = 0; y = 0; }
P0 (int* x, atomic_int* y) { *(&*x) = 1; atomic_store_explicit(&*y, 1, memory_order_release); }
P1 (int* x, atomic_int* y) { int r0 = atomic_load_explicit(&y, memory_order_acquire); int r1 = *x; }
exists (1:r0=1 /\ 1:r1=0))"},
    {"atomic registers, empty statements, tabs and carriage returns",
     "C MP\r\n{\r\n\t[x] = 0;\r\n\t[y] = 0;\r\n}\r\n\r\nP0(int *x, atomic_int *y) {\r\n\t;\r\n\t*x = 1;;\r\n"
     "\tatomic_store_explicit(y, 1, memory_order_release);\r\n}\r\n\r\nP1(int *x, atomic_int *y) {\r\n"
     "\tatomic_int r0 = atomic_load_explicit(y, memory_order_acquire);\r\n\tint r1 = *x;\r\n}\r\n\r\n"
     "exists(1:r0=1 /\\ 1:r1=0)"},
    {"C++ names", R"(C MP
{ x = 0; y = 0; }
P0 (int* x, std::atomic_int* y) { *x = 1; std::atomic_store_explicit(y, 1, std::memory_order_release); }
P1 (int* x, std::atomic_int* y) { int r0 = atomic_load_explicit(y, std::memory_order::acquire); int r1 = *x; }
exists (1:r0=1 && 1:r1=0))"},
    {"parameters that no thread needs, in another order", R"(C MP
{ y=0; x=0 }
P0 (atomic_int* y, atomic_int* x) {
  *x = 1; // data
  atomic_store_explicit(y, 1, memory_order_release); // flag
} // P0
P1 (atomic_int* y, const int* const x) {
  int r0, r1;
  (r0) = atomic_load_explicit((y), memory_order_acquire);
  r1 = (*x);
}
exists ((1:r0=1) /\ (1:r1=0)))"},
    {"comments in odd places", R"((* first *)
C MP (* the name *) "info"
(* before *) { (* in *) [x]=0; // end
 /* y */ [y]=0; } (* after *)
P0 /* head */ (int* x, // x
 atomic_int* y) /* body */ { *x = /* one */ 1; atomic_store_explicit(y, 1, memory_order_release); }
(* between *)
P1 (int* x, atomic_int* y) { int r0 = atomic_load_explicit(y, memory_order_acquire); int r1 = *x; (* end *) }
exists (* what *) (1:r0=1 /* and */ /\ // more
 1:r1=0) (* last *))"},
};

TEST(Published, SpellingsOfMessagePassingMeanTheSame) {
  for (const auto& [what, text] : kMessagePassings) {
    SCOPED_TRACE(what);
    try {
      EXPECT_EQ(meaning(parse_test(text)), kMessagePassing);
    } catch (const ParseError& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

// --- states ------------------------------------------------------------------------------------------------------------

/// The locations of a test with P0 (atomic_int* x, int* y), types left out.
std::string values_of(const std::string& state) {
  const std::string text = meaning(parse_test("C t\n" + state + "\nP0 (atomic_int* x, int* y) { *y = 0; }"));
  return text.substr(0, text.find(" |"));
}

TEST(Published, StatesAreWrittenInManyWays) {
  EXPECT_EQ(values_of("{}"), "x=0 y=0");
  EXPECT_EQ(values_of("{ }"), "x=0 y=0");
  EXPECT_EQ(values_of("{;}"), "x=0 y=0");
  EXPECT_EQ(values_of("{x=0;\ny=0;\n}"), "x=0 y=0");
  EXPECT_EQ(values_of("{ x = 1 }"), "x=1 y=0");
  EXPECT_EQ(values_of("{ [x] = 1; [y] = -1 }"), "x=1 y=-1");
  EXPECT_EQ(values_of("{ [x]=0; [y]=0; [zero]=0; [one]=1; }"), "one=1 x=0 y=0 zero=0");
  EXPECT_EQ(values_of("{atomic_int x0 = 0;\natomic_int y0 = 0;}"), "x0=0 x=0 y0=0 y=0");
  EXPECT_EQ(values_of("{ int x=0; int y=0x10; }"), "x=0 y=16");
  EXPECT_EQ(values_of("{ volatile int y = 1; _Atomic int x = 2; }"), "x=2 y=1");
  EXPECT_EQ(values_of("{ y = 0 ; p = y; }"), "p=&y x=0 y=0");
  EXPECT_EQ(values_of("{ int *p = &y; }"), "p=&y x=0 y=0");
  EXPECT_EQ(values_of("{ y=z; z=7; }"), "x=0 y=&z z=7");
}

// --- bodies ------------------------------------------------------------------------------------------------------------

TEST(Published, BodiesAreWrittenInManyWays) {
  // Dependencies as diy7 writes them.
  EXPECT_EQ(body_of("int r0 = *z;\n*(v + (r0 & 128)) = 1;"), "r0 = load[plain](z); store[plain]((+ v (& r0 128)), 1)");
  EXPECT_EQ(body_of("int r1=-1; r2 = atomic_load_explicit(x+(r1 & 128),memory_order_relaxed);"),
            "r1 = -1; r2 = load[rlx]((+ x (& r1 128)))");
  EXPECT_EQ(body_of("int r0 = atomic_load_explicit(x,memory_order_relaxed);\n"
                    "atomic_store_explicit(y,1 + (r0 & 128),memory_order_relaxed);"),
            "r0 = load[rlx](x); store[rlx](y, (+ 1 (& r0 128)))");
  EXPECT_EQ(body_of("int r1 = *z; int r2 = (r1^r1)+r1; int r3 = r1 != 0; int r4 = 1 / r3; int r5 = 1/(r1 <= 0);"),
            "r1 = load[plain](z); r2 = (+ (^ r1 r1) r1); r3 = (!= r1 0); r4 = (/ 1 r3); r5 = (/ 1 (<= r1 0))");
  // Branches.
  EXPECT_EQ(body_of("int r1 = -1; if (1 == r1) {\n   r1 = *z;\n }"), "r1 = -1; if ((== 1 r1)) {r1 = load[plain](z)}");
  EXPECT_EQ(body_of("int r0 = 1;\n\tif (r0 <= 42)\n\t\tif (r0 >= 42)\n\t\t\tatomic_store_explicit(x, 42, "
                    "memory_order_relaxed);"),
            "r0 = 1; if ((<= r0 42)) {if ((>= r0 42)) {store[rlx](x, 42)}}");
  EXPECT_EQ(body_of("int r1 = 0; if (r1)\n *z = 1;\nelse\n *z = 2;"),
            "r1 = 0; if (r1) {store[plain](z, 1)} else {store[plain](z, 2)}");
  EXPECT_EQ(body_of("if (*z) { *v = 1; }"), "if (load[plain](z)) {store[plain](v, 1)}");
  EXPECT_EQ(body_of("int t = atomic_load_explicit(x, memory_order_acquire) + *z;\n\nif (t == 2) { }"),
            "t = (+ load[acq](x) load[plain](z)); if ((== t 2)) {}");
  EXPECT_EQ(body_of("*v = (*z == *z);"), "store[plain](v, (== load[plain](z) load[plain](z)))");
  // Read-modify-writes.
  EXPECT_EQ(
      body_of("int r0 = atomic_compare_exchange_strong_explicit(x,z,1,memory_order_acquire, memory_order_release);"),
      "r0 = cas[strong,acq,rlx](x, z, 1)");
  EXPECT_EQ(
      body_of("*z = atomic_load_explicit(x, memory_order_relaxed);\nwhile(atomic_compare_exchange_strong_explicit("
              "x, z, *z, memory_order_relaxed, memory_order_relaxed) == 0) {}"),
      "store[plain](z, load[rlx](x)); while ((== cas[strong,rlx,rlx](x, z, load[plain](z)) 0)) {}");
  EXPECT_EQ(body_of("int r0 = 0; r0 = 0; /* returns bool */ atomic_compare_exchange_strong_explicit(x, &r0, 2, "
                    "memory_order_relaxed, memory_order_relaxed);"),
            "r0 = 0; r0 = 0; cas[strong,rlx,rlx](x, &r0, 2)");
  EXPECT_EQ(
      body_of("int old; int new; do { old = atomic_load_explicit(x,memory_order_relaxed); new = old+1; } while\n"
              "(!atomic_compare_exchange_weak_explicit\n(x,&old,new,memory_order_relaxed,memory_order_relaxed));"),
      "do {old = load[rlx](x); new = (+ old 1)} while ((! cas[weak,rlx,rlx](x, &old, new)))");
  EXPECT_EQ(body_of("atomic_compare_exchange_strong(x,z,2);"), "cas[strong,sc,sc](x, z, 2)");
  EXPECT_EQ(body_of("atomic_fetch_add_explicit(z,1,memory_order_seq_cst);"), "add[sc](z, 1)");  // on a plain int
  EXPECT_EQ(body_of("int volatile r0 = 0; if (!!(0 == atomic_fetch_xor_explicit(x, 0, memory_order_acq_rel))) {  }"),
            "r0 = 0; if ((! (! (== 0 xor[ar](x, 0))))) {}");
  EXPECT_EQ(
      body_of("bool b = atomic_flag_test_and_set(x); atomic_exchange_explicit(x, b ? 1 : 0, memory_order_release);"),
      "b = xchg[sc](x, 1); xchg[rel](x, (? b 1 0))");
  // Accesses to plain pointers, addresses of parameters.
  EXPECT_EQ(body_of("int r0 = atomic_load_explicit(&x, memory_order_relaxed); atomic_store(&y, r0);"),
            "r0 = load[rlx](x); store[sc](y, r0)");
  EXPECT_EQ(body_of("atomic_store(v,1); atomic_store_explicit(v,2,memory_order_relaxed);"),
            "store[sc](v, 1); store[rlx](v, 2)");
  EXPECT_EQ(body_of("int t0 = *x; *y = 2;"), "t0 = load[plain](x); store[plain](y, 2)");
  EXPECT_EQ(body_of("atomic_thread_fence(memory_order_relaxed);\n*z = 1 ;"), "store[plain](z, 1)");
}

// --- what follows the threads ------------------------------------------------------------------------------------------

/// "exists (0:r0=1)" as the tree of its condition.
std::string ending(const std::string& text) {
  const LitmusTest test = parse_test(with_condition(text));
  const std::string all = meaning(test);
  return all.substr(all.rfind("p = x ") + 6);
}

TEST(Published, ConditionsAreWrittenInManyWays) {
  EXPECT_EQ(ending("exists (0:r0=1 /\\ (1:r0=0 \\/ 1:r0=2))"), "exists (and 0:r0=1 (or 1:r0=0 1:r0=2))");
  EXPECT_EQ(ending("exists\n(0:r0=1 /\\\n        0:r1=1 /\\\n        1:r0=2)"), "exists (and 0:r0=1 0:r1=1 1:r0=2)");
  EXPECT_EQ(ending("exists(x=1 /\\ y=1)"), "exists (and x=1 y=1)");
  EXPECT_EQ(ending("exists ([y]=2 /\\ 1:r0=0)"), "exists (and y=2 1:r0=0)");
  EXPECT_EQ(ending("exists 0:r1 != 0\n\n\n"), "exists 0:r1!=0");
  EXPECT_EQ(ending("exists(~(0:r0=0:r1))"), "exists (not 0:r0=0:r1)");
  EXPECT_EQ(ending("exists\n()"), "exists true");
  EXPECT_EQ(ending("exists (0: r0 = 0 /\\ P1: r0 = -1 /\\ x = 0xFF)"), "exists (and 0:r0=0 1:r0=-1 x=255)");
  EXPECT_EQ(ending("exists (1:p=x /\\ 0:r0=0)"), "exists (and 1:p=&x 0:r0=0)");
  EXPECT_EQ(ending("~exists y=0 /\\ x=2"), "not exists (and y=0 x=2)");
  EXPECT_EQ(ending("~ exists (x=1)"), "not exists x=1");
  EXPECT_EQ(ending("not exists\n(x=1)"), "not exists x=1");
  EXPECT_EQ(ending("forall y=1"), "forall y=1");
  EXPECT_EQ(ending("forall ( x = 1 )"), "forall x=1");
  EXPECT_EQ(ending("forall\n((0:r0 == 0 /\\ x == 1) \\/ ((x == 2 /\\ y == 1) \\/ (x == 1 /\\ 0:r0 == 2)))"),
            "forall (or (and 0:r0=0 x=1) (and x=2 y=1) (and x=1 0:r0=2))");
  EXPECT_EQ(ending("forall (true /\\ ([y]=1 /\\ ([x]=2 /\\ (1:r0=1 \\/ 1:r0=0) \\/ [x]=1 /\\ (1:r0=1 \\/ 1:r0=0))))"),
            "forall (and true y=1 (or (and x=2 (or 1:r0=1 1:r0=0)) (and x=1 (or 1:r0=1 1:r0=0))))");
  EXPECT_EQ(ending("locations [x;y]\nexists(0:r0=42)\n(* No OOTA cycles *)\n"), "+ x + y exists 0:r0=42");
  EXPECT_EQ(ending("locations[0:r0;1:r0;x;y]\nexists(x=1)"), "+ 0:r0 + 1:r0 + x + y exists x=1");
  EXPECT_EQ(ending("locations [x; y; 0:r0;]\n"), "+ x + y + 0:r0 forall true");
  EXPECT_EQ(ending("locations [0:r0; [x]; *y]"), "+ 0:r0 + x + y forall true");
  EXPECT_EQ(ending("LK\n  x:nonatomic, y:atomic\n\nexists \n  (x = 42)"), "exists x=42");
  EXPECT_EQ(ending("regions: x:PROP\n\nforall ( x = 1 )"), "forall x=1");
  EXPECT_EQ(ending("filter (x=1)\nexists (y=1)"), "exists y=1");
  EXPECT_EQ(ending(""), "forall true");
}

// --- whole tests -------------------------------------------------------------------------------------------------------

TEST(Published, APointerIsPublished) {
  EXPECT_EQ(meaning(parse_test(R"(C MP_relcon_addr
{ y = 0 ; p = y; }
P0 (_Atomic (int *) *p,volatile int* x) {
  *x = 1;
  atomic_store_explicit(p,x,memory_order_release);
}
P1 (_Atomic (int *) *p,volatile int* x) {
  int *r0 = atomic_load_explicit(p,memory_order_consume);
  int r1 = -1;
  if (r0 == x) {
    r1 = *r0;
  }
}
~exists (1:r0=x /\ 1:r1=0)
)")),
            "p=&y x=0 y=0 | store[plain](x, 1); store[rel](p, x) | r0 = load[con](p); r1 = -1; "
            "if ((== r0 x)) {r1 = load[plain](r0)} not exists (and 1:r0=&x 1:r1=0)");
}

TEST(Published, FamiliesHaveIllegalOrders) {
  const LitmusTest test = parse_test(R"(C a1+Wacq+rel
{ [x] = 0; [y] = 0; [zero] = 0; }

P0 (atomic_int* x, atomic_int* y, atomic_int* zero) {
  atomic_store_explicit(y, 0, memory_order_acquire);
  int t8 = atomic_load_explicit(y, memory_order_release);
  atomic_store_explicit(x, 1, memory_order_release);
}

P1 (atomic_int* x, volatile int* y) {
  int r1 = atomic_load_explicit(x, memory_order_acquire);
  if (r1) {
    *y = 1;
  }
}

exists(x=1 /\ y=1)
)");
  EXPECT_EQ(meaning(test),
            "x=0 y=0 zero=0 | store[rlx](y, 0); t8 = load[rlx](y); store[rel](x, 1) | "
            "r1 = load[acq](x); if (r1) {store[plain](y, 1)} exists (and x=1 y=1)");
  ASSERT_EQ(test.notes.size(), 2U);
  EXPECT_EQ(test.notes[0].position.line, 5);
  EXPECT_EQ(test.notes[1].message, "a load cannot be release; taken as relaxed, as herd does");
  const LitmusTest again = parse_test(to_source(test));
  EXPECT_EQ(dump(again), dump(test));
  EXPECT_TRUE(again.notes.empty());
}

// --- what stays refused ------------------------------------------------------------------------------------------------

TEST(Published, OtherDialectsAreRefusedByName) {
  EXPECT_EQ(error_in_condition("exists (1:r7=1)"), "11: unknown register 'r7' in P1");
  EXPECT_EQ(error_in_condition("locations [0:r7;]"), "14: unknown register 'r7' in P0");
  EXPECT_EQ(error_of("C t\n{}\nP0 (int *x) {\n  int r0 = READ_ONCE(*x);\n}"),
            "4:12: unsupported call 'READ_ONCE' (Linux kernel litmus tests are another dialect)");
  EXPECT_EQ(error_of("CPP11 t\n{ x=0; }\n P0 | P1 ;"),
            "3:5: unsupported threads in columns (threads are C functions 'P0 (…) { … }')");
  EXPECT_EQ(error_of("C t\n{ __int128 x; }\nP0 () {}"), "2:3: unsupported type '__int128'");
  EXPECT_EQ(error_of("C t\n{ atomic_int y[2] = {0, 0}; }\nP0 () {}"), "2:15: unsupported array");
  EXPECT_EQ(error_of("C t\n{}\nP0(atomic_int a[]) {}"), "3:16: unsupported array");
  EXPECT_EQ(error_in_body("*v = (*z == (*z = 3));"), "17: unsupported assignment inside an expression");
  EXPECT_EQ(error_in_body("atomic_int k = 1; int r0 = atomic_load(&k);"),
            "40: unsupported address of a local variable (only as the expected value of a compare-exchange)");
  EXPECT_EQ(error_in_body("loop: ;"), "1: unsupported label 'loop'");
  EXPECT_EQ(error_in_body("lock(x);"), "1: unsupported call 'lock' (litmus tests have no mutexes)");
}

}  // namespace
}  // namespace ordeal::litmus::testing
