#include "tests/support/recipe.h"

#include <algorithm>

namespace ordeal::tests {

using litmus::Expression;
using litmus::ExpressionPtr;
using litmus::Order;
using litmus::Statement;

namespace {

Order pick(base::Rng& rng, const Flavour& flavour, std::initializer_list<Order> weak) {
  if (rng.chance(flavour.percent_seq_cst)) return Order::kSeqCst;
  return *(weak.begin() + rng.below(static_cast<int>(weak.size())));
}

Step random_step(base::Rng& rng, const Flavour& flavour, int locations, const std::vector<int>& registers) {
  Step step;
  step.location = rng.below(locations);
  const int kind = rng.below(100);
  const auto value_from = [&] {
    if (flavour.data_dependencies && !registers.empty() && rng.chance(30))
      step.from = registers[static_cast<std::size_t>(rng.below(static_cast<int>(registers.size())))];
  };
  if (kind < flavour.percent_fence) {
    step.kind = Step::Kind::kFence;
    step.order = pick(rng, flavour, {Order::kAcquire, Order::kRelease, Order::kAcqRel, Order::kSeqCst});
  } else if (kind < flavour.percent_fence + flavour.percent_rmw) {
    step.order = pick(rng, flavour, {Order::kRelaxed, Order::kAcquire, Order::kRelease, Order::kAcqRel});
    if (rng.chance(50)) {
      step.kind = Step::Kind::kRmw;
      step.function = static_cast<litmus::RmwOp>(rng.below(6));
      step.value = 1 + rng.below(2);
      value_from();
    } else {
      step.kind = Step::Kind::kCompareExchange;
      step.failure_order = pick(rng, flavour, {Order::kRelaxed, Order::kAcquire});
      step.is_weak = rng.chance(30);
      step.expected = rng.below(2);
      step.value = 1 + rng.below(2);
    }
  } else if (kind < flavour.percent_fence + flavour.percent_rmw + (100 - flavour.percent_fence - flavour.percent_rmw) / 2) {
    step.order = pick(rng, flavour, {Order::kRelaxed, Order::kAcquire, Order::kConsume});
    if (rng.chance(flavour.percent_plain)) step.order = Order::kPlain;
    if (rng.chance(flavour.percent_loop)) step.repeat = 2;
  } else {
    step.kind = Step::Kind::kStore;
    step.order = pick(rng, flavour, {Order::kRelaxed, Order::kRelease});
    if (rng.chance(flavour.percent_plain)) step.order = Order::kPlain;
    step.value = 1 + rng.below(2);
    value_from();
  }
  if (!registers.empty() && rng.chance(flavour.percent_guard)) {
    step.guard = registers[static_cast<std::size_t>(rng.below(static_cast<int>(registers.size())))];
    step.guard_value = rng.below(2);
    step.guard_equal = rng.chance(70);
  }
  return step;
}

ExpressionPtr make(Expression::Kind kind) {
  auto e = std::make_unique<Expression>();
  e->kind = kind;
  return e;
}
ExpressionPtr number(litmus::Value value) {
  auto e = make(Expression::Kind::kNumber);
  e->number = value;
  return e;
}
ExpressionPtr variable(int index) {
  auto e = make(Expression::Kind::kVariable);
  e->variable = index;
  return e;
}
ExpressionPtr binary(litmus::BinaryOp op, ExpressionPtr left, ExpressionPtr right) {
  auto e = make(Expression::Kind::kBinary);
  e->binary_op = op;
  e->operand = std::move(left);
  e->second = std::move(right);
  return e;
}

/// Variables of a thread: one parameter a location, then r0, r1 …, then e0, e1 … (expected values).
Statement statement_of(const Step& step, std::size_t index, std::size_t steps, int locations) {
  const int reg = locations + static_cast<int>(index), expected = reg + static_cast<int>(steps);
  ExpressionPtr operand = step.from < 0 ? number(step.value)
                                        : binary(litmus::BinaryOp::kAdd, variable(locations + step.from), number(step.value));
  Statement s;
  s.order = step.order;
  switch (step.kind) {
    case Step::Kind::kFence: s.kind = Statement::Kind::kFence; return s;
    case Step::Kind::kStore:
      s.kind = Statement::Kind::kStore;
      s.address = variable(step.location);
      s.expression = std::move(operand);
      return s;
    case Step::Kind::kLoad: s.expression = make(Expression::Kind::kLoad); break;
    case Step::Kind::kRmw:
      s.expression = make(Expression::Kind::kRmw);
      s.expression->rmw_op = step.function;
      s.expression->second = std::move(operand);
      break;
    case Step::Kind::kCompareExchange:
      s.expression = make(Expression::Kind::kCompareExchange);
      s.expression->second = std::move(operand);
      s.expression->expected_variable = expected;
      s.expression->failure_order = step.failure_order;
      s.expression->is_weak = step.is_weak;
      break;
  }
  s.kind = Statement::Kind::kAssign;
  s.variable = reg;
  s.expression->operand = variable(step.location);
  s.expression->order = step.order;
  return s;
}

litmus::Thread to_thread(const std::vector<Step>& steps, const Recipe& recipe, const std::vector<litmus::Location>& locations) {
  litmus::Thread thread;
  for (std::size_t l = 0; l < locations.size(); ++l) {
    litmus::Type type = locations[l].type;
    type.pointers = 1;
    thread.variables.push_back({locations[l].name, type, true, litmus::address_of(static_cast<int>(l))});
  }
  for (std::size_t i = 0; i < steps.size(); ++i) thread.variables.push_back({"r" + std::to_string(i), {}, false, 0});
  for (std::size_t i = 0; i < steps.size(); ++i)
    thread.variables.push_back({"e" + std::to_string(i), {}, false, steps[i].expected});
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Statement s = statement_of(steps[i], i, steps.size(), recipe.locations);
    if (steps[i].repeat == 2 && steps[i].kind == Step::Kind::kLoad) {
      Statement loop;
      loop.kind = Statement::Kind::kDoWhile;
      loop.expression = binary(litmus::BinaryOp::kEqual, variable(recipe.locations + static_cast<int>(i)), number(0));
      loop.body.push_back(std::move(s));
      s = std::move(loop);
    }
    if (steps[i].guard >= 0) {
      Statement guarded;
      guarded.kind = Statement::Kind::kIf;
      guarded.expression = binary(steps[i].guard_equal ? litmus::BinaryOp::kEqual : litmus::BinaryOp::kNotEqual,
                                  variable(recipe.locations + steps[i].guard), number(steps[i].guard_value));
      guarded.body.push_back(std::move(s));
      s = std::move(guarded);
    }
    thread.body.push_back(std::move(s));
  }
  return thread;
}

void remove_step(std::vector<Step>& steps, int index) {
  steps.erase(steps.begin() + index);
  for (Step& step : steps) {
    for (int* reference : {&step.guard, &step.from}) {
      if (*reference == index) *reference = -1;
      else if (*reference > index) --*reference;
    }
  }
}

}  // namespace

