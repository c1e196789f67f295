// A program for the brute force: threads are functions that ask a Context for every operation on memory. They are run again from
// their start for each graph, along the answers that their reads got.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

enum Order { rlx, acq, rel, acq_rel, sc };
enum class Kind { kRead, kWrite, kRmw, kFence, kCreate, kJoin };
using Value = std::int64_t;

struct Event {
  Kind kind = Kind::kRead;
  Order order = rlx;
  int location = -1;
  Value written = 0;
  int other = -1;  // the thread that is created or joined
  int thread = 0, index = 0;
  int rf = -1;  // the event that was read; -1: the initial value

  bool reads() const { return kind == Kind::kRead || kind == Kind::kRmw; }
  bool writes() const { return kind == Kind::kWrite || kind == Kind::kRmw; }
  bool is_fence() const { return kind == Kind::kFence; }
  bool acquires() const { return order == acq || order == acq_rel || order == sc; }
  bool releases() const { return order == rel || order == acq_rel || order == sc; }
  bool asks() const { return reads() || kind == Kind::kJoin; }  // its thread waits for an answer
};

struct Answer {
  int thread = -1, index = 0;  // the write; thread -1: the initial value
  Value value = 0;
};

class Context {
 public:
  struct Pending {};  // thrown: the answers are used up
  struct Blocked {};  // thrown: a turn of a waiting loop changed nothing. There is a graph without it

  Context(int thread, const std::vector<Answer>& answers) : thread_(thread), answers_(answers) {}

  Value load(int location, Order order) {
    const Value value = ask({.kind = Kind::kRead, .order = order, .location = location}).value;
    add(pending_);
    return value;
  }
  void store(int location, Value value, Order order) {
    add({.kind = Kind::kWrite, .order = order, .location = location, .written = value});
  }
  template <class Change>
  Value change(int location, Order order, Change change) {
    const Value value = ask({.kind = Kind::kRmw, .order = order, .location = location}).value;
    pending_.written = change(value);
    add(pending_);
    return value;
  }
  Value add_to(int location, Value amount, Order order) {
    return change(location, order, [amount](Value value) { return value + amount; });
  }
  // A compare-exchange; one that fails is a read.
  bool replace(int location, Value& expected, Value desired, Order success, Order failure) {
    const Value value = ask({.kind = Kind::kRmw, .order = success, .location = location}).value;
    const bool succeeds = value == expected;
    if (!succeeds) pending_.kind = Kind::kRead, pending_.order = failure;
    pending_.written = desired;
    expected = value;
    add(pending_);
    return succeeds;
  }
  void fence(Order order) { add({.kind = Kind::kFence, .order = order}); }
  void create(int thread) { add({.kind = Kind::kCreate, .other = thread}); }
  void join(int thread) {
    ask({.kind = Kind::kJoin, .other = thread});
    add(pending_);
  }
  // Has waited in vain.
  void require(bool condition) {
    if (!condition) throw Blocked{};
  }

  const std::vector<Event>& events() const { return events_; }
  const Event& pending() const { return pending_; }

 private:
  Answer ask(const Event& event) {
    pending_ = event;
    if (used_ == answers_.size()) throw Pending{};
    return answers_[used_++];
  }
  void add(Event event) {
    event.thread = thread_;
    event.index = static_cast<int>(events_.size());
    events_.push_back(event);
  }

  int thread_;
  const std::vector<Answer>& answers_;
  std::size_t used_ = 0;
  std::vector<Event> events_;
  Event pending_;
};

using Program = std::vector<std::function<void(Context&)>>;  // the first one is main
