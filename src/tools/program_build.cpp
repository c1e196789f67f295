#include "tools/program_build.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "tools/compiler.h"
#include "tools/program_cache.h"
#include "tools/resources.h"

namespace ordeal::tools {
namespace {

namespace fs = std::filesystem;

bool is_c(const std::string& file) { return file.ends_with(".c"); }

bool gives_standard(const Words& flags) {
  return std::any_of(flags.begin(), flags.end(),
                     [](const std::string& flag) { return flag.starts_with("-std=") || flag.starts_with("--std="); });
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string chosen_compiler(const BuildRequest& request, Language language) {
  if (!request.compiler.empty()) return counterpart(request.compiler, language);
  if (std::getenv(language == Language::kC ? "ORDEAL_CC" : "ORDEAL_CXX") != nullptr) return "";
  const char* usual = std::getenv(language == Language::kC ? "CC" : "CXX");
  if (usual == nullptr || std::string(usual).find("ordeal") != std::string::npos) return "";  // an Ordeal build calls us
  return usual;
}

/// All that goes into one build.
class Build {
 public:
  explicit Build(const BuildRequest& request) : request_(request), resources_(resources()), start_(begin_of_build()) {
    require_library(resources_);
    const bool all_c = std::all_of(request.sources.begin(), request.sources.end(), is_c);
    c_ = find_compiler(chosen_compiler(request, Language::kC), Language::kC);
    linker_ = all_c ? c_ : find_compiler(chosen_compiler(request, Language::kCpp), Language::kCpp);
    for (const Argument& argument : understand(with_response_files(request.flags)).all)
      if (argument.role == Role::kOther)
        compile_flags_.insert(compile_flags_.end(), argument.words.begin(), argument.words.end());
  }

  Words default_flags(const std::string& source) const {
    if (is_c(source) || gives_standard(request_.flags)) return {"-O1", "-g"};
    return {"-O1", "-g", "-std=c++20"};
  }

  std::string description() const {
    const auto first_cpp = std::find_if_not(request_.sources.begin(), request_.sources.end(), is_c);
    const std::string& example = first_cpp != request_.sources.end() ? *first_cpp : request_.sources.front();
    Words words = linker_.command;
    for (const Words& more : {default_flags(example), request_.flags}) words.insert(words.end(), more.begin(), more.end());
    return fmt::format("{}", fmt::join(words, " "));
  }

  /// What the result depends on, files aside.
  std::string key() const {
    Words words = {fs::current_path().string(), resources_.library, resources_.headers};
    for (const Words& more : {request_.sources, request_.flags, linker_.command, c_.command}) {
      words.push_back(std::to_string(more.size()));
      words.insert(words.end(), more.begin(), more.end());
    }
    for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH",
                             "GCC_EXEC_PREFIX", "PATH", "LANG", "SOURCE_DATE_EPOCH"})
      if (const char* value = std::getenv(name)) words.push_back(fmt::format("{}={}", name, value));
    return fmt::format("{}", fmt::join(words, std::string(1, '\0')));
  }

  /// Throws CompileError.
  void run(const std::string& program, const std::string& objects) {
    const IgnoreInterrupts ignore;
    compile_all(objects);
    Words arguments = default_flags(request_.sources.front());
    for (std::size_t i = 0; i < request_.sources.size(); ++i) arguments.push_back(fmt::format("{}/{}.o", objects, i));
    arguments.insert(arguments.end(), request_.flags.begin(), request_.flags.end());
    arguments.insert(arguments.end(), {"-o", program});
    const bool is_gold = std::find(request_.flags.begin(), request_.flags.end(), "-fuse-ld=gold") != request_.flags.end();
    if (!is_gold) arguments.insert(arguments.end(), {"-Xlinker", "--dependency-file=" + objects + "/link.d"});  // gold cannot
    finish(Child(planned(arguments, linker_), {}));
  }

