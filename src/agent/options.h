// What the tested process is asked to do: the environment variable ORDEAL_OPTIONS, `key=value` pairs with colons between.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/consistency.h"
#include "runtime/volatile_access.h"

namespace ordeal::agent {

enum class Mode : std::uint8_t {
  kOnce,    // the program was started by itself: one execution
  kCheck,   // every execution class
  kReplay,  // one given execution
  kTest,    // executions at random
  kServe,   // what is asked for, each in a process of its own (serving.h)
};

/// What random testing takes an access to a volatile variable for.
using VolatileAs = runtime::VolatileAccess::Meaning;

struct Options {
  Mode mode = Mode::kOnce;
  int result_fd = -1;
  int replay_fd = -1;
  int request_fd = -1;
  model::Model model = model::Model::kCpp20;
  bool load_buffering = false;
  bool spurious = true;
  bool keep_going = false;
  bool first_bug = false;          // is told as it was found (smaller.h)
  bool symmetry = false;
  bool progress = false;
  bool fair = false;
  bool show = false;
  bool leaks = false;
  bool sc_analysis = false;        // every execution: is it an interleaving?
  bool sc_shown = true;            // … and the first that is none is recorded, to be shown
  bool require_sc = false;         // … and one that is none is a bug
  bool reduction = true;           // turns of loops that are shown to be redundant are left out
  bool eager = false;              // for tests: what is not worth it in short searches is done in them, too
  std::uint64_t loop_bound = 0;    // 0: none, as for all bounds
  std::uint64_t reread_bound = 0;
  std::uint64_t max_events = 0;    // of one thread
  std::uint64_t executions = 0;
  double time = 0;                 // seconds
  double watchdog = -1;            // seconds without any operation, 0: any number; -1: not given
  std::uint64_t seed = 1;          // of testing, with the number of its first execution
  std::uint64_t first = 0;
  std::string strategy = "portfolio";  // or the file of a plug-in
  bool exit_code = false;          // one that is not 0 is a bug
  int isolate = -1;                // each execution in a process of its own: 0 no, 1 yes, -1: where it is needed
  bool real_time = false;          // clocks are the system's
  VolatileAs volatile_as = VolatileAs::kPlain;
  std::string observer;            // the file of a plug-in; empty: none
  std::vector<std::uint32_t> ignored;  // places whose accesses are in no race (annotations.h)
  bool debug = false;              // gdb runs it (runtime/debugger.h), …
  std::uint32_t race = 0;          // … and of random testing wants this race
  std::string error;               // what is wrong with them; empty: nothing
  std::vector<std::string> given;
};

/// Whether a strategy is the file of a plug-in.
bool is_plugin(std::string_view strategy);

Options parse_options(const char* text);
/// The text that `help=1` prints.
const char* options_help();

}  // namespace ordeal::agent
