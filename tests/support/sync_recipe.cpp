#include "tests/support/sync_recipe.h"

#include <algorithm>
#include <array>

#include "model/symmetry.h"

namespace ordeal::tests {
namespace {

using Kind = SyncStep::Kind;
using Body = std::vector<SyncStep>;

constexpr int kPlaces = 8;
bool is_shared(Kind kind) { return kind == Kind::kLockShared || kind == Kind::kTryShared; }
bool is_block(Kind kind) { return kind == Kind::kLock || kind == Kind::kTry || kind == Kind::kLockRobust || kind == Kind::kTryRobust || is_shared(kind); }
constexpr std::array<const char*, 6> kOrders{"plain", "rlx", "acq", "rel", "acq_rel", "sc"};

class Maker {
 public:
  Maker(base::Rng& rng, const SyncFlavour& flavour) : rng_(rng), flavour_(flavour) {}

  SyncRecipe make() {
    const int threads = 2 + rng_.below(flavour_.max_threads - 1);
    recipe_.mutexes = 1 + rng_.below(2);
    recipe_.atomics = 1 + rng_.below(2);
    recipe_.is_forked = rng_.chance(25);
    if (flavour_.percent_semaphore > 0) recipe_.tokens = rng_.below(3);
    if (flavour_.percent_barrier > 0) recipe_.meeting = 1 + rng_.below(threads);
    if (flavour_.max_twins > 1) {
      recipe_.is_forked = true;
      recipe_.twins = 2 + (flavour_.max_twins > 2 && threads == 2 ? rng_.below(flavour_.max_twins - 1) : 0);
    }
    for (int t = 0; t < threads; ++t) {
      Body body;
      const int blocks = flavour_.max_blocks == 0 ? 1 + rng_.below(2) : threads == 2 ? 1 + rng_.below(flavour_.max_blocks) : 1;
      for (int i = 0; i < blocks; ++i) {
        maybe_access(body);
        if (rng_.chance(flavour_.percent_condition) && rng_.chance(40)) notify(body);
        if (flavour_.max_blocks > 0) body.push_back(block(1));
      }
      maybe_access(body);
      recipe_.threads.push_back(std::move(body));
    }
    return std::move(recipe_);
  }

 private:
  SyncStep block(int depth) {
    SyncStep step{rng_.chance(flavour_.percent_try) ? Kind::kTry : Kind::kLock};
    if (flavour_.percent_shared > 0 && rng_.chance(flavour_.percent_shared)) step.kind = step.kind == Kind::kTry ? Kind::kTryShared : Kind::kLockShared;
    if (flavour_.is_robust) make_robust(step);
    step.object = depth == 1 ? rng_.below(recipe_.mutexes) : 1 - outer_;
    outer_ = step.object;
    maybe_access(step.body);
    if (depth == 1 && recipe_.mutexes == 2 && rng_.chance(flavour_.percent_nested)) step.body.push_back(block(2));
    else if (rng_.chance(flavour_.percent_condition)) rng_.chance(50) && !is_shared(step.kind) ? wait(step.body) : notify(step.body);
    return step;
  }
  void make_robust(SyncStep& step) {
    step.kind = step.kind == Kind::kTry ? Kind::kTryRobust : Kind::kLockRobust;
    step.value = 2 * rng_.below(3);
    step.order = rng_.chance(70) ? MemoryOrder::kRelease : MemoryOrder::kRelaxed;
  }
  void wait(Body& body) {
    if (rng_.chance(40)) {
      body.push_back({Kind::kLoad, rng_.below(recipe_.atomics)});
      body.push_back({Kind::kWait, 0, 0, MemoryOrder::kRelaxed, 0});
    } else {
      body.push_back({Kind::kWait});
    }
  }
  void notify(Body& body) { body.push_back({rng_.chance(60) ? Kind::kNotifyOne : Kind::kNotifyAll}); }

