// Programs that `ordeal check` compiled, kept so that a second check of the same sources starts at once, and so that a replay
// finds the program. In $XDG_CACHE_HOME/ordeal, or ~/.cache/ordeal.
//
// An entry is found by its key: all that the command line says. It is used if none of the files that went into it has
// changed: sources, headers, objects, libraries, the compiler, Ordeal itself; each is remembered with its length, its inode
// and the times of its last change. Not noticed: a new header in a folder that is searched before the one it was found in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ordeal::tools {

class ProgramCache {
 public:
  /// Throws std::runtime_error if the folder cannot be made or written to.
  ProgramCache();

  /// The path of the program, if its files are unchanged.
  std::optional<std::string> find(const std::string& key) const;

  /// A new folder for a program; it stays until about a hundred newer ones are there.
  std::string new_folder(const std::string& key) const;

  /// A replay file of this program was written: if it is one of the cache, it stays until about a thousand newer such are there.
  static void keep_for_replay(const std::string& program);

  /// From now on `find(key)` gives `program`, unless one of the files changed since `start` (begin_of_build).
  void add(const std::string& key, const std::string& program, const std::vector<std::string>& files, std::int64_t start) const;

 private:
  std::string folder_;
};

/// Now, as the file system sees it, in nanoseconds.
std::int64_t begin_of_build();

/// The files that a makefile rule, as compilers and linkers write it, depends on.
std::vector<std::string> files_of_rule(const std::string& text);

}  // namespace ordeal::tools
