// Damages traces at random: the reader must refuse what it gets with a FormatError or read it, never crash; and what it
// reads keeps the promises of format.h, comes back when it is written, and is a unit of work.
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "samples.h"
#include "tests/support/scale.h"
#include "trace/format.h"
#include "trace/run_result_format.h"

namespace ordeal::trace {
namespace {

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : rng_(seed, 2) {}

  std::string next() { return damaged(write(testing::random_trace(rng_))); }
  std::string next_result() { return damaged(write(testing::random_result(rng_))); }

 private:
  std::string damaged(std::string text) {
    for (int count = 1 + rng_.below(3); count > 0; --count) mutate(text);
    return text;
  }
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : static_cast<std::size_t>(rng_.next() % bound); }

  void mutate(std::string& text) {
    switch (rng_.below(9)) {
      case 0:
        if (!text.empty()) text[below(text.size())] = static_cast<char>(rng_.below(256));
        return;
      case 1: text.resize(below(text.size() + 1)); return;
      case 2: text.erase(below(text.size() + 1), below(10)); return;
      case 3: text.insert(below(text.size() + 1), testing::random_bytes(rng_, 6)); return;
      case 4: return copy_line(text);
      case 5: return erase_line(text);
      case 6: text.insert(below(text.size() + 1), word()); return;
      default: return replace_word(text);
    }
  }
  /// Start and length of some line, its newline included.
  std::pair<std::size_t, std::size_t> line(const std::string& text) {
    const std::size_t at = below(text.size() + 1), before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    const std::size_t start = before == std::string::npos ? 0 : before + 1, end = text.find('\n', start);
    return {start, (end == std::string::npos ? text.size() : end + 1) - start};
  }
  void copy_line(std::string& text) {
    const auto [start, length] = line(text);
    const std::string copied = text.substr(start, length);
    text.insert(line(text).first, copied);
  }
  void erase_line(std::string& text) {
    const auto [start, length] = line(text);
    text.erase(start, length);
  }
  void replace_word(std::string& text) {
    const std::size_t start = text.find_first_of(" =.", below(text.size() + 1));
    if (start == std::string::npos) return;
    const std::size_t end = text.find_first_of(" =.\n", start + 1);
    text.replace(start + 1, end == std::string::npos ? end : end - start - 1, word());
  }
  std::string word() {
    static constexpr const char* kWords[] = {"0",
                                             "1",
                                             "2",
                                             "-1",
                                             "3",
                                             "2147483647",
                                             "99999999999999999999",
                                             "-9223372036854775808",
                                             "read",
                                             "write",
                                             "fence",
                                             "relaxed",
                                             "seq_cst",
                                             "initial",
                                             "rmw",
                                             "spurious",
                                             " rmw",
                                             " mo=1",
                                             " expected=0 otherwise=relaxed",
                                             " about=time-limit",
                                             " weak",
                                             " line=3",
                                             " stack=0x1,0x2",
                                             "0x0",
                                             "0xffffffffffffffff",
                                             "nan",
                                             "1e999",
                                             "note \"\"\n",
                                             "\n",
                                             "end\n",
                                             "event ",
                                             "\"",
                                             "\\",
                                             "+1",
                                             ""};
    return kWords[below(std::size(kWords))];
  }

  base::Rng rng_;
};

