// How `ordeal test` samples: its options, and what of them the tested process is told.
#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace ordeal::tools {

struct TestOptions {
  std::uint64_t executions = 0;  // 0: not given
  std::string time, watchdog;    // seconds, as given
  std::uint64_t seed = 1, first = 0;
  std::string strategy = "portfolio";
  std::uint64_t max_events = 0;
  bool spurious = true;
  bool exit_code = false;
  int isolate = -1;  // -1: not given
  bool real_time = false;
  bool sc_analysis = false, require_sc = false;
  std::string observer;  // a file; empty: none
  std::string volatile_as = "plain";
};

void add_test_options(CLI::App& verb, TestOptions& options);

/// The value of ORDEAL_OPTIONS without mode and descriptors.
std::string environment_text(const TestOptions& options);

/// For CLI::Option::check: a name of a strategy, or a file that is there.
std::string check_strategy(const std::string& text);

}  // namespace ordeal::tools
