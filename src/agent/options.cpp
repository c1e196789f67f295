#include "agent/options.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "sample/strategy.h"

namespace ordeal::agent {
namespace {

bool parse_number(std::string_view text, double& number) {
  const std::string copy(text);
  char* end = nullptr;
  number = std::strtod(copy.c_str(), &end);
  return !copy.empty() && *end == 0 && number >= 0;
}

bool set_mode(Options& options, std::string_view value) {
  if (value == "check") options.mode = Mode::kCheck;
  else if (value == "replay") options.mode = Mode::kReplay;
  else if (value == "test") options.mode = Mode::kTest;
  else if (value == "once") options.mode = Mode::kOnce;
  else if (value == "serve") options.mode = Mode::kServe;
  else return false;
  return true;
}

bool set_model(Options& options, std::string_view value) {
  for (const model::Model model : {model::Model::kCpp20, model::Model::kRc11, model::Model::kSc, model::Model::kTso}) {
    if (model::name_of(model) != value) continue;
    options.model = model;
    return true;
  }
  return false;
}

bool set_volatile(Options& options, std::string_view value) {
  if (value == "plain") options.volatile_as = VolatileAs::kPlain;
  else if (value == "relaxed") options.volatile_as = VolatileAs::kRelaxed;
  else if (value == "acq-rel") options.volatile_as = VolatileAs::kAcquireRelease;
  else return false;
  return true;
}

bool set_ignored(Options& options, std::string_view value) {
  while (!value.empty()) {
    std::uint32_t place = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), place, 16);
    if (error != std::errc{}) return false;
    options.ignored.push_back(place);
    value.remove_prefix(static_cast<std::size_t>(end - value.data()));
    if (!value.empty() && value.front() != ',') return false;
    if (!value.empty()) value.remove_prefix(1);
  }
  return true;
}

/// Where the race is that is wanted, or 0.
bool set_debug(Options& options, std::string_view value) {
  options.debug = true;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), options.race, 16);
  return error == std::errc{} && end == value.data() + value.size();
}

bool set(Options& options, std::string_view key, std::string_view value) {
  if (key == "ignored") return set_ignored(options, value);
  if (key == "debug") return set_debug(options, value);
  if (key == "mode") return set_mode(options, value);
  if (key == "model") return set_model(options, value);
  if (key == "volatile") return set_volatile(options, value);
  if (key == "strategy") {
    options.strategy = value;
    return is_plugin(value) || sample::make_strategy(value) != nullptr;
  }
  if (key == "observer") {
    options.observer = value;
    return !value.empty();
  }
  if (key == "seed" || key == "first") {
    std::uint64_t& whole = key == "seed" ? options.seed : options.first;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), whole);
    return error == std::errc{} && end == value.data() + value.size();
  }
  double number = 0;
  if (!parse_number(value, number)) return false;
  if (key == "result_fd") options.result_fd = static_cast<int>(number);
  else if (key == "replay_fd") options.replay_fd = static_cast<int>(number);
  else if (key == "request_fd") options.request_fd = static_cast<int>(number);
  else if (key == "load_buffering") options.load_buffering = number != 0;
  else if (key == "spurious") options.spurious = number != 0;
  else if (key == "symmetry") options.symmetry = number != 0;
  else if (key == "keep_going") options.keep_going = number != 0;
  else if (key == "first_bug") options.first_bug = number != 0;
  else if (key == "progress") options.progress = number != 0;
  else if (key == "fair") options.fair = number != 0;
  else if (key == "reduction") options.reduction = number != 0;
  else if (key == "eager") options.eager = number != 0;
  else if (key == "show") options.show = number != 0;
  else if (key == "exit_code") options.exit_code = number != 0;
  else if (key == "isolate") options.isolate = number != 0 ? 1 : 0;
  else if (key == "real_time") options.real_time = number != 0;
  else if (key == "leaks") options.leaks = number != 0;
  else if (key == "sc_analysis") options.sc_analysis = number != 0;
  else if (key == "sc_shown") options.sc_shown = number != 0;
  else if (key == "require_sc") options.require_sc = number != 0;
  else if (key == "loop_bound") options.loop_bound = static_cast<std::uint64_t>(number);
  else if (key == "reread_bound") options.reread_bound = static_cast<std::uint64_t>(number);
  else if (key == "max_events") options.max_events = static_cast<std::uint64_t>(number);
  else if (key == "executions") options.executions = static_cast<std::uint64_t>(number);
  else if (key == "time") options.time = number;
  else if (key == "watchdog") options.watchdog = number;
  else return false;
  return true;
}