/// F1 … F6 of format.h.
void expect_promises(const Trace& trace) {
  std::vector<std::int32_t> count(trace.threads.size(), 0);
  std::set<std::pair<std::int32_t, std::pair<std::int32_t, std::int32_t>>> writes;  // location, name
  for (std::size_t l = 0; l < trace.locations.size(); ++l)
    writes.insert({static_cast<std::int32_t>(l), {-1, static_cast<std::int32_t>(l)}});
  std::set<std::uint32_t> inserted;
  for (const TraceEvent& event : trace.events) {
    ASSERT_TRUE(event.name.thread >= 0 && static_cast<std::size_t>(event.name.thread) < count.size());
    ASSERT_EQ(event.name.index, count[static_cast<std::size_t>(event.name.thread)]++);
    const bool is_access = event.kind == model::EventKind::kRead || event.kind == model::EventKind::kWrite;
    if (is_access)
      ASSERT_TRUE(event.location >= 0 && static_cast<std::size_t>(event.location) < trace.locations.size());
    else
      ASSERT_EQ(event.location, -1);
    if (event.kind == model::EventKind::kWrite)
      writes.insert({event.location, {event.name.thread, event.name.index}});
    else
      ASSERT_EQ(event.mo_position, 0);
    ASSERT_TRUE(is_access || !event.is_rmw);
    ASSERT_TRUE(event.kind == model::EventKind::kRead || !event.failed_spuriously);
    ASSERT_TRUE(event.kind == model::EventKind::kRead || !event.expected);
    ASSERT_TRUE(event.kind == model::EventKind::kChoice || event.about == model::ChoiceOf::kProgram);
    ASSERT_TRUE(event.expected || !event.is_weak);
    ASSERT_TRUE(event.kind == model::EventKind::kCreate || event.kind == model::EventKind::kJoin || event.other == -1);
    ASSERT_LT(event.inserted, trace.events.size());
    ASSERT_TRUE(inserted.insert(event.inserted).second);
  }
  for (const TraceObject& object : trace.objects) ASSERT_TRUE(object.freed_by >= 0 || object.freed.empty());
  for (const TraceEvent& event : trace.events) {
    if (event.kind == model::EventKind::kRead)
      ASSERT_EQ(writes.count({event.location, {event.rf.thread, event.rf.index}}), 1);
    else
      ASSERT_EQ(event.rf, EventName{});
  }
}

TEST(FormatMutations, AreReadOrRefusedNeverMore) {
  const int count = tests::scaled(20000);
  int were_read = 0;
  for (int seed = 0; seed < count; ++seed) {
    const std::string text = Mutator(static_cast<std::uint64_t>(seed)).next();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    try {
      const Trace trace = read(text);
      ++were_read;
      expect_promises(trace);
      ASSERT_EQ(read(write(trace)), trace);
      ASSERT_EQ(unit_of_work(trace).size(), trace.events.size());
    } catch (const FormatError& error) {
      ASSERT_GE(error.line(), 1);
      ASSERT_LE(error.line(), 2 + static_cast<int>(std::count(text.begin(), text.end(), '\n')));
    }
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(were_read, count / 50) << "the mutations destroy too much to test anything";
  EXPECT_LT(were_read, count);
}

TEST(FormatMutations, OfResultsAreReadOrRefusedNeverMore) {
  const int count = tests::scaled(20000);
  int were_read = 0;
  for (int seed = 0; seed < count; ++seed) {
    const std::string text = Mutator(static_cast<std::uint64_t>(seed)).next_result();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    try {
      const RunResult result = read_run_result(text);
      ++were_read;
      ASSERT_GE(result.seconds, 0);
      for (const Bug& bug : result.bugs) expect_promises(bug.trace);
      ASSERT_EQ(read_run_result(write(result)), result);
    } catch (const FormatError& error) {
      ASSERT_GE(error.line(), 1);
      ASSERT_LE(error.line(), 2 + static_cast<int>(std::count(text.begin(), text.end(), '\n')));
    }
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(were_read, count / 50) << "the mutations destroy too much to test anything";
  EXPECT_LT(were_read, count);
}

TEST(FormatMutations, NoiseIsRefused) {
  for (int seed = 0; seed < tests::scaled(2000); ++seed) {
    base::Rng rng(static_cast<std::uint64_t>(seed), 3);
    EXPECT_THROW(read(testing::random_bytes(rng, 200)), FormatError);
    EXPECT_THROW(read_run_result("ordeal-result 1\nverdict bug\n" + testing::random_bytes(rng, 200)), FormatError);
    EXPECT_THROW(read("ordeal-trace 2\n" + testing::random_bytes(rng, 200)), FormatError);
  }
}

}  // namespace
}  // namespace ordeal::trace
