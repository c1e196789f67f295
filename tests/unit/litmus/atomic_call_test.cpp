#include <gtest/gtest.h>

#include "parsing.h"

namespace ordeal::litmus::testing {
namespace {

TEST(AtomicCalls, LoadsAreExpressions) {
  EXPECT_EQ(body_of("r0 = atomic_load(x); r1 = atomic_load_explicit(x, memory_order_relaxed);"),
            "r0 = load[sc](x); r1 = load[rlx](x)");
}

TEST(AtomicCalls, StoresAreStatements) {
  EXPECT_EQ(body_of("atomic_store(x, 1); atomic_store_explicit(x, 2 + 3, memory_order_release);"),
            "store[sc](x, 1); store[rel](x, (+ 2 3))");
  EXPECT_EQ(body_of("atomic_init(x, 5);"), "store[plain](x, 5)");
  EXPECT_EQ(error_in_body("r0 = atomic_store(x, 1);"), "6: 'atomic_store' has no value");
  EXPECT_EQ(error_in_body("if (atomic_thread_fence(memory_order_seq_cst)) {}"),
            "5: 'atomic_thread_fence' has no value");
}

TEST(AtomicCalls, ReadModifyWrites) {
  EXPECT_EQ(body_of("r0 = atomic_exchange(x, 1); r1 = atomic_exchange_explicit(x, 1, memory_order_acq_rel);"),
            "r0 = xchg[sc](x, 1); r1 = xchg[ar](x, 1)");
  EXPECT_EQ(body_of("atomic_fetch_add(x, 1); atomic_fetch_sub(x, 2); atomic_fetch_or(x, 3); atomic_fetch_and(x, 4); "
                    "atomic_fetch_xor(x, 5);"),
            "add[sc](x, 1); sub[sc](x, 2); or[sc](x, 3); and[sc](x, 4); xor[sc](x, 5)");
  EXPECT_EQ(body_of("atomic_fetch_add_explicit(x, 1, memory_order_relaxed); atomic_fetch_sub_explicit(x, 2, "
                    "memory_order_consume); atomic_fetch_or_explicit(x, 3, memory_order_acquire); "
                    "atomic_fetch_and_explicit(x, 4, memory_order_release); atomic_fetch_xor_explicit(x, 5, "
                    "memory_order_seq_cst);"),
            "add[rlx](x, 1); sub[con](x, 2); or[acq](x, 3); and[rel](x, 4); xor[sc](x, 5)");
}

TEST(AtomicCalls, CompareExchangesExpectALocal) {
  EXPECT_EQ(body_of("int e = 1; r0 = atomic_compare_exchange_strong(x, &e, 2);"),
            "e = 1; r0 = cas[strong,sc,sc](x, &e, 2)");
  EXPECT_EQ(body_of("int e; atomic_compare_exchange_weak(x, &e, 2);"), "cas[weak,sc,sc](x, &e, 2)");
  EXPECT_EQ(body_of("int e; r0 = atomic_compare_exchange_strong_explicit(x, &e, 2, memory_order_acq_rel, "
                    "memory_order_acquire);"),
            "r0 = cas[strong,ar,acq](x, &e, 2)");
  EXPECT_EQ(body_of("int e; if (atomic_compare_exchange_weak_explicit(x, &e, 2, memory_order_relaxed, "
                    "memory_order_seq_cst)) {}"),
            "if (cas[weak,rlx,sc](x, &e, 2)) {}");
  EXPECT_EQ(locals_of("r0 = atomic_compare_exchange_strong(x, &r1, 2);"), "i32 r0; i32 r1");
}

TEST(AtomicCalls, CompareExchangesExpectMemory) {
  EXPECT_EQ(body_of("r0 = atomic_compare_exchange_strong(x, z, 2);"), "r0 = cas[strong,sc,sc](x, z, 2)");
  EXPECT_EQ(body_of("int* p = z; r0 = atomic_compare_exchange_strong(x, p, 2);"),
            "p = z; r0 = cas[strong,sc,sc](x, p, 2)");
  EXPECT_EQ(body_of("r0 = atomic_compare_exchange_strong(x, &z, *z);"), "r0 = cas[strong,sc,sc](x, z, load[plain](z))");
  const LitmusTest test =
      parse_test("C t { zero = 0; } P0 (atomic_int* x) { atomic_compare_exchange_strong(x, &zero, 1); }");
  EXPECT_EQ(Dumper(test, test.threads[0]).dump(test.threads[0].body), "cas[strong,sc,sc](x, &zero, 1)");
  EXPECT_EQ(error_in_body("int e; atomic_compare_exchange_strong(x, e, 2);"),
            "42: expected a pointer to the expected value: '&r' for a local variable 'r', or a pointer");
  EXPECT_EQ(error_in_body("atomic_compare_exchange_strong(x, 0, 2);"),
            "35: expected a pointer to the expected value: '&r' for a local variable 'r', or a pointer");
}

TEST(AtomicCalls, Fences) {
  EXPECT_EQ(body_of("atomic_thread_fence(memory_order_acquire); atomic_thread_fence(memory_order_release); "
                    "atomic_thread_fence(memory_order_acq_rel); atomic_thread_fence(memory_order_seq_cst); "
                    "atomic_thread_fence(memory_order_consume);"),
            "fence[acq]; fence[rel]; fence[ar]; fence[sc]; fence[con]");
  EXPECT_EQ(body_of("atomic_thread_fence(memory_order_relaxed); atomic_signal_fence(memory_order_seq_cst);"), "");
  EXPECT_EQ(error_in_body("atomic_signal_fence(abc);"), "21: expected a memory order, found 'abc'");
}

TEST(AtomicCalls, Flags) {
  const LitmusTest test = parse_test(
      "C t {} P0 (atomic_flag* f) { r0 = atomic_flag_test_and_set(f); atomic_flag_clear(f); "
      "while (atomic_flag_test_and_set_explicit(f, memory_order_acquire)) {} "
      "atomic_flag_clear_explicit(f, memory_order_release); }");
  EXPECT_EQ(Dumper(test, test.threads[0]).dump(test.threads[0].body),
            "r0 = xchg[sc](f, 1); store[sc](f, 0); while (xchg[acq](f, 1)) {}; store[rel](f, 0)");
  EXPECT_EQ(dump_locations(test), "atomic bool f = 0");
}

TEST(AtomicCalls, OrdersHaveManySpellings) {
  EXPECT_EQ(
      body_of("atomic_load_explicit(x, memory_order::acquire); atomic_load_explicit(x, std::memory_order_acquire); "
              "atomic_load_explicit(x, std::memory_order::acquire); atomic_load_explicit(x, acquire); "
              "std::atomic_load_explicit(x, memory_order_acquire);"),
      "load[acq](x); load[acq](x); load[acq](x); load[acq](x); load[acq](x)");
  EXPECT_EQ(
      body_of("atomic_load_explicit(x, relaxed); atomic_load_explicit(x, consume); atomic_load_explicit(x, seq_cst); "
              "atomic_store_explicit(x, 1, release); atomic_fetch_add_explicit(x, 1, acq_rel);"),
      "load[rlx](x); load[con](x); load[sc](x); store[rel](x, 1); add[ar](x, 1)");
}

TEST(AtomicCalls, MayOccurInConditionsAndArguments) {
  EXPECT_EQ(body_of("if (atomic_load_explicit(x, memory_order_acquire) == 1 && atomic_load(y)) "
                    "atomic_store(y, atomic_load(x) + 1);"),
            "if ((&& (== load[acq](x) 1) load[sc](y))) {store[sc](y, (+ load[sc](x) 1))}");
}

TEST(AtomicCalls, MayUsePlainLocationsAndLocalPointers) {
  EXPECT_EQ(body_of("atomic_store(z, 1); int* p = z; r0 = atomic_load(p); r1 = atomic_load((atomic_int*)p);"),
            "store[sc](z, 1); p = z; r0 = load[sc](p); r1 = load[sc](p)");
}

TEST(AtomicCalls, OfAnIllegalOrderOnlyThePartThatFitsCounts) {
  EXPECT_EQ(body_of("atomic_store_explicit(x, 1, memory_order_consume); atomic_store_explicit(x, 2, "
                    "memory_order_acquire); atomic_store_explicit(x, 3, memory_order_acq_rel);"),
            "store[rlx](x, 1); store[rlx](x, 2); store[rel](x, 3)");
  EXPECT_EQ(body_of("atomic_load_explicit(x, memory_order_release); atomic_load_explicit(x, memory_order_acq_rel);"),
            "load[rlx](x); load[acq](x)");
  EXPECT_EQ(body_of("atomic_flag_clear_explicit(x, acquire); atomic_flag_clear_explicit(x, acq_rel);"),
            "store[rlx](x, 0); store[rel](x, 0)");
  EXPECT_EQ(body_of("int e; atomic_compare_exchange_strong_explicit(x, &e, 1, acq_rel, release); "
                    "atomic_compare_exchange_weak_explicit(x, &e, 1, seq_cst, acq_rel);"),
            "cas[strong,ar,rlx](x, &e, 1); cas[weak,sc,acq](x, &e, 1)");
}

TEST(AtomicCalls, IllegalOrdersAreNoted) {
  const auto note = [](const std::string& body) {
    const auto notes = notes_in_body(body);
    return notes.size() == 1 ? notes[0] : std::to_string(notes.size()) + " notes";
  };
  EXPECT_EQ(note("atomic_store_explicit(x, 1, memory_order_acquire);"),
            "29: a store cannot be acquire; taken as relaxed, as herd does");
  EXPECT_EQ(note("atomic_store_explicit(x, 1, consume);"),
            "29: a store cannot be consume; taken as relaxed, as herd does");
  EXPECT_EQ(note("atomic_store_explicit(x, 1, memory_order::acq_rel);"),
            "43: a store cannot be acq_rel; taken as release, as herd does");
  EXPECT_EQ(note("r0 = atomic_load_explicit(x, memory_order_release);"),
            "30: a load cannot be release; taken as relaxed, as herd does");
  EXPECT_EQ(note("r0 = atomic_load_explicit(x, memory_order_acq_rel);"),
            "30: a load cannot be acq_rel; taken as acquire, as herd does");
  EXPECT_EQ(note("atomic_flag_clear_explicit(x, memory_order_acquire);"),
            "31: a store cannot be acquire; taken as relaxed, as herd does");
  EXPECT_EQ(note("atomic_compare_exchange_strong_explicit(x, z, 1, acq_rel, release);"),
            "59: a failing compare-exchange cannot be release; taken as relaxed, as herd does");
  EXPECT_EQ(note("atomic_compare_exchange_weak_explicit(x, z, 1, seq_cst, acq_rel);"),
            "57: a failing compare-exchange cannot be acq_rel; taken as acquire, as herd does");
}

TEST(AtomicCalls, LegalOrdersAreNotNoted) {
  for (const std::string order : {"relaxed", "release", "seq_cst"})
    EXPECT_TRUE(notes_in_body("atomic_store_explicit(x, 1, " + order + ");").empty()) << order;
  for (const std::string order : {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"}) {
    SCOPED_TRACE(order);
    EXPECT_TRUE(notes_in_body("atomic_fetch_add_explicit(x, 1, " + order + ");").empty());
    EXPECT_TRUE(notes_in_body("atomic_thread_fence(" + order + ");").empty());
    EXPECT_TRUE(notes_in_body("atomic_compare_exchange_strong_explicit(x, z, 1, " + order + ", relaxed);").empty());
    if (order == "release" || order == "acq_rel") continue;
    EXPECT_TRUE(notes_in_body("r0 = atomic_load_explicit(x, " + order + ");").empty());
    EXPECT_TRUE(notes_in_body("atomic_compare_exchange_strong_explicit(x, z, 1, relaxed, " + order + ");").empty());
  }
}

TEST(AtomicCalls, NotesStandInTheOrderOfTheFile) {
  const auto notes = notes_in_body(
      "atomic_store_explicit(x, atomic_load_explicit(y, release), acquire);\n"
      "r0 = atomic_load_explicit(x, release);");
  ASSERT_EQ(notes.size(), 3U);
  EXPECT_EQ(notes[0].substr(0, 3), "50:");
  EXPECT_EQ(notes[1].substr(0, 3), "60:");
  EXPECT_EQ(notes[2].substr(0, 5), "5:30:");
}

TEST(AtomicCalls, WrongArgumentsAreErrors) {
  EXPECT_EQ(error_in_body("atomic_load_explicit(x);"), "23: too few arguments for 'atomic_load_explicit'");
  EXPECT_EQ(error_in_body("atomic_load(x, memory_order_acquire);"), "14: too many arguments for 'atomic_load'");
  EXPECT_EQ(error_in_body("atomic_store(x);"), "15: too few arguments for 'atomic_store'");
  EXPECT_EQ(error_in_body("atomic_store();"), "14: expected an argument, found ')'");
  EXPECT_EQ(error_in_body("atomic_store(x, 1"), "5:1: expected ')' after the arguments of 'atomic_store', found '}'");
  EXPECT_EQ(error_in_body("atomic_load_explicit(x, 5);"), "25: expected a memory order, found '5'");
  EXPECT_EQ(error_in_body("atomic_load_explicit(x, memory_order_weak);"),
            "25: expected a memory order, found 'memory_order_weak'");
  EXPECT_EQ(error_in_body("atomic_thread_fence();"), "21: expected a memory order, found ')'");
  EXPECT_EQ(error_in_body("int e; atomic_compare_exchange_strong_explicit(x, &e, 1, acquire);"),
            "65: too few arguments for 'atomic_compare_exchange_strong_explicit'");
  EXPECT_EQ(error_in_body("atomic_load(x 1);"), "15: expected ')' after the arguments of 'atomic_load', found '1'");
  EXPECT_EQ(error_in_body("atomic_store(x = 1);"), "16: unsupported assignment inside an expression");
}

TEST(AtomicCalls, UnsupportedOnesAreNamed) {
  const std::string linux_note = " (Linux kernel litmus tests are another dialect)";
  EXPECT_EQ(error_in_body("r0 = READ_ONCE(*x);"), "6: unsupported call 'READ_ONCE'" + linux_note);
  EXPECT_EQ(error_in_body("WRITE_ONCE(*x, 1);"), "1: unsupported call 'WRITE_ONCE'" + linux_note);
  EXPECT_EQ(error_in_body("smp_mb();"), "1: unsupported call 'smp_mb'" + linux_note);
  EXPECT_EQ(error_in_body("rcu_read_lock();"), "1: unsupported call 'rcu_read_lock'" + linux_note);
  EXPECT_EQ(error_in_body("r0 = atomic_add_unless(x, 1, 0);"), "6: unsupported call 'atomic_add_unless'" + linux_note);
  EXPECT_EQ(error_in_body("mtx_lock(x);"), "1: unsupported call 'mtx_lock' (litmus tests have no mutexes)");
  EXPECT_EQ(error_in_body("lock(x);"), "1: unsupported call 'lock' (litmus tests have no mutexes)");
  EXPECT_EQ(error_in_body("assert(1);"), "1: unsupported call 'assert'");
  EXPECT_EQ(error_in_body("atomic_thread_fence_explicit(relaxed);"),
            "1: unsupported call 'atomic_thread_fence_explicit'");
}

}  // namespace
}  // namespace ordeal::litmus::testing