  void maybe_access(Body& body) {
    if (!rng_.chance(flavour_.percent_access)) return;
    SyncStep step;
    step.object = rng_.below(recipe_.atomics);
    step.guard = rng_.chance(20) ? rng_.below(2) : -1;
    const int kind = rng_.below(100);
    if (rng_.chance(flavour_.percent_fence)) {
      step.kind = Kind::kFence;
      step.order = MemoryOrder::kSeqCst;
    } else if (rng_.chance(flavour_.percent_await)) {
      step.kind = Kind::kAwait;
      step.value = rng_.below(2) * (rng_.chance(50) ? 1 : -1);  // negative: not equal to 1
      step.order = pick({MemoryOrder::kRelaxed, MemoryOrder::kAcquire, MemoryOrder::kSeqCst});
    } else if (rng_.chance(flavour_.percent_useful)) {
      step.kind = rng_.chance(35) ? Kind::kExchangeUseful : rng_.chance(55) ? Kind::kReplaceUseful : Kind::kAwaitUseful;
      step.place = 1 + rng_.below(kPlaces - 2);
      step.value = rng_.below(3);
      step.order = pick({MemoryOrder::kRelaxed, step.kind != Kind::kAwaitUseful ? MemoryOrder::kAcqRel : MemoryOrder::kAcquire, MemoryOrder::kSeqCst});
    } else if (flavour_.percent_semaphore > 0 && rng_.chance(flavour_.percent_semaphore)) {
      step.kind = kind < 40 ? Kind::kTake : kind < 55 ? Kind::kTryTake : Kind::kPost;
    } else if (flavour_.percent_barrier > 0 && rng_.chance(flavour_.percent_barrier)) {
      step.kind = Kind::kMeet;
    } else if (flavour_.percent_replace > 0 && rng_.chance(flavour_.percent_replace)) {
      step.kind = Kind::kReplace;
      step.value = rng_.below(3);
      step.place = rng_.below(2) + (rng_.chance(30) ? 3 : 0);
    } else if (flavour_.percent_choose > 0 && rng_.chance(flavour_.percent_choose)) {
      step.kind = Kind::kChoose;
    } else if (kind < 40) {
      step.kind = Kind::kLoad;
      step.order = pick({MemoryOrder::kRelaxed, MemoryOrder::kAcquire, MemoryOrder::kSeqCst});
    } else if (kind < 85) {
      step.kind = Kind::kStore;
      step.value = rng_.below(3);
      step.order = pick({MemoryOrder::kRelaxed, MemoryOrder::kRelease, MemoryOrder::kSeqCst});
    } else {
      step.kind = Kind::kAdd;
      step.value = 1;
      step.order = pick({MemoryOrder::kRelaxed, MemoryOrder::kAcqRel, MemoryOrder::kSeqCst});
    }
    body.push_back(step);
  }
  MemoryOrder pick(std::array<MemoryOrder, 3> orders) { return orders[static_cast<std::size_t>(rng_.below(3))]; }