Recipe random_recipe(base::Rng& rng, const Flavour& flavour) {
  Recipe recipe;
  recipe.locations = 1 + rng.below(flavour.max_locations);
  const int threads = flavour.min_threads + rng.below(flavour.max_threads - flavour.min_threads + 1);
  recipe.threads.resize(static_cast<std::size_t>(threads));
  const int steps = threads + rng.below(std::max(1, flavour.max_steps - threads + 1));
  for (int i = 0; i < steps; ++i) {
    auto& thread = recipe.threads[static_cast<std::size_t>(i < threads ? i : rng.below(threads))];
    std::vector<int> registers;
    for (std::size_t s = 0; s < thread.size(); ++s)
      if (thread[s].kind != Step::Kind::kStore && thread[s].kind != Step::Kind::kFence) registers.push_back(static_cast<int>(s));
    thread.push_back(random_step(rng, flavour, recipe.locations, registers));
  }
  return recipe;
}

litmus::Test to_test(const Recipe& recipe, const std::string& name) {
  litmus::Test test;
  test.name = name;
  for (int l = 0; l < recipe.locations; ++l) {
    litmus::Location location;
    location.name = std::string(1, static_cast<char>('x' + l));
    location.type.is_atomic = true;
    test.locations.push_back(location);
  }
  for (const auto& steps : recipe.threads) test.threads.push_back(to_thread(steps, recipe, test.locations));
  for (std::size_t t = 0; t < recipe.threads.size(); ++t)
    for (std::size_t i = 0; i < recipe.threads[t].size(); ++i)
      test.shown.push_back({static_cast<int>(t), recipe.locations + static_cast<int>(i)});
  for (int l = 0; l < recipe.locations; ++l) test.shown.push_back({-1, l});
  test.condition_text = "forall (true)";
  return test;
}

Recipe shrink(Recipe recipe, const std::function<bool(const Recipe&)>& fails) {
  const auto attempt = [&](const std::function<void(Recipe&)>& change) {
    Recipe smaller = recipe;
    change(smaller);
    if (!fails(smaller)) return false;
    recipe = std::move(smaller);
    return true;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t t = 0; t < recipe.threads.size(); ++t)
      changed |= recipe.threads.size() > 1 && attempt([&](Recipe& r) { r.threads.erase(r.threads.begin() + static_cast<std::ptrdiff_t>(t)); });
    for (std::size_t t = 0; t < recipe.threads.size(); ++t)
      for (std::size_t i = 0; i < recipe.threads[t].size(); ++i) {
        changed |= attempt([&](Recipe& r) { remove_step(r.threads[t], static_cast<int>(i)); });
        if (i >= recipe.threads[t].size()) break;
        const Step& step = recipe.threads[t][i];
        const auto simplify = [&](bool applies, const std::function<void(Step&)>& change) {
          if (applies) changed |= attempt([&](Recipe& r) { change(r.threads[t][i]); });
        };
        simplify(step.guard >= 0, [](Step& s) { s.guard = -1; });
        simplify(step.from >= 0, [](Step& s) { s.from = -1; });
        simplify(step.repeat > 1, [](Step& s) { s.repeat = 1; });
        simplify(step.is_weak, [](Step& s) { s.is_weak = false; });
        simplify(step.order != Order::kRelaxed && step.kind != Step::Kind::kFence, [](Step& s) { s.order = Order::kRelaxed; });
        simplify(step.failure_order != Order::kRelaxed, [](Step& s) { s.failure_order = Order::kRelaxed; });
        simplify(step.kind == Step::Kind::kRmw || step.kind == Step::Kind::kCompareExchange, [](Step& s) {
          s.kind = Step::Kind::kLoad;
          s.order = Order::kRelaxed;
        });
        simplify(step.location != 0, [](Step& s) { s.location = 0; });
        simplify(step.value != 1, [](Step& s) { s.value = 1; });
      }
  }
  return recipe;
}

}  // namespace ordeal::tests
