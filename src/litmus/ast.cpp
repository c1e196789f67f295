#include "litmus/ast.h"

#include <algorithm>
#include <tuple>

namespace ordeal::litmus {
namespace {

void collect(const Proposition& proposition, std::vector<Observable>& into) {
  if (proposition.kind == Proposition::Kind::kAtom) {
    into.push_back(proposition.left);
    if (proposition.right) into.push_back(*proposition.right);
  }
  for (const auto& operand : proposition.operands) collect(operand, into);
}

}  // namespace

std::vector<Observable> Test::observables() const {
  std::vector<Observable> all = shown;
  collect(condition, all);
  const auto name_behind = [this](const Observable& observable) -> const std::string& {
    const auto index = static_cast<std::size_t>(observable.index);
    if (observable.thread < 0) return locations[index].name;
    return threads[static_cast<std::size_t>(observable.thread)].variables[index].name;
  };
  std::sort(all.begin(), all.end(), [&](const Observable& a, const Observable& b) {
    if (a.thread != b.thread) return (a.thread < 0) != (b.thread < 0) ? b.thread < 0 : a.thread < b.thread;
    return std::tie(name_behind(a), a.index) < std::tie(name_behind(b), b.index);
  });
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::string Test::name_of(const Observable& observable) const {
  const auto index = static_cast<std::size_t>(observable.index);
  if (observable.thread < 0) return locations[index].name;
  const auto& thread = threads[static_cast<std::size_t>(observable.thread)];
  return std::to_string(observable.thread) + ":" + thread.variables[index].name;
}

}  // namespace ordeal::litmus
