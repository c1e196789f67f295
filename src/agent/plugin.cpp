#include "agent/plugin.h"

#include <dlfcn.h>
#include <unistd.h>

#include <utility>

#include "runtime/native_program.h"
#include "sample/plugin_strategy.h"

namespace ordeal::agent {
namespace {

/// What the plug-in calls is not the program's.
class Outside {
 public:
  Outside() : thread_(std::exchange(runtime::NativeProgram::current, nullptr)) {}
  ~Outside() { runtime::NativeProgram::current = thread_; }
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

 private:
  runtime::Thread* thread_;
};

class OutsideStrategy final : public sample::PluginStrategy {
 public:
  using PluginStrategy::PluginStrategy;
  void begin(std::uint64_t seed, std::uint64_t execution) override {
    const Outside outside;
    PluginStrategy::begin(seed, execution);
  }
  void created(int thread) override {
    const Outside outside;
    PluginStrategy::created(thread);
  }
  int next_thread(const sample::Step& step) override {
    const Outside outside;
    return PluginStrategy::next_thread(step);
  }
  std::uint32_t which_store(int thread, std::uint32_t count) override {
    const Outside outside;
    return PluginStrategy::which_store(thread, count);
  }
  std::uint32_t which_place(int thread, std::uint32_t count) override {
    const Outside outside;
    return PluginStrategy::which_place(thread, count);
  }
  std::uint32_t answer(sample::Question question, std::uint32_t alternatives) override {
    const Outside outside;
    return PluginStrategy::answer(question, alternatives);
  }
};

const ordeal_strategy* table = nullptr;
const OutsideStrategy* in_use = nullptr;
std::string& message() {
  static std::string text;
  return text;
}

std::string problem(const std::string& file) {
  if (access(file.c_str(), R_OK) != 0) return "there is no such file";
  void* library = dlopen((file.find('/') == std::string::npos ? "./" + file : file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* why = dlerror();
    return why != nullptr ? why : "it cannot be loaded";
  }
  const auto* found = static_cast<const ordeal_strategy*>(dlsym(library, "ordeal_plugin"));
  if (found == nullptr) return "it has no symbol 'ordeal_plugin' (see <ordeal/strategy.h>)";
  std::string why = sample::PluginStrategy::why_unusable(*found);
  if (why.empty()) table = found;
  return why;
}

}  // namespace

void Plugin::load(const std::string& file) {
  if (const std::string why = problem(file); !why.empty()) message() = "the strategy '" + file + "' cannot be used: " + why;
}

std::unique_ptr<sample::Strategy> Plugin::strategy() {
  if (table == nullptr) return nullptr;
  auto made = std::make_unique<OutsideStrategy>(*table);
  in_use = made.get();
  return made;
}

const std::string& Plugin::error() { return message(); }

std::string Plugin::fault() {
  if (in_use == nullptr || in_use->fault()[0] == 0) return "";
  return "the strategy '" + std::string(in_use->name()) + "' must not go on: " + in_use->fault();
}

}  // namespace ordeal::agent
