#include "agent/answer.h"

#include <unistd.h>

#include <string>

#include "agent/explain.h"
#include "agent/output.h"
#include "trace/run_result_format.h"

namespace ordeal::agent {
namespace {

void give_result(int file, const trace::RunResult& result) {
  if (ftruncate(file, 0) == 0) lseek(file, 0, SEEK_SET);  // a pipe has no earlier one
  const std::string text = trace::write(result);
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = write(file, text.data() + done, text.size() - done);
    if (written <= 0) return;
    done += static_cast<std::size_t>(written);
  }
}

/// Those of the command, but for a bug.
int exit_code_of(trace::Verdict verdict) {
  switch (verdict) {
    case trace::Verdict::kVerified:
    case trace::Verdict::kSampled: return 0;
    case trace::Verdict::kBug: return kBugExitCode;
    case trace::Verdict::kBounded: return 3;
    case trace::Verdict::kCannotCheck: break;
  }
  return 4;
}

}  // namespace

void hand_over(const Options& options, const trace::RunResult& result) {
  if (options.result_fd >= 0) give_result(options.result_fd, result);
}

int answer(const Options& options, const trace::RunResult& result) {
  if (options.debug) {  // whoever comes here has not come to the bug
    Output::tell("ordeal: the bug did not happen in this execution" + (result.cannot_check.empty() ? "" : ": " + result.cannot_check) + "\n");
    return exit_code_of(trace::Verdict::kCannotCheck);
  }
  if (options.result_fd >= 0) {
    give_result(options.result_fd, result);
    return 0;
  }
  if (!explain(result)) {
    tell_bugs(result);
    Output::tell("ordeal: " + std::string(trace::word(result.verdict)) + (result.cannot_check.empty() ? "" : ": " + result.cannot_check) + "\n");
  }
  return exit_code_of(result.verdict);
}

void tell_bugs(const trace::RunResult& result) {
  for (const trace::Bug& bug : result.bugs)
    Output::tell("ordeal: " + std::string(trace::word(bug.kind)) + (bug.message.empty() ? "" : ": " + bug.message) + "\n");
}

}  // namespace ordeal::agent
