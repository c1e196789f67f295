// What the command's exit codes mean (the verdicts of every verb).
#pragma once

namespace ordeal::tools {

constexpr int kFine = 0;         // verified, sampled, or all litmus tests ran
constexpr int kBug = 1;          // a bug; litmus --expect: a test did not behave as it says
constexpr int kUsage = 2;        // wrong usage, or input that cannot be understood
constexpr int kBounded = 3;      // a bound or an interrupt cut the search
constexpr int kCannotCheck = 4;  // not instrumented, unsupported …

}  // namespace ordeal::tools
