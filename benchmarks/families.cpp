#include "benchmarks/families.h"

#include <fmt/format.h>

namespace ordeal::benchmarks {
namespace {

std::string store(const std::string& location, int value, const char* order = "relaxed") {
  return fmt::format("  atomic_store_explicit({}, {}, memory_order_{});\n", location, value, order);
}
std::string load(const std::string& reg, const std::string& location, const char* order = "relaxed") {
  return fmt::format("  int {} = atomic_load_explicit({}, memory_order_{});\n", reg, location, order);
}

/// Threads, each with its body; every location that a body may use is a parameter.
std::string test(const std::string& name, const std::vector<std::string>& locations, const std::vector<std::string>& bodies,
                 const std::string& condition) {
  std::string text = fmt::format("C {}\n{{ ", name), parameters;
  for (const std::string& location : locations) {
    text += location + " = 0; ";
    parameters += (parameters.empty() ? "atomic_int* " : ", atomic_int* ") + location;
  }
  text += "}\n";
  for (std::size_t t = 0; t < bodies.size(); ++t) text += fmt::format("P{} ({}) {{\n{}}}\n", t, parameters, bodies[t]);
  return text + condition + "\n";
}

/// N relaxed writers and N relaxed readers of one location: (N+1)^N classes.
std::string wr(int n) {
  std::vector<std::string> bodies;
  for (int i = 0; i < n; ++i) bodies.push_back(store("x", i + 1));
  for (int i = 0; i < n; ++i) bodies.push_back(load("r0", "x"));
  return test(fmt::format("wr({})", n), {"x"}, bodies, fmt::format("exists ({}:r0=1)", n));
}

/// N fetch_adds: N! classes.
std::string inc(int n) {
  const std::vector<std::string> bodies(static_cast<std::size_t>(n), "  int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed);\n");
  return test(fmt::format("inc({})", n), {"x"}, bodies, "exists (0:r0=0)");
}

std::string store_buffering(const std::string& name, int n, const char* order) {
  std::vector<std::string> locations, bodies;
  for (int i = 0; i < n; ++i) locations.push_back(fmt::format("x{}", i));
  for (int i = 0; i < n; ++i)
    bodies.push_back(store(locations[static_cast<std::size_t>(i)], 1, order) + load("r0", locations[static_cast<std::size_t>((i + 1) % n)], order));
  return test(name, locations, bodies, "exists (0:r0=0)");
}
/// N-thread store buffering, relaxed: 2^N classes.
std::string sb(int n) { return store_buffering(fmt::format("sb({})", n), n, "relaxed"); }
/// The same with seq_cst: 2^N − 1 classes.
std::string sb_sc(int n) { return store_buffering(fmt::format("sb-sc({})", n), n, "seq_cst"); }

/// Message passing to four readers with N padding accesses: in the writer before, and in each reader after.
std::string padded_mp(int n, bool before) {
  std::string writer;
  for (int i = 0; before && i < n; ++i) writer += store("p", i);
  writer += store("x", 1) + store("y", 1, "release");
  std::vector<std::string> bodies{writer};
  for (int t = 0; t < 6; ++t) {
    std::string reader = load("r0", "y", "acquire") + load("r1", "x");
    for (int i = 0; !before && i < n / 6; ++i) reader += store("p" + std::to_string(t), i);
    bodies.push_back(reader);
  }
  std::vector<std::string> locations{"x", "y", "p"};
  for (int t = 0; t < 6; ++t) locations.push_back("p" + std::to_string(t));
  return test(fmt::format("mp-{}({})", before ? "before" : "after", n), locations, bodies, "exists (1:r0=1 /\\ 1:r1=0)");
}
std::string mp_before(int n) { return padded_mp(n, true); }
std::string mp_after(int n) { return padded_mp(n, false); }

/// Write-heavy: four threads store to one location N times each, one reads it three times.
std::string writes(int n) {
  std::vector<std::string> bodies;
  for (int t = 0; t < 4; ++t) {
    std::string body;
    for (int i = 0; i < n; ++i) body += store("x", 10 * t + i + 1);
    bodies.push_back(body);
  }
  bodies.push_back(load("r0", "x") + load("r1", "x") + load("r2", "x"));
  return test(fmt::format("writes({})", n), {"x"}, bodies, "exists (4:r0=1 /\\ 4:r1=2)");
}

/// seq_cst-heavy: N threads store to one of two locations and load both, everything seq_cst.
std::string scmix(int n) {
  std::vector<std::string> bodies;
  for (int t = 0; t < n; ++t)
    bodies.push_back(store(t % 2 == 0 ? "x" : "y", t + 1, "seq_cst") + load("r0", t % 2 == 0 ? "y" : "x", "seq_cst") +
                     load("r1", t % 2 == 0 ? "x" : "y", "seq_cst"));
  return test(fmt::format("scmix({})", n), {"x", "y"}, bodies, "exists (0:r0=0)");
}

/// Store buffering with seq_cst fences, and N padding accesses.
std::string fences(int n) {
  std::vector<std::string> locations{"p"}, bodies;
  for (int i = 0; i < 5; ++i) locations.push_back(fmt::format("x{}", i));
  for (int i = 0; i < 5; ++i) {
    std::string body;
    for (int j = 0; j < n / 5; ++j) body += store("p", j);
    bodies.push_back(body + store(locations[static_cast<std::size_t>(i + 1)], 1) + "  atomic_thread_fence(memory_order_seq_cst);\n" +
                     load("r0", locations[static_cast<std::size_t>((i + 1) % 5 + 1)]) + load("r1", locations[static_cast<std::size_t>((i + 2) % 5 + 1)]));
  }
  return test(fmt::format("fences({})", n), locations, bodies, "exists (0:r0=0)");
}

/// Two threads add each other's counter N times (fib of the SV-COMP suite), relaxed.
std::string fib(int n) {
  std::string i, j;
  for (int k = 0; k < n; ++k) {
    i += fmt::format("  atomic_store_explicit(x, atomic_load_explicit(x, memory_order_relaxed) + atomic_load_explicit(y, memory_order_relaxed), memory_order_relaxed);\n");
    j += fmt::format("  atomic_store_explicit(y, atomic_load_explicit(y, memory_order_relaxed) + atomic_load_explicit(x, memory_order_relaxed), memory_order_relaxed);\n");
  }
  return test(fmt::format("fib({})", n), {"x", "y"}, {i, j}, "exists (x=1)");
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> all{
      {"wr", "N relaxed writers, N relaxed readers of one location", wr, {7, 8}, {}},
      {"inc", "N relaxed fetch_adds", inc, {8, 9, 10}, {}},
      {"sb", "N-thread store buffering, relaxed", sb, {10, 12}, {}},
      {"sb-sc", "N-thread store buffering, seq_cst", sb_sc, {10, 12}, {}},
      {"mp-before", "message passing to 6 readers, N padding stores before", mp_before, {0, 10}, {186}},
      {"mp-after", "message passing to 6 readers, N padding stores after", mp_after, {12}, {186}},
      {"writes", "4 threads store N times to one location, one loads 3 times", writes, {4, 5}, {49}},
      {"scmix", "N threads, one seq_cst store and two seq_cst loads each, two locations", scmix, {5, 6}, {}},
      {"fences", "5-thread store buffering with seq_cst fences, N padding stores", fences, {0}, {180}},
      {"fib", "two threads add each other's counter N times", fib, {3, 4}, {}},
  };
  return all;
}

}  // namespace ordeal::benchmarks
