#include "litmus/atomic_call.h"

#include <array>

namespace ordeal::litmus {
namespace {

using Kind = AtomicCall::Kind;

constexpr std::array<AtomicCall, 15> kCalls = {{
    {"load", Kind::kLoad},
    {"store", Kind::kStore},
    {"exchange", Kind::kRmw, RmwOp::kExchange},
    {"fetch_add", Kind::kRmw, RmwOp::kAdd},
    {"fetch_sub", Kind::kRmw, RmwOp::kSub},
    {"fetch_or", Kind::kRmw, RmwOp::kOr},
    {"fetch_and", Kind::kRmw, RmwOp::kAnd},
    {"fetch_xor", Kind::kRmw, RmwOp::kXor},
    {"compare_exchange_strong", Kind::kCompareExchange},
    {"compare_exchange_weak", Kind::kCompareExchange, RmwOp::kExchange, true},
    {"init", Kind::kInit},
    {"thread_fence", Kind::kThreadFence},
    {"signal_fence", Kind::kSignalFence},
    {"flag_test_and_set", Kind::kFlagTestAndSet},
    {"flag_clear", Kind::kFlagClear},
}};

std::string_view short_name(Order order) {
  switch (order) {
    case Order::kPlain: return "plain";
    case Order::kRelaxed: return "relaxed";
    case Order::kConsume: return "consume";
    case Order::kAcquire: return "acquire";
    case Order::kRelease: return "release";
    case Order::kAcqRel: return "acq_rel";
    case Order::kSeqCst: return "seq_cst";
  }
  return "seq_cst";
}

bool strip_prefix(std::string_view& name, std::string_view prefix) {
  if (name.substr(0, prefix.size()) != prefix) return false;
  name.remove_prefix(prefix.size());
  return true;
}

bool strip_suffix(std::string_view& name, std::string_view suffix) {
  if (name.size() < suffix.size() || name.substr(name.size() - suffix.size()) != suffix) return false;
  name.remove_suffix(suffix.size());
  return true;
}

/// Whether `name` is one of `words`, or begins with one that ends in `_`.
template <std::size_t size>
bool is_among(std::string_view name, const std::array<std::string_view, size>& words) {
  for (const auto word : words)
    if (name == word || (word.back() == '_' && name.substr(0, word.size()) == word)) return true;
  return false;
}

}  // namespace

bool AtomicCall::has_value() const {
  return kind == Kind::kLoad || kind == Kind::kRmw || kind == Kind::kCompareExchange || kind == Kind::kFlagTestAndSet;
}

bool AtomicCall::may_be_explicit() const {
  return kind != Kind::kInit && kind != Kind::kThreadFence && kind != Kind::kSignalFence;
}

std::optional<AtomicCallName> find_atomic_call(std::string_view name) {
  AtomicCallName found;
  found.full = name;
  if (!strip_prefix(name, "atomic_")) return std::nullopt;
  found.is_explicit = strip_suffix(name, "_explicit");
  for (const auto& call : kCalls)
    if (call.name == name && (call.may_be_explicit() || !found.is_explicit)) {
      found.call = call;
      return found;
    }
  return std::nullopt;
}

std::optional<Order> find_order(std::string_view name) {
  strip_prefix(name, "memory_order_");
  if (name == "relaxed") return Order::kRelaxed;
  if (name == "consume") return Order::kConsume;
  if (name == "acquire") return Order::kAcquire;
  if (name == "release") return Order::kRelease;
  if (name == "acq_rel") return Order::kAcqRel;
  if (name == "seq_cst") return Order::kSeqCst;
  return std::nullopt;
}

Order fitting_order(OrderRule rule, Order order) {
  if (rule == OrderRule::kAny) return order;
  if (rule == OrderRule::kStore) {
    if (order == Order::kConsume || order == Order::kAcquire) return Order::kRelaxed;
    return order == Order::kAcqRel ? Order::kRelease : order;
  }
  if (order == Order::kRelease) return Order::kRelaxed;
  return order == Order::kAcqRel ? Order::kAcquire : order;
}

std::string order_note(OrderRule rule, Order order) {
  const std::string_view operation = rule == OrderRule::kStore  ? "a store"
                                     : rule == OrderRule::kLoad ? "a load"
                                                                : "a failing compare-exchange";
  return std::string(operation) + " cannot be " + std::string(short_name(order)) + "; taken as " +
         std::string(short_name(fitting_order(rule, order))) + ", as herd does";
}

std::string unsupported_call(std::string_view name) {
  static constexpr std::array<std::string_view, 26> kLinux = {
      "READ_ONCE",   "WRITE_ONCE",  "ACCESS_ONCE", "smp_",        "rcu_",          "srcu_",       "synchronize_",
      "spin_",       "xchg",        "xchg_",       "cmpxchg",     "cmpxchg_",      "atomic_read", "atomic_read_",
      "atomic_set",  "atomic_set_", "atomic_add",  "atomic_add_", "atomic_sub",    "atomic_sub_", "atomic_inc",
      "atomic_inc_", "atomic_dec",  "atomic_dec_", "atomic_xchg", "atomic_cmpxchg"};
  static constexpr std::array<std::string_view, 6> kLocks = {"mtx_", "lock", "unlock", "pthread_", "cnd_", "mutex_"};
  const std::string message = "unsupported call '" + std::string(name) + "'";
  if (is_among(name, kLinux) || name.substr(0, 2) == "__")
    return message + " (Linux kernel litmus tests are another dialect)";
  if (is_among(name, kLocks)) return message + " (litmus tests have no mutexes)";
  return message;
}

}  // namespace ordeal::litmus