  base::Rng& rng_;
  const SyncFlavour& flavour_;
  SyncRecipe recipe_;
  int outer_ = 0;
};

struct Objects {
  std::vector<LocationId> atomics, mutexes, conditions;
  LocationId semaphore, barrier;
  Value meeting;
};

void run(const Body& body, Steps& steps, const Objects& objects, int mutex, Value& last) {
  for (const SyncStep& step : body) {
    if (step.guard >= 0 && last != step.guard) continue;
    const auto object = static_cast<std::size_t>(step.object);
    switch (step.kind) {
      case Kind::kLoad: last = steps.load(objects.atomics[object], step.order); break;
      case Kind::kStore: steps.store(objects.atomics[object], step.value, step.order); break;
      case Kind::kAdd: last = steps.fetch_add(objects.atomics[object], step.value, step.order); break;
      case Kind::kFence: steps.fence(step.order); break;
      case Kind::kAwait:
        last = step.value >= 0 ? steps.await(model::Await::kEqual, objects.atomics[object], -1, step.value, step.order)
                               : steps.await(model::Await::kNotEqual, objects.atomics[object], -1, -step.value, step.order);
        break;
      case Kind::kAwaitUseful: last = steps.await_useful(step.place, objects.atomics[object], step.order); break;
      case Kind::kExchangeUseful: last = steps.exchange_useful(step.place, objects.atomics[object], step.value, step.order); break;
      case Kind::kReplaceUseful:  // the place decides what is expected, too
        last = steps.replace_useful(step.place, objects.atomics[object], step.place % 3, step.value, step.order);
        break;
      case Kind::kLock:
        steps.lock(objects.mutexes[object]);
        run(step.body, steps, objects, step.object, last);
        steps.unlock(objects.mutexes[object]);
        break;
      case Kind::kLockShared:
        steps.lock_shared(objects.mutexes[object]);
        run(step.body, steps, objects, step.object, last);
        steps.unlock_shared(objects.mutexes[object]);
        break;
      case Kind::kTryShared:
        if (!steps.try_lock_shared(objects.mutexes[object])) break;
        run(step.body, steps, objects, step.object, last);
        steps.unlock_shared(objects.mutexes[object]);
        break;
      case Kind::kTake: steps.take(objects.semaphore); break;
      case Kind::kTryTake: last = steps.try_take(objects.semaphore) ? 1 : 0; break;
      case Kind::kPost: steps.post(objects.semaphore); break;
      case Kind::kMeet: steps.meet(objects.barrier, objects.meeting); break;
      case Kind::kTry:
        if (!steps.try_lock(objects.mutexes[object])) break;
        run(step.body, steps, objects, step.object, last);
        steps.unlock(objects.mutexes[object]);
        break;
      case Kind::kLockRobust:
      case Kind::kTryRobust:
        last = step.kind == Kind::kTryRobust ? steps.try_lock_robust(objects.mutexes[object]) : steps.lock_robust(objects.mutexes[object]);
        if (last < 0) break;
        run(step.body, steps, objects, step.object, last);
        steps.unlock_robust(objects.mutexes[object], step.value, step.order);
        break;
      case Kind::kWait: steps.wait(objects.conditions[object], objects.mutexes[static_cast<std::size_t>(mutex)]); break;
      case Kind::kNotifyOne: steps.notify_one(objects.conditions[object]); break;
      case Kind::kNotifyAll: steps.notify_all(objects.conditions[object]); break;
      case Kind::kReplace:
        last = step.place % 3;
        steps.compare_exchange(objects.atomics[object], last, step.value, step.place >= 3);
        break;
      case Kind::kChoose: last = steps.choose(2); break;
    }
  }
}

void print(std::string& out, const Body& body) {
  constexpr std::array<const char*, 23> kNames{"load", "store", "add",  "fence", "lock", "try", "await", "await_useful", "exchange_useful", "replace_useful",
                                               "wait", "notify_one", "notify_all", "replace", "choose", "lock_shared", "try_shared", "take", "try_take", "post", "meet", "lock_robust", "try_robust"};
  for (const SyncStep& step : body) {
    if (step.guard >= 0) out += "if(last==" + std::to_string(step.guard) + ")";
    out += std::string(kNames[static_cast<std::size_t>(step.kind)]) + "(" + std::to_string(step.object);
    if (step.place > 0) out += ",place " + std::to_string(step.place);
    if (step.kind <= Kind::kFence || (step.kind >= Kind::kAwait && step.kind <= Kind::kReplaceUseful))
      out += "," + std::to_string(step.value) + "," + kOrders[static_cast<std::size_t>(step.order)];
    out += ")";
    if (step.kind >= Kind::kLockRobust) out += " leaves " + std::to_string(step.value);
    if (is_block(step.kind)) {
      out += "{ ";
      print(out, step.body);
      out += "}";
    }
    out += "; ";
  }
}

/// `body` with one step taken out, at any depth; a block also without its body or with the body alone.
std::vector<Body> shorter(const Body& body) {
  std::vector<Body> all;
  for (std::size_t i = 0; i < body.size(); ++i) {
    Body without = body;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    all.push_back(without);
    for (Body& inner : shorter(body[i].body)) {
      Body changed = body;
      changed[i].body = std::move(inner);
      all.push_back(std::move(changed));
    }
  }
  return all;
}

}  // namespace

const model::UselessValues& useless_values() {
  static const model::UselessValues values = [] {
    model::UselessValues all;
    for (int place = 0; place < kPlaces; ++place)
      for (int value = 0; value < 3; ++value)
        if ((place >> value & 1) != 0) all.add(place, value);
    return all;
  }();
  return values;
}

SyncRecipe random_sync_recipe(base::Rng& rng, const SyncFlavour& flavour) { return Maker(rng, flavour).make(); }

void add_threads(const SyncRecipe& recipe, ScriptedProgram& program) {
  Objects objects;
  for (int i = 0; i < recipe.atomics; ++i) objects.atomics.push_back(program.location());
  for (int i = 0; i < recipe.mutexes; ++i) objects.mutexes.push_back(program.location());
  objects.semaphore = program.location(recipe.tokens);
  objects.barrier = program.location();
  for (int i = 0; i < recipe.conditions; ++i) objects.conditions.push_back(program.location());
  objects.meeting = recipe.meeting;
  const int bodies = static_cast<int>(recipe.threads.size()), count = bodies + recipe.twins - 1;
  const int first = recipe.twins > 1 ? number(first_twin(recipe)) : count;
  for (int t = 0; t < count; ++t) {
    const int children = recipe.is_forked && t == 0 ? count - 1 : 0;
    const auto thread = [body = recipe.threads[static_cast<std::size_t>(std::min(t, bodies - 1))], objects, children, first](Steps& steps) {
      Value last = -1;
      for (int child = 1; child <= children; ++child) steps.create(ThreadId{child}, child >= first ? model::group_named_by(ThreadId{first}) : 0);
      run(body, steps, objects, 0, last);
      for (int child = 1; child <= children; ++child) steps.join(ThreadId{child});
    };
    if (recipe.is_forked && t > 0) program.created_thread(thread);
    else program.thread(thread);
  }
}

std::string text_of(const SyncRecipe& recipe) {
  std::string out = recipe.is_forked ? "  (the first thread creates and joins the others)\n" : "";
  for (const Body& body : recipe.threads) {
    out += "  thread: ";
    print(out, body);
    out += "\n";
  }
  if (recipe.tokens > 0) out += "  (the semaphore has " + std::to_string(recipe.tokens) + ")\n";
  if (recipe.meeting != 2) out += "  (the barrier is for " + std::to_string(recipe.meeting) + ")\n";
  if (recipe.twins > 1) out += "  (" + std::to_string(recipe.twins) + " threads run the last one)\n";
  return out;
}

std::vector<SyncRecipe> smaller(const SyncRecipe& recipe) {
  std::vector<SyncRecipe> all;
  if (recipe.twins > 2) {
    all.push_back(recipe);
    --all.back().twins;
  }
  for (std::size_t t = 1; recipe.twins > 1 && t + 1 < recipe.threads.size(); ++t) {
    all.push_back(recipe);
    all.back().threads.erase(all.back().threads.begin() + static_cast<std::ptrdiff_t>(t));
  }
  for (std::size_t t = 0; t < recipe.threads.size(); ++t)
    for (Body& body : shorter(recipe.threads[t])) {
      all.push_back(recipe);
      all.back().threads[t] = std::move(body);
    }
  return all;
}

}  // namespace ordeal::tests
