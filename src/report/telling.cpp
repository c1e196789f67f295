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
  if (!hop.releases) text = "the store is " + not_strong_enough(event(index(hop.write)).order, "release");
  if (!hop.acquires)
    text += fmt::format("{}the load is {}", text.empty() ? "" : ", and ", not_strong_enough(event(index(hop.read)).order, "acquire"));
  return text;
}

analysis::Spot Telling::spot(std::size_t party) const {
  const trace::Party& side = bug_.bug().parties[party];
  const std::ptrdiff_t found = bug_.parties()[party].event;
  if (found < 0) return {side.thread, side.before, false};
  return {side.thread, event(static_cast<std::size_t>(found)).name.index, true};
}

}  // namespace ordeal::report
