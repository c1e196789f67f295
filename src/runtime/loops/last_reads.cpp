#include "runtime/loops/last_reads.h"

#include <algorithm>

#include "runtime/loops/configuration.h"
#include "runtime/loops/speculation.h"
#include "runtime/loops/take_over.h"
#include "runtime/native_program.h"

namespace ordeal::runtime {

using Why = model::UselessValues::Why;

namespace {

constexpr int kMostPlaces = 100'000;
constexpr std::size_t kMostValues = 64;  // of an object

/// All configurations since the last effect.
Digest digest_of_all(Thread& thread) {
  const Step& now = thread.spin.steps[static_cast<std::size_t>(thread.spin.now)];
  Digest all;
  for (int i = 0; i <= thread.spin.now; ++i) {
    Step& step = thread.spin.steps[static_cast<std::size_t>(i)];
    if (step.effects != thread.spin.effects) continue;
    if (!step.has_digest) step.digest = digest_of(thread, step);
    step.has_digest = true;
    all.add(step.digest.first);
    all.add(step.digest.second);
    all.add(has_only_read(thread.spin, step, now) ? 1 : 0);
  }
  return all;
}

struct Answer {
  Why why = Why::kNot;
  int first = -1;  // the turn begins with that step
};

/// What rules A and B would say if the thread's operation `now` read that value.
Answer ask(Thread& thread, const Step& now, model::Value value) {
  const LoopTrace& trace = thread.spin;
  const Outcome outcome = outcome_with(now.call, static_cast<std::uint64_t>(value));
  if (!is_read_only(now.call, outcome) || !leads_somewhere(thread, now, outcome)) return {};
  for (int i = trace.now; i >= 0; --i) {
    const Step& then = trace.steps[static_cast<std::size_t>(i)];
    if (then.effects != now.effects || !Speculation::came_to_state(then)) continue;
    return i == trace.now || has_only_read(trace, then, now) ? Answer{Why::kWaits, i} : Answer{};
  }
  const Step there = Speculation::arrival();
  for (int r = trace.now - 1; r >= 0; --r) {
    const Step& earlier = trace.steps[static_cast<std::size_t>(r)];
    if (!has_only_read(trace, earlier, now) || !may_take_place(earlier, now, outcome)) continue;
    const Outcome taken = is_same_operation(earlier.call, now.call) ? outcome : outcome_with(earlier.call, static_cast<std::uint64_t>(value));
    if (leads_somewhere(thread, earlier, taken) && Speculation::came_to_state(there)) return {Why::kRedundant, r};
  }
  return {};
}

}  // namespace

bool LastReads::note(const Thread& thread, int first) {
  const LoopTrace& trace = thread.spin;
  if (first + 1 >= trace.count || !are_all_kept(trace)) return false;
  const Step &begin = trace.steps[static_cast<std::size_t>(first)], &last = trace.steps[static_cast<std::size_t>(trace.count - 1)];
  if (!last.has_outcome || !is_read_only(last.call, last.outcome) || last.failed_spuriously || last.could_have_failed) return false;
  if (!has_only_read(trace, begin, last) || last.shared_accesses != thread.shared_accesses) return false;
  const bool is_known = sites_.contains(last.call.site);
  next_sites_.insert(last.call.site);
  std::vector<model::Value>& seen = seen_[last.call.address];
  const auto value = static_cast<model::Value>(last.outcome.value);
  if (seen.size() < kMostValues && std::find(seen.begin(), seen.end(), value) == seen.end()) seen.push_back(value);
  if (!is_known) return true;
  const auto values = values_.find(last.call.address);
  return values == values_.end() || std::find(values->second.begin(), values->second.end(), value) == values->second.end();
}

void LastReads::note_value_of_known(std::uintptr_t address, model::Value value) {
  const auto found = seen_.find(address);
  if (found == seen_.end() || found->second.size() >= kMostValues) return;
  if (std::find(found->second.begin(), found->second.end(), value) == found->second.end()) found->second.push_back(value);
}

int LastReads::arrive(Thread& thread, Step& now, model::UselessValues& values) {
  if (!are_all_kept(thread.spin) || places_.size() >= kMostPlaces) return -1;
  const Digest key = digest_of_all(thread);
  auto found = places_.find(key);
  if (found == places_.end()) found = places_.emplace(key, look(thread, now, values)).first;
  const Place& place = found->second;
  if (place.number < 0) return -1;
  const auto events_before = [&](int back) { return thread.spin.steps[static_cast<std::size_t>(thread.spin.now - back)].first_event; };
  // It may go round in vain: what it accessed is remembered as at the end of such a turn.
  NativeProgram::instance->vain_turns().note(thread, thread.spin.now - place.longest, events_before(place.longest));
  thread.spin.first_event = events_before(std::max(place.waiting, 0));
  return place.number;
}

LastReads::Place LastReads::look(Thread& thread, Step& now, model::UselessValues& values) {
  const auto seen = values_.find(now.call.address);
  Place place;
  if (seen == values_.end() || now.call.kind != Call::Kind::kLoad) return place;
  std::vector<Answer> answers;
  for (const model::Value value : seen->second) {
    answers.push_back(ask(thread, now, value));
    if (answers.back().why == Why::kNot) return place;
  }
  place.number = next_number_++;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Answer& answer = answers[i];
    values.add(place.number, seen->second[i], answer.why);
    const int back = thread.spin.now - answer.first;
    place.longest = std::max(place.longest, back);
    if (answer.why == Why::kWaits && (place.waiting < 0 || back < place.waiting)) place.waiting = back;
  }
  return place;
}

void LastReads::begin_round(int first) {
  sites_ = next_sites_;
  values_ = seen_;
  places_.clear();
  next_number_ = first;
}

}  // namespace ordeal::runtime