  /// Of all that `run` read. Empty if the linker did not tell.
  std::vector<std::string> files(const std::string& objects) const {
    const std::vector<std::string> linked = files_of_rule(read_text(objects + "/link.d"));
    std::vector<std::string> files;
    for (const std::string& file : linked)
      if (!file.starts_with(objects)) files.push_back(file);
    if (files.empty()) return {};
    for (std::size_t i = 0; i < request_.sources.size(); ++i)
      for (std::string& file : files_of_rule(read_text(fmt::format("{}/{}.d", objects, i)))) files.push_back(std::move(file));
    for (const Compiler* compiler : {&c_, &linker_})
      for (const std::string& word : compiler->command) files.push_back(find_program(word));
    files.push_back(fs::read_symlink("/proc/self/exe").string());
    for (std::string& file : files) file = fs::absolute(file).string();
    return files;
  }

  std::int64_t start() const { return start_; }

 private:
  Words planned(const Words& arguments, const Compiler& compiler) const {
    CompilerPlan plan = tools::plan(arguments, compiler, resources_, "");
    if (!plan.refusal.empty()) throw std::runtime_error(plan.refusal);
    return plan.last;
  }

  Words compilation(std::size_t i, const std::string& objects) const {
    const std::string& source = request_.sources[i];
    Words arguments = default_flags(source);
    arguments.insert(arguments.end(), compile_flags_.begin(), compile_flags_.end());
    arguments.insert(arguments.end(), {"-MD", "-MF", fmt::format("{}/{}.d", objects, i), "-c", source, "-o",
                                       fmt::format("{}/{}.o", objects, i)});
    return planned(arguments, is_c(source) ? c_ : linker_);
  }

  /// As many at a time as there are processors; after an error no more are started.
  void compile_all(const std::string& objects) {
    const std::size_t limit = std::max(1U, std::thread::hardware_concurrency());
    std::deque<Child> running;
    for (std::size_t i = 0; i < request_.sources.size(); ++i) {
      if (running.size() == limit) {
        Child oldest = std::move(running.front());
        running.pop_front();
        finish(std::move(oldest));
      }
      running.emplace_back(compilation(i, objects), ChildOptions{});
    }
    bool failed = false;
    for (Child& child : running) failed |= !child.wait().is_fine();
    if (failed) throw CompileError("");
  }

  void finish(Child child) const {
    const ChildEnd end = child.wait();
    if (!end.not_started.empty())
      throw std::runtime_error(fmt::format("the compiler '{}' {}", linker_.command.front(), describe(end)));
    if (!end.is_fine()) throw CompileError("");
  }

  const BuildRequest& request_;
  Resources resources_;
  std::int64_t start_;
  Compiler c_, linker_;
  Words compile_flags_;  // without libraries and files
};

std::string program_name(const std::string& source) { return fs::path(source).stem().string(); }

/// The cache, or nothing and a note.
std::optional<ProgramCache> open_cache() {
  try {
    return ProgramCache();
  } catch (const std::exception& error) {
    std::cerr << "ordeal: the program is not kept for a replay: " << error.what() << "\n";
    return std::nullopt;
  }
}

}  // namespace

bool is_source_file(const std::string& name) {
  const std::string ending = fs::path(name).extension().string();
  for (const char* known : {".c", ".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C"})
    if (ending == known) return true;
  return false;
}

BuiltProgram build_program(const BuildRequest& request) {
  for (const std::string& source : request.sources)
    if (!fs::exists(source)) throw std::runtime_error(fmt::format("there is no file '{}'", source));
  Build build(request);
  BuiltProgram result;
  result.command = build.description();
  const std::optional<ProgramCache> cache = open_cache();
  const std::string key = build.key();
  if (cache)
    if (const auto found = cache->find(key)) {
      result.path = *found;
      result.was_there = true;
      return result;
    }
  const TemporaryDirectory objects;
  if (!cache) result.folder = std::make_shared<TemporaryDirectory>();
  const std::string folder = cache ? cache->new_folder(key) : result.folder->path();
  result.path = folder + "/" + program_name(request.sources.front());
  try {
    build.run(result.path, objects.path());
  } catch (...) {
    std::error_code error;
    fs::remove_all(folder, error);
    throw;
  }
  const std::vector<std::string> files = build.files(objects.path());
  if (cache && !files.empty()) cache->add(key, result.path, files, build.start());
  return result;
}

}  // namespace ordeal::tools
