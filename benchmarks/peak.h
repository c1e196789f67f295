// The peak of resident memory, of this process and of a command. A process that Python starts inherits Python's peak (Linux
// counts what was resident before exec), so the one that starts a command must be small.
#pragma once

#include <string>
#include <vector>

namespace ordeal::benchmarks {

/// Of this process since it was loaded.
long own_peak_kb();

/// Runs `command` to its end, writes the peak of the largest process of it to `file`, and returns its exit code (128 + a signal's number).
int run_and_write_peak(const std::vector<std::string>& command, const std::string& file);

}  // namespace ordeal::benchmarks
