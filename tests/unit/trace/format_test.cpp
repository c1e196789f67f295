#include "trace/format.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "samples.h"
#include "tests/support/scale.h"

namespace ordeal::trace {
namespace {

using model::EventKind;
using testing::sample;

std::string error_of(std::string_view text) {
  try {
    read(text);
  } catch (const FormatError& error) {
    EXPECT_GE(error.line(), 1);
    EXPECT_TRUE(std::string_view(error.what()).starts_with("line " + std::to_string(error.line()) + ": "));
    return error.what();
  }
  return "no error";
}

// --- what is written -------------------------------------------------------------------------------------------------

TEST(Format, ATraceIsLinesOfText) {
  EXPECT_EQ(write(sample()),
            "ordeal-trace 2\n"
            "program \"mp.litmus\"\n"
            "model \"sc\"\n"
            "ending complete\n"
            "thread \"P0\"\n"
            "thread \"P1\"\n"
            "location \"x\" 0\n"
            "location \"y\" -5 address=0x7f10 size=4\n"
            "object address=0x7f00 size=32 thread=0 allocated=0x4010,0x4120\n"
            "object address=0x8000 size=8 thread=1 allocated=0x4010 freed_by=0 freed=0x4055\n"
            "event 0.0 write relaxed inserted=2 location=0 value=7 mo=1 line=4\n"
            "event 1.0 read acquire inserted=0 location=0 value=7 rf=0.0 line=9 stack=0x4188,0xffffffffffffffff\n"
            "event 1.1 read acq_rel inserted=1 location=1 value=-5 rf=initial.1 rmw\n"
            "event 1.2 write acq_rel inserted=3 location=1 value=-4 mo=1 rmw\n"
            "event 0.1 read relaxed inserted=4 location=1 value=-4 rf=1.2 spurious\n"
            "event 0.2 fence seq_cst inserted=5\n"
            "event 0.3 join relaxed inserted=6 other=1 stack=0x4190\n"
            "end\n");
}

TEST(Format, TheSampleComesBack) { EXPECT_EQ(read(write(sample())), sample()); }

TEST(Format, AnEmptyTraceComesBack) {
  Trace trace;
  trace.ending = engine::Ending::kBlocked;
  EXPECT_EQ(read(write(trace)), trace);
}

constexpr std::string_view kCompareExchanges =
    "ordeal-trace 2\nprogram \"p\"\nmodel \"cpp20\"\nending complete\nthread \"P0\"\nlocation \"x\" 0\n"
    "event 0.0 read relaxed inserted=0 location=0 rf=initial.0 expected=-3 otherwise=acq_rel weak\n"
    "event 0.1 read seq_cst inserted=1 location=0 rf=initial.0 rmw expected=0 otherwise=relaxed stack=0x4010\n"
    "event 0.2 write seq_cst inserted=2 location=0 value=1 rmw\n"
    "end\n";

TEST(Format, WhatACompareExchangeExpectsComesBack) {
  const Trace trace = read(kCompareExchanges);
  EXPECT_EQ(trace.events[0].expected, -3);
  EXPECT_EQ(trace.events[0].otherwise, model::MemoryOrder::kAcqRel);
  EXPECT_TRUE(trace.events[0].is_weak);
  EXPECT_EQ(trace.events[1].expected, 0);
  EXPECT_FALSE(trace.events[1].is_weak);
  EXPECT_FALSE(trace.events[2].expected);
  EXPECT_EQ(write(trace), kCompareExchanges);
}

constexpr std::string_view kChoices =
    "ordeal-trace 2\nprogram \"p\"\nmodel \"cpp20\"\nending complete\nthread \"P0\"\n"
    "event 0.0 choice relaxed inserted=0 value=2\n"
    "event 0.1 choice relaxed inserted=1 about=wake-up\n"
    "event 0.2 choice relaxed inserted=2 value=1 about=waiter stack=0x4010\n"
    "end\n";

TEST(Format, WhatAChoiceIsAboutComesBack) {
  const Trace trace = read(kChoices);
  EXPECT_EQ(trace.events[0].about, model::ChoiceOf::kProgram);
  EXPECT_EQ(trace.events[1].about, model::ChoiceOf::kWakeUp);
  EXPECT_EQ(trace.events[2].about, model::ChoiceOf::kWaiter);
  EXPECT_EQ(write(trace), kChoices);
}

TEST(Format, FramesAndThreadLocalStorageComeBack) {
  Trace trace;
  trace.objects = {{0x9000, 64, 1, {}, -1, {}, 0x4188, 0}, {0xa000, 16, 2, {}, -1, {}, 0, 0x4000}};
  EXPECT_NE(write(trace).find("object address=0x9000 size=64 thread=1 frame=0x4188\n"
                              "object address=0xa000 size=16 thread=2 module=0x4000\n"),
            std::string::npos)
      << write(trace);
  EXPECT_EQ(read(write(trace)), trace);
}

TEST(Format, AnyBytesOfAStringComeBack) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  for (const std::string& text : {all, all + all, std::string("\\n\\x00\"\\"), std::string(3, '\0'),
                                  std::string("\nend\n"), std::string("ünï ∥ 線")}) {
    Trace trace = sample();
    trace.program = trace.model = trace.threads[1] = trace.locations[0].name = text;
    EXPECT_EQ(read(write(trace)), trace);
  }
}

TEST(Format, AStringStaysOnItsLine) {
  Trace trace;
  trace.program = std::string("a\nb\r\"\\\0c\x7f", 9);
  EXPECT_EQ(write(trace),
            "ordeal-trace 2\nprogram \"a\\nb\\x0d\\\"\\\\\\x00c\\x7f\"\nmodel \"\"\nending complete\nend\n");
}

TEST(Format, ExtremeNumbersComeBack) {
  Trace trace = sample();
  trace.locations[0].initial = std::numeric_limits<model::Value>::min();
  trace.locations[1].initial = std::numeric_limits<model::Value>::max();
  trace.events[0].value = std::numeric_limits<model::Value>::min();
  trace.events[0].mo_position = std::numeric_limits<std::int32_t>::max();
  trace.events[0].line = std::numeric_limits<std::uint32_t>::max();
  trace.events[1].value = std::numeric_limits<model::Value>::max();
  EXPECT_EQ(read(write(trace)), trace);
}

TEST(Format, EveryKindAndOrderComesBack) {
  for (int kind = 0; kind < 7; ++kind)
    for (int order = 0; order < 6; ++order) {
      Trace trace = sample();
      TraceEvent event{.name = {1, 3},
                       .kind = static_cast<EventKind>(kind),
                       .order = static_cast<model::MemoryOrder>(order),
                       .value = 3,
                       .rf = {},
                       .inserted = 7,
                       .stack = {}};
      if (kind < 2) event.location = 0;
      if (event.kind == EventKind::kRead) event.rf = {0, 0};
      trace.events.push_back(event);
      EXPECT_EQ(read(write(trace)), trace) << kind << " " << order;
    }
}

TEST(Format, RandomTracesComeBack) {
  for (int seed = 0; seed < tests::scaled(3000); ++seed) {
    base::Rng rng(static_cast<std::uint64_t>(seed));
    const Trace trace = testing::random_trace(rng);
    const std::string text = write(trace);
    ASSERT_EQ(read(text), trace) << "seed " << seed << "\n" << text;
    ASSERT_EQ(write(read(text)), text) << "seed " << seed;
  }
}

TEST(Format, TheLastLineNeedsNoNewline) {
  std::string text = write(sample());
  text.pop_back();
  EXPECT_EQ(read(text), sample());
}

// --- what is refused -------------------------------------------------------------------------------------------------

TEST(Format, AnotherFileIsNoTrace) {
  for (const char* text : {"", "\n", "C MP\n{ x = 0; }\n", "ordeal-trace", "Ordeal-trace 2\n",
                           "\x7f"
                           "ELF"})
    EXPECT_EQ(error_of(text), "line 1: this is not a trace: expected the first line 'ordeal-trace 2'");
}

TEST(Format, ANewerVersionIsRefusedPlainly) {
  EXPECT_EQ(error_of("ordeal-trace 3\nanything\n"),
            "line 1: the trace has format version 3, but this is a reader of version 2: it needs a newer Ordeal");
  EXPECT_EQ(error_of("ordeal-trace 1\n"), "line 1: the trace has format version 1, but this is a reader of version 2");
  EXPECT_EQ(error_of("ordeal-trace x\n"), "line 1: expected the number of a format version, found \"x\"");
  EXPECT_EQ(error_of("ordeal-trace 99999999999\n"),
            "line 1: expected the number of a format version, found \"99999999999\"");
  EXPECT_EQ(error_of("ordeal-trace 2.5\n"),
            "line 1: expected the end of the line behind the format version, found \".5\"");
}

TEST(Format, ATraceThatWasCutOffIsRefused) {
  const std::string text = write(sample());
  for (std::size_t length = 0; length + 1 < text.size(); ++length)
    EXPECT_NE(error_of(text.substr(0, length)), "no error") << length << " of " << text.size() << " bytes";
  EXPECT_EQ(error_of(text.substr(0, text.size() - 4)),
            "line 18: expected a line 'end', found the end of the text: it was cut off");
}

TEST(Format, NothingMayFollowTheEnd) {
  EXPECT_EQ(error_of(write(sample()) + "\n"), "line 19: expected nothing behind 'end'");
  EXPECT_EQ(error_of(write(sample()) + write(sample())), "line 19: expected nothing behind 'end'");
}

/// The error when line `line` of the sample is another one.
std::string error_with(int line, const std::string& replacement) {
  std::string text = write(sample());
  std::size_t start = 0;
  for (int i = 1; i < line; ++i) start = text.find('\n', start) + 1;
  return error_of(text.replace(start, text.find('\n', start) - start, replacement));
}

TEST(Format, EachPartOfTheHeaderIsNeeded) {
  EXPECT_EQ(error_with(2, "programm \"x\""), "line 2: expected 'program', found \"programm \\\"x\\\"\"");
  EXPECT_EQ(error_with(2, "program x"), "line 2: expected the program's name in quotes, found \"x\"");
  EXPECT_EQ(error_with(2, "program \"x"), "line 2: expected '\"' at the end of a string, found the end of the line");
  EXPECT_EQ(error_with(2, "program \"x\" "),
            "line 2: expected the end of the line behind the program's name, found \" \"");
  EXPECT_EQ(error_with(3, "ending complete"), "line 3: expected 'model', found \"ending complete\"");
  EXPECT_EQ(error_with(4, "ending completed"), "line 4: expected 'complete' or 'blocked', found \"completed\"");
  EXPECT_EQ(error_with(4, ""), "line 4: expected 'ending', found the end of the line");
}

TEST(Format, EscapesAreChecked) {
  EXPECT_EQ(error_with(2, "program \"\\q\""),
            "line 2: expected '\"', '\\', 'n' or 'x' behind a backslash, found \"q\\\"\"");
  EXPECT_EQ(error_with(2, "program \"\\x4"),
            "line 2: expected two digits 0-9, a-f behind \\x, found the end of the line");
  EXPECT_EQ(error_with(2, "program \"\\xG0\""), "line 2: expected two digits 0-9, a-f behind \\x, found \"G0\\\"\"");
  EXPECT_EQ(error_with(2, "program \"\\"),
            "line 2: expected '\"', '\\', 'n' or 'x' behind a backslash, found the end of the line");
}

TEST(Format, ThreadsAndLocationsAreChecked) {
  EXPECT_EQ(error_with(5, "thread P0"), "line 5: expected the thread's name in quotes, found \"P0\"");
  EXPECT_EQ(error_with(7, "location \"x\""),
            "line 7: expected a space and the initial value, found the end of the line");
  EXPECT_EQ(error_with(7, "location \"x\" 1e3"),
            "line 7: expected ' address=', ' size=', ' sort=' or the end of the line behind the initial value, found \"e3\"");
  EXPECT_EQ(error_with(7, "location \"x\" 9223372036854775808"),
            "line 7: expected the initial value, a number of 64 bits, found \"9223372036854775808\"");
  EXPECT_EQ(error_with(8, "thread \"P2\""),
            "line 8: expected 'thread', 'location', 'object', 'event' or 'end', found \"thread \\\"P2\\\"\"")
      << "threads stand before locations";
}

TEST(Format, EventsAreChecked) {
  EXPECT_EQ(error_with(11, "event 2.0 write relaxed inserted=2 location=0"),
            "line 11: expected the number of one of the threads, found \"2.0 write relaxed inserted=2 location=0\"");
  EXPECT_EQ(error_with(11, "event -1.0 write relaxed inserted=2 location=0").substr(0, 50),
            "line 11: expected the number of one of the threads");
  EXPECT_EQ(error_with(11, "event 0.1 write relaxed"),
            "line 11: expected '.0', the next event of its thread, found \".1 write relaxed\"");
  EXPECT_EQ(error_with(11, "event 0.0 wrote relaxed"),
            "line 11: expected read, write, fence, create, join, choice, note or wake, found \"wrote relaxed\"");
  EXPECT_EQ(error_with(11, "event 0.0 write weak"),
            "line 11: expected plain, relaxed, acquire, release, acq_rel or seq_cst, found \"weak\"");
  EXPECT_EQ(error_with(11, "event 0.0 write relaxed"), "line 11: expected ' inserted=', found the end of the line");
  EXPECT_EQ(error_with(11, "event 0.0 write relaxed inserted=-1"),
            "line 11: expected the event's place in insertion order, found \"-1\"");
  EXPECT_EQ(error_with(11, "event 0.0 write relaxed inserted=2"),
            "line 11: expected ' location=', because this event is an access, found the end of the line");
  EXPECT_EQ(error_with(11, "event 0.0 write relaxed inserted=2 location=2"),
            "line 11: expected the number of one of the locations, found \"2\"");
  EXPECT_EQ(error_with(11, "event 0.0 write relaxed inserted=2 location=0 mo=0"),
            "line 11: expected a position in modification order, found \"0\"");
  EXPECT_EQ(error_with(11, "evnt 0.0"),
            "line 11: expected 'thread', 'location', 'object', 'event' or 'end', found \"evnt 0.0\"");
  EXPECT_EQ(error_with(12, "evnt 0.0"), "line 12: expected 'event' or 'end', found \"evnt 0.0\"");
}

TEST(Format, FieldsThatDoNotApplyAreRefused) {
  const std::string expected =
      ": expected another field of such an event (in the order value, rf, mo, line, rmw, spurious, other, woken, about, expected, stack) or the end "
      "of the line, found ";
  EXPECT_EQ(error_with(16, "event 0.2 fence seq_cst inserted=5 location=0"), "line 16" + expected + "\" location=0\"");
  EXPECT_EQ(error_with(16, "event 0.2 fence seq_cst inserted=5 rf=0.0"), "line 16" + expected + "\" rf=0.0\"");
  EXPECT_EQ(error_with(16, "event 0.2 fence seq_cst inserted=5 mo=1"), "line 16" + expected + "\" mo=1\"");
  EXPECT_EQ(error_with(16, "event 0.2 fence seq_cst inserted=5 rmw"), "line 16" + expected + "\" rmw\"");
  EXPECT_EQ(error_with(11, "event 0.0 write relaxed inserted=2 location=0 spurious"),
            "line 11" + expected + "\" spurious\"");
  EXPECT_EQ(error_with(11, "event 0.0 write relaxed inserted=2 location=0 line=4 value=7"),
            "line 11" + expected + "\" value=7\"");
  EXPECT_EQ(error_with(11, "event 0.0 write relaxed inserted=2 location=0 value=7 colour=3"),
            "line 11" + expected + "\" colour=3\"");
  EXPECT_EQ(error_with(12, "event 1.0 read acquire inserted=0 location=0 value=7 line=9"),
            "line 12: expected ' rf=', because this event is a read, found \" line=9\"");
}

TEST(Format, ASourceIsAWriteToTheSameLocation) {
  const std::string start = "event 1.0 read acquire inserted=0 location=0 value=7 rf=",
                    expected = "line 12: expected an rf that names a write to the same location";
  EXPECT_EQ(error_with(12, start + "0.0"), "no error");
  for (const char* source : {"0.1", "1.0", "1.2", "0.3", "0.-1", "0.2147483647", "initial.1", "initial.-1"})
    EXPECT_EQ(error_with(12, start + source), expected) << source;
  for (const std::string source : {"x.0", "2.0", "-1.0", "-2.0", "2147483647.0"})
    EXPECT_EQ(error_with(12, start + source),
              "line 12: expected 'initial' or the number of one of the threads, found \"" + source + "\"");
  EXPECT_EQ(error_with(12, start + "0"), "line 12: expected '.' behind the thread, found the end of the line");
}

TEST(Format, InsertionOrderIsComplete) {
  EXPECT_EQ(error_with(16, "event 0.2 fence seq_cst inserted=7"),
            "line 16: expected an inserted= below the number of events");
  EXPECT_EQ(error_with(16, "event 0.2 fence seq_cst inserted=4"),
            "line 16: expected an inserted= that no other event has");
}

TEST(Format, ObjectsAreChecked) {
  EXPECT_EQ(error_with(9, "object 0x10"), "line 9: expected 'address=', found \"0x10\"");
  EXPECT_EQ(error_with(9, "object address=10 size=3"),
            "line 9: expected an address: 0x and up to 16 digits 0-9, a-f, found \"10 size=3\"");
  EXPECT_EQ(error_with(9, "object address=0x10000000000000000 size=3"),
            "line 9: expected an address: 0x and up to 16 digits 0-9, a-f, found \"0x10000000000000000 size=3\"");
  EXPECT_EQ(error_with(9, "object address=0x10"), "line 9: expected ' size=', found the end of the line");
  EXPECT_EQ(error_with(9, "object address=0x10 size=-1"), "line 9: expected a number of bytes, found \"-1\"");
  EXPECT_EQ(error_with(9, "object address=0x10 size=1 thread=-1"),
            "line 9: expected the number of a thread, found \"-1\"");
  EXPECT_EQ(
      error_with(9, "object address=0x10 size=1 freed=0x10"),
      "line 9: expected another field of an object (in the order thread, allocated, freed_by, freed, frame, "
      "module) or the end of the line, found \" freed=0x10\"");
}

TEST(Format, StacksAreChecked) {
  const std::string start = "event 0.2 fence seq_cst inserted=5 stack=";
  EXPECT_EQ(error_with(16, start + "0x0,0x1"), "no error");
  for (const std::string stack : {"", "1", ",0x1", "0x"})
    EXPECT_EQ(error_with(16, start + stack).substr(0, 28), "line 16: expected an address") << stack;
  EXPECT_EQ(error_with(16, start + "0x1,").substr(0, 28), "line 16: expected an address");
  EXPECT_EQ(error_with(16, start + "0x1 0x2").substr(0, 30), "line 16: expected another fiel");
}

TEST(Format, OnlyCreateAndJoinHaveAnotherThread) {
  EXPECT_EQ(error_with(17, "event 0.3 create relaxed inserted=6 other=7"), "no error");
  EXPECT_EQ(error_with(17, "event 0.3 create relaxed inserted=6 other=-1"),
            "line 17: expected the number of a thread, found \"-1\"");
  EXPECT_EQ(error_with(17, "event 0.3 fence relaxed inserted=6 other=1").substr(0, 30),
            "line 17: expected another fiel");
}

TEST(Format, LongTextIsNotRepeatedInAMessage) { EXPECT_LT(error_with(4, std::string(100000, 'x')).size(), 200); }

}  // namespace
}  // namespace ordeal::trace
