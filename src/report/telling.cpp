#include "report/telling.h"

#include <fmt/format.h>

namespace ordeal::report {

using model::MemoryOrder;

std::string Telling::where(std::size_t index) const {
  const std::string& place = bug_.place(index);
  return fmt::format("{} [{}]", place.empty() ? "" : " at " + place, bug_.rows().letter(index));
}

std::string Telling::location(std::size_t index) const {
  return "'" + bug_.texts().locations[static_cast<std::size_t>(event(index).location)] + "'";
}

std::string Telling::value(std::size_t index) const {
  const std::string& text = bug_.texts().values[index];
  return text.empty() ? std::to_string(event(index).value) : text;
}

trace::LocationSort Telling::sort(std::size_t index) const {
  return trace_.locations[static_cast<std::size_t>(event(index).location)].sort;
}

std::string Telling::reads_from(std::size_t read) const {
  const auto source = static_cast<std::size_t>(bug_.rows().index_of(event(read).rf));
  return fmt::format("{} reads {} = {}{} from the store of {}{}", thread(read), location(read), value(read), where(read),
                     thread(source), where(source));
}

std::string Telling::not_strong_enough(MemoryOrder order, const char* needed) {
  if (order == MemoryOrder::kPlain) return "not atomic";
  const char* name = order == MemoryOrder::kRelaxed   ? "relaxed"
                     : order == MemoryOrder::kAcquire ? "acquire"
                                                      : "release";
  return fmt::format("{}, not {}", name, needed);
}

std::string Telling::weakness(const analysis::Hop& hop) const {
  std::string text;
  if (!hop.releases) text = "the store is " + not_strong_enough(event(index(hop.write)).order, "release") + useless_fence(index(hop.write), true);
  if (!hop.acquires)
    text += fmt::format("{}the load is {}{}", text.empty() ? "" : ", and ", not_strong_enough(event(index(hop.read)).order, "acquire"), useless_fence(index(hop.read), false));
  return text;
}

std::string Telling::useless_fence(std::size_t index, bool is_store) const {
  const trace::EventName& name = event(index).name;
  const int half = event(index).is_rmw ? 1 : 0;
  const auto fence = [&](int step) {
    const std::ptrdiff_t found = bug_.rows().index_of({name.thread, name.index + step});
    return found >= 0 && event(static_cast<std::size_t>(found)).kind == model::EventKind::kFence ? found : -1;
  };
  const bool reads = event(index).kind == model::EventKind::kRead;
  const std::ptrdiff_t before = fence(-1 - (reads ? 0 : half)), after = fence(1 + (reads ? half : 0));
  const std::ptrdiff_t right = is_store ? before : after, wrong = is_store ? after : before;
  const auto does = is_store ? model::releases : model::acquires;
  if (right >= 0)
    return fmt::format(" (the fence{} is {})", where(static_cast<std::size_t>(right)), not_strong_enough(event(static_cast<std::size_t>(right)).order, is_store ? "release" : "acquire"));
  if (wrong >= 0 && does(event(static_cast<std::size_t>(wrong)).order))
    return fmt::format(" (the fence{} comes {} it)", where(static_cast<std::size_t>(wrong)), is_store ? "after" : "before");
  return "";
}

analysis::Spot Telling::spot(std::size_t party) const {
  const trace::Party& side = bug_.bug().parties[party];
  const std::ptrdiff_t found = bug_.parties()[party].event;
  if (found < 0) return {side.thread, side.before, false};
  return {side.thread, event(static_cast<std::size_t>(found)).name.index, true};
}

}  // namespace ordeal::report