/// Up to the colon behind it. What has no = is a part of the value before: strategy=pct:3, or a path.
std::string_view first_pair(std::string_view text) {
  std::size_t end = text.find(':');
  while (end < text.size() && end > 0) {
    const std::size_t next = text.find(':', end + 1);
    const std::string_view piece = text.substr(end + 1, next == std::string_view::npos ? next : next - end - 1);
    if (piece.empty() || piece.find('=') != std::string_view::npos) break;
    end = next;
  }
  return text.substr(0, end);
}

}  // namespace

bool is_plugin(std::string_view strategy) { return strategy.find('/') != std::string_view::npos || strategy.ends_with(".so"); }

Options parse_options(const char* text) {
  Options options;
  std::string_view rest = text == nullptr ? "" : text;
  while (!rest.empty() && options.error.empty()) {
    const std::string_view pair = first_pair(rest);
    rest.remove_prefix(pair.size() < rest.size() ? pair.size() + 1 : pair.size());
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    const std::string_view key = pair.substr(0, equals), value = equals == std::string_view::npos ? "" : pair.substr(equals + 1);
    if (key == "help") options.error = "help";
    else if (!set(options, key, value)) options.error = "ORDEAL_OPTIONS: '" + std::string(pair) + "' is not understood; help=1 lists what is";
    if (key != "result_fd" && key != "replay_fd" && key != "progress" && key != "mode") options.given.emplace_back(pair);
  }
  return options;
}

const char* options_help() {
  return "ORDEAL_OPTIONS: key=value pairs with colons between, for a program built by `ordeal c++`\n"
         "  mode=once|check|test  one execution (default), every execution class, or executions at random\n"
         "  spurious=0|1, executions=N, time=SECONDS\n"
         "  max_events=N       operations of one thread (mode=test: of all), after which an execution is cut (default 20000 with mode=check)\n"
         "  watchdog=SECONDS   without any operation, after which a thread is stopped (default 10; 0: never)\n"
         "With mode=check:\n"
         "  model=cpp20|rc11|sc|tso, load_buffering=0|1, keep_going=0|1, first_bug=0|1, symmetry=0|1, leaks=0|1\n"
         "  sc_analysis=0|1, require_sc=0|1  whether each execution is an interleaving of the threads\n"
         "  sc_shown=0|1                     the first that is none is shown (default 1)\n"
         "  loop_bound=N, fair=0|1, reread_bound=N, reduction=0|1, eager=0|1\n"
         "  observer=FILE.so   looks at every execution (<ordeal/observer.h>)\n"
         "With mode=test:\n"
         "  strategy=random|pct|pct:DEPTH|portfolio|FILE.so  who goes on, and what loads read (default portfolio)\n"
         "  seed=N, first=N    of the random numbers (default 1); the number of the first execution (default 0)\n"
         "  exit_code=0|1      whether an exit code other than 0 is a bug (default 0)\n"
         "  isolate=0|1        whether each execution is a process of its own (default: where it is needed)\n"
         "  real_time=0|1      whether clocks are the system's (default 0: virtual)\n"
         "  volatile=plain     what accesses to volatile variables are (relaxed, acq-rel)\n";
}

}  // namespace ordeal::agent
