#include "tools/program_cache.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ordeal::tools {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kKept = 100, kKeptForReplay = 1000;
constexpr const char* kMark = "replay";  // a file beside the program: some replay file needs it

std::string folder_name() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value != nullptr ? value : "");
  };
  if (const std::string cache = variable("XDG_CACHE_HOME"); cache.starts_with('/')) return cache + "/ordeal";
  if (const std::string home = variable("HOME"); home.starts_with('/')) return home + "/.cache/ordeal";
  throw std::runtime_error("neither XDG_CACHE_HOME nor HOME names a folder");
}

/// FNV-1a, twice with different starts: 128 bits.
std::string hash_of(const std::string& text) {
  std::uint64_t one = 0xcbf29ce484222325, other = 0x9ae16a3b2f90404f;
  for (const char letter : text) {
    one = (one ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    other = (other ^ static_cast<unsigned char>(letter)) * 0x100000001b3 + (other >> 29);
  }
  return fmt::format("{:016x}{:016x}", one, other);
}

std::int64_t nanoseconds(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

/// What changes when a file changes; empty if it is not there.
std::string state_of(const std::string& path) {
  struct stat found = {};
  if (stat(path.c_str(), &found) != 0) return "";
  return fmt::format("{} {} {} {}", found.st_size, found.st_ino, nanoseconds(found.st_mtim), nanoseconds(found.st_ctim));
}

bool changed_since(const std::string& path, std::int64_t start) {
  struct stat found = {};
  return stat(path.c_str(), &found) != 0 || nanoseconds(found.st_ctim) >= start;
}

using Entries = std::vector<std::pair<fs::file_time_type, fs::path>>;

void remove_oldest(Entries entries, std::size_t kept) {
  std::error_code error;
  std::sort(entries.begin(), entries.end());
  for (std::size_t i = 0; i + kept < entries.size(); ++i) fs::remove_all(entries[i].second, error);
}

/// Removes the oldest entries. Programs that a replay file needs stay longer: without them it has no names and no lines.
void sweep(const std::string& folder) {
  std::error_code error;
  Entries entries, needed;
  for (const auto& entry : fs::directory_iterator(folder, error))
    (fs::exists(entry.path() / kMark, error) ? needed : entries).emplace_back(entry.last_write_time(error), entry.path());
  remove_oldest(std::move(entries), 2 * kKept);  // a list and a folder each
  remove_oldest(std::move(needed), kKeptForReplay);
}

}  // namespace

ProgramCache::ProgramCache() : folder_(folder_name()) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error || access(folder_.c_str(), W_OK | X_OK) != 0)
    throw std::runtime_error(
        fmt::format("cannot write to the folder {}: {}", folder_, error ? error.message() : std::strerror(errno)));
}

std::optional<std::string> ProgramCache::find(const std::string& key) const {
  std::ifstream list(folder_ + "/" + hash_of(key));
  std::string program, state, file;
  if (!std::getline(list, program)) return std::nullopt;
  while (std::getline(list, state) && std::getline(list, file))
    if (state_of(file) != state) return std::nullopt;
  if (access(program.c_str(), X_OK) != 0) return std::nullopt;
  for (const fs::path& used : {fs::path(folder_ + "/" + hash_of(key)), fs::path(program).parent_path()}) {
    std::error_code error;  // what is used is not old
    fs::last_write_time(used, fs::file_time_type::clock::now(), error);
  }
  return program;
}

std::string ProgramCache::new_folder(const std::string& key) const {
  sweep(folder_);
  std::string name = folder_ + "/" + hash_of(key) + "-XXXXXX";
  if (mkdtemp(name.data()) == nullptr)
    throw std::runtime_error(fmt::format("cannot make the folder {}: {}", name, std::strerror(errno)));
  return name;
}

void ProgramCache::add(const std::string& key, const std::string& program, const std::vector<std::string>& files,
                       std::int64_t start) const {
  std::string text = program + "\n";
  for (const std::string& file : std::set<std::string>(files.begin(), files.end())) {
    if (file.find('\n') != std::string::npos || changed_since(file, start)) return;
    text += state_of(file) + "\n" + file + "\n";
  }
  const std::string name = folder_ + "/" + hash_of(key);
  const std::string draft = program + ".list";
  if (!(std::ofstream(draft) << text).flush()) return;
  std::error_code error;
  fs::rename(draft, name, error);  // at once: nobody sees half of it
}

std::int64_t begin_of_build() {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);  // the clock of file times
  return nanoseconds(now);
}

std::vector<std::string> files_of_rule(const std::string& text) {
  std::vector<std::string> files;
  std::string word;
  bool is_behind_colon = false;
  const auto finish = [&] {
    if (is_behind_colon && !word.empty()) files.push_back(word);
    word.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i], next = i + 1 < text.size() ? text[i + 1] : '\n';
    if (letter == '\\' && next == '\n') {
      finish();
      ++i;
    } else if (letter == '\\' && (next == ' ' || next == '#' || next == ':'))
      word += text[++i];
    else if (letter == '$' && next == '$')
      word += text[++i];
    else if (letter == ':' && !is_behind_colon && std::isspace(static_cast<unsigned char>(next))) {
      word.clear();
      is_behind_colon = true;
    } else if (letter == '\n') {
      finish();
      is_behind_colon = false;
    } else if (letter == ' ' || letter == '\t')
      finish();
    else
      word += letter;
  }
  finish();
  return files;
}

void ProgramCache::keep_for_replay(const std::string& program) {
  const fs::path folder = fs::path(program).parent_path();
  try {
    std::error_code error;
    if (fs::equivalent(folder.parent_path(), folder_name(), error) && !error) std::ofstream(folder / kMark) << "";
  } catch (const std::runtime_error&) {  // there is no cache
  }
}

}  // namespace ordeal::tools
