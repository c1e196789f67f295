// The oracle's enumeration against a plainer one: random straight-line programs, every rf and every total mo.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "notation.h"
#include "oracle/axioms.h"
#include "oracle/oracle.h"
#include "oracle/relation.h"
#include "rounds.h"

namespace ordeal::oracle {
namespace {

using litmus::Order;

struct Sample {
  std::vector<std::string> threads;
  std::vector<Event> events;  // initial writes of x, y first; no sources
};

Sample random_sample(std::mt19937& random) {
  const auto pick = [&](int count) { return static_cast<int>(random() % count); };
  static const std::pair<const char*, Order> load_orders[] = {
      {"na", Order::kPlain}, {"rlx", Order::kRelaxed}, {"acq", Order::kAcquire}, {"sc", Order::kSeqCst}};
  static const std::pair<const char*, Order> store_orders[] = {
      {"na", Order::kPlain}, {"rlx", Order::kRelaxed}, {"rel", Order::kRelease}, {"sc", Order::kSeqCst}};
  static const std::pair<const char*, Order> rmw_orders[] = {
      {"rlx", Order::kRelaxed}, {"acq", Order::kAcquire}, {"rel", Order::kRelease}, {"sc", Order::kSeqCst}};
  static const std::pair<const char*, Order> fence_orders[] = {
      {"acq", Order::kAcquire}, {"rel", Order::kRelease}, {"ar", Order::kAcqRel}, {"sc", Order::kSeqCst}};
  static const char* const names[] = {"x", "y"};
  Sample sample;
  for (int location = 0; location < 2; ++location) {
    Event event;
    event.index = event.location = location;
    sample.events.push_back(event);
  }
  const int thread_count = 2 + pick(2);
  for (int thread = 0; thread < thread_count; ++thread) {
    std::string text;
    const int length = 1 + pick(thread_count == 2 ? 4 : 3);
    for (int index = 0; index < length; ++index) {
      Event event;
      event.thread = thread;
      event.index = index;
      event.location = pick(2);
      const std::string name = names[event.location];
      const std::string reg = "r" + std::to_string(index);
      const int kind = pick(8);
      const int order = pick(4);
      if (kind < 3) {
        event.kind = Event::Kind::kRead;
        event.order = load_orders[order].second;
        text += "R " + reg + " " + name + " " + load_orders[order].first + ";";
      } else if (kind < 6) {
        event.kind = Event::Kind::kWrite;
        event.order = store_orders[order].second;
        text += "W " + name + " 1 " + store_orders[order].first + ";";
      } else if (kind == 6) {
        event.kind = Event::Kind::kRmw;
        event.order = rmw_orders[order].second;
        text += "A " + reg + " " + name + " 1 " + rmw_orders[order].first + ";";
      } else {
        event.kind = Event::Kind::kFence;
        event.location = -1;
        event.order = fence_orders[order].second;
        text += std::string("F ") + fence_orders[order].first + ";";
      }
      sample.events.push_back(event);
    }
    sample.threads.push_back(text);
  }
  return sample;
}

/// All total orders of the writes of the locations from `location` on, after `mo`; the initial write first.
template <class Visit>
void for_each_total_order(const std::vector<Event>& events, Relation mo, int location, const Visit& visit) {
  if (location == 2) return visit(mo);
  std::vector<int> writes;
  for (int e = 2; e < mo.size; ++e)
    if (events[e].writes() && events[e].location == location) writes.push_back(e);
  do {
    Relation more = mo;
    for (std::size_t i = 0; i < writes.size(); ++i) {
      more.add(location, writes[i]);
      for (std::size_t j = i + 1; j < writes.size(); ++j) more.add(writes[i], writes[j]);
    }
    for_each_total_order(events, more, location + 1, visit);
  } while (std::next_permutation(writes.begin(), writes.end()));
}

std::size_t count(Model model, std::vector<Event> events, int next) {
  const int size = static_cast<int>(events.size());
  while (next < size && !events[next].reads()) ++next;
  std::size_t result = 0;
  if (next < size) {
    for (int source = 0; source < size; ++source) {
      if (source == next || !events[source].writes() || events[source].location != events[next].location) continue;
      events[next].source = source;
      result += count(model, events, next + 1);
    }
    return result;
  }
  const Axioms axioms(model, /*thin_air=*/false, events);
  for_each_total_order(events, Relation(size), 0, [&](const Relation& mo) { result += axioms.hold(mo) ? 1 : 0; });
  return model == Model::kCpp20 || model == Model::kRc11 ? std::min<std::size_t>(result, 1) : result;
}

/// How many pairs of an rf and an mo there are to try.
double candidates(const Sample& sample) {
  std::array<double, 2> writes{};
  for (const Event& event : sample.events)
    if (event.writes()) ++writes[event.location];
  double result = 1;
  for (const Event& event : sample.events)
    if (event.reads()) result *= writes[event.location];
  return result * std::tgamma(writes[0]) * std::tgamma(writes[1]);  // tgamma(n + 1) = n!; the initial write is first
}

TEST(Enumeration, AgreesWithAllSourcesAndAllOrders) {
  std::mt19937 random(20);
  std::size_t classes = 0;
  for (int round = 0; round < testing::scaled(150); ++round) {
    const Sample sample = random_sample(random);
    if (candidates(sample) > 20'000) continue;
    const auto test = testing::Notation::parse(sample.threads, {{"x", 0}, {"y", 0}});
    for (const Model model : {Model::kCpp20, Model::kRc11, Model::kSc, Model::kTso}) {
      Options options;
      options.model = model;
      const Result result = run(test, options);
      ASSERT_FALSE(result.gave_up);
      classes += result.executions;
      ASSERT_EQ(result.executions, count(model, sample.events, 0))
          << "model " << static_cast<int>(model) << ::testing::PrintToString(sample.threads);
    }
  }
  EXPECT_GT(classes, 0U);
}

}  // namespace
}  // namespace ordeal::oracle
