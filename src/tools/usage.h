// What the command says when it is called wrongly: what is wrong, and what would work.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Error;
}

namespace ordeal::tools {

/// The message for `error`, for CLI::App::failure_message.
std::string usage_message(const CLI::App* app, const CLI::Error& error);

// Checks of an option's value, for CLI::Option::check: what is wrong with it, or nothing.
using Check = std::function<std::string(const std::string&)>;
/// One of these words.
Check one_of(std::vector<std::string> choices);
/// A whole number from 1 to `greatest`.
Check whole_number(std::uint64_t greatest = UINT64_MAX);
/// A number above 0, with or without a fraction.
Check seconds();

}  // namespace ordeal::tools
