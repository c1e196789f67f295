// The options that verbs share. Those of the search reach the tested process in the environment variable ORDEAL_OPTIONS:
// key=value:key=value…
#pragma once

#include <cstdint>
#include <string>
#include <vector>


#include "tools/run_report.h"

namespace CLI {
class App;
}

namespace ordeal::tools {

struct CheckOptions {
  std::string model = "cpp20";
  bool load_buffering = false;
  bool spurious = true;
  bool keep_going = false;
  bool first_bug = false;
  bool symmetry = false;
  bool fair = false;
  bool show = false;
  bool leaks = false;
  bool sc_analysis = false;
  bool require_sc = false;
  std::uint64_t loop_bound = 0;  // these: 0 if not given
  std::uint64_t reread_bound = 0;
  bool reduction = true;
  bool eager = false;  // for tests: what otherwise begins after some hundred executions begins at once (stopped_turns.h)
  std::uint64_t max_events = 0;
  std::uint64_t executions = 0;
  std::string time, watchdog;  // seconds, as given
  std::string observer;        // a file; empty: none
};

/// What is wrong with the file of a plug-in, whose name goes into ORDEAL_OPTIONS; empty: nothing.
std::string check_plugin_file(const std::string& text);

/// Adds the options that say how to search.
void add_search_options(CLI::App& verb, CheckOptions& options);

/// Adds the options that name files of all verbs: --html, --dot, --junit.
void add_output_options(CLI::App& verb, OutputNames& files);

/// Adds --sc-analysis of the verbs that tell of executions with a bug only.
void add_sc_of_bugs(CLI::App& verb, ReportOptions& options);

/// Adds the options that say how to report.
void add_report_options(CLI::App& verb, ReportOptions& options);

/// The value of ORDEAL_OPTIONS without mode and descriptors.
std::string environment_text(const CheckOptions& options);

}  // namespace ordeal::tools
