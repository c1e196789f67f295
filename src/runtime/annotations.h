// What ThreadSanitizer's annotations say (abi_annotations.cpp): order that no code shows, and accesses that are not to be checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ordeal::runtime {

class Annotations {
 public:
  /// The site of accesses that the program asked to ignore: a race with one of them is none.
  static constexpr std::uintptr_t kIgnoredSite = 1;
  /// Likewise of the end of what libstdc++ counts inside itself (intercept_exception.cpp), where nothing is to be told.
  static constexpr std::uintptr_t kOrderedSite = 2;
  /// Whether any thread has ever asked for it: most plain accesses look at this only.
  static bool ignores;

  /// Code that the user does not want to be checked: [begin, end) of return addresses, as far as 32 bits go.
  static void ignore_code(std::uint32_t begin, std::uint32_t end);
  /// Races on these bytes are called harmless, in this execution.
  static void allow_races(std::uintptr_t address, std::size_t size);
  /// Whether a race between accesses from these sites, on these bytes, is not to be told. It is remembered for `notes`.
  static bool is_ignored(std::uint32_t site, std::uint32_t other_site, std::uintptr_t address, std::size_t size);
  /// The next execution begins.
  static void reset();
  /// What was not checked, for people.
  static std::vector<std::string> notes();
};

}  // namespace ordeal::runtime
