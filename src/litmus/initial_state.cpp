#include "litmus/initial_state.h"

#include <unordered_map>
#include <utility>

#include "litmus/token_cursor.h"

namespace ordeal::litmus {
namespace {

class InitialStateParser {
 public:
  explicit InitialStateParser(TokenCursor& cursor) : cursor_(cursor) {}

  InitialState parse() {
    cursor_.expect("{", "to open the initial state");
    while (!cursor_.accept("}")) {
      if (cursor_.accept(";")) {
        base_.reset();
      } else if (!cursor_.accept(",")) {
        parse_entry();
        if (!cursor_.at(";") && !cursor_.at(",") && !cursor_.at("}"))
          cursor_.fail_expected("';' or '}' after an initial value");
      }
    }
    return std::move(state_);
  }

 private:
  void parse_entry() {
    InitialEntry entry;
    std::optional<SourceType> type = parse_type();
    int thread = parse_thread_prefix();
    if (thread >= 0 && !type) type = parse_type();
    const bool is_bracketed = cursor_.accept("[");
    const Token& name = cursor_.expect_name("a location or a register in the initial state");
    if (is_bracketed) cursor_.expect("]", "after the location");
    if (cursor_.at("[")) cursor_.fail_here("unsupported array");
    entry.name = name.text;
    entry.position = name.position;
    entry.type = type;
    if (type && type->is_void && !type->is_pointer())
      cursor_.fail(name.position, "a location cannot be of type 'void'");
    if (cursor_.accept("=")) entry.value = parse_value();
    add(thread, std::move(entry));
  }

  /// The type in front of a name; behind a comma, that of the whole declaration.
  std::optional<SourceType> parse_type() {
    if (cursor_.at_name() && is_type_word(cursor_.peek().text)) {
      base_ = parse_base_type(cursor_);
      return parse_pointers(cursor_, *base_);
    }
    if (cursor_.at("*")) return parse_pointers(cursor_, base_.value_or(SourceType{}));
    return base_;
  }

  /// `0:` or `P0:`; -1 without.
  int parse_thread_prefix() {
    if (!cursor_.at(":", 1)) return -1;
    const Token& token = cursor_.peek();
    int thread = -1;
    if (cursor_.at_number()) {
      thread = token.magnitude <= 999999999 ? static_cast<int>(token.magnitude) : -1;
    } else if (const auto number = thread_number(token.text); cursor_.at_name() && number) {
      thread = *number;
    } else {
      cursor_.fail_expected("a thread number before ':'");
    }
    if (thread < 0) cursor_.fail_here("there is no thread " + describe(token));
    cursor_.next();
    cursor_.next();
    return thread;
  }

  InitialValue parse_value() {
    InitialValue value;
    if (cursor_.at("{")) cursor_.fail_here("unsupported array");
    if (cursor_.at_signed_number()) {
      value.number = cursor_.expect_number("a number");
    } else if (cursor_.at("ATOMIC_VAR_INIT") || cursor_.at("ATOMIC_INIT") || cursor_.at("(")) {
      const Nesting nesting(depth_, cursor_, "parentheses");
      if (cursor_.at_name()) cursor_.next();
      cursor_.expect("(", "before an initial value");
      value = parse_value();
      cursor_.expect(")", "after the initial value");
    } else if (cursor_.accept("true")) {
      value.number = 1;
    } else if (cursor_.accept("false") || cursor_.accept("NULL") || cursor_.accept("ATOMIC_FLAG_INIT")) {
      value.number = 0;
    } else {
      cursor_.accept("&");
      value.location = cursor_.expect_name("an initial value").text;
    }
    return value;
  }

  /// `atomic_int x; x = 1;` says one thing about x in two places; to say the same thing twice is an error.
  void add(int thread, InitialEntry entry) {
    InitialEntry* known = nullptr;
    if (thread >= 0) {
      known = &state_.registers[thread][entry.name];
    } else {
      const auto [place, is_new] = index_.emplace(entry.name, state_.locations.size());
      if (is_new) state_.locations.emplace_back();
      known = &state_.locations[place->second];
    }
    if ((known->value && entry.value) || (known->type && entry.type))
      cursor_.fail(entry.position, "'" + entry.name + "' is initialised twice");
    if (entry.value) known->value = std::move(entry.value);
    if (entry.type) known->type = entry.type;
    known->name = std::move(entry.name);
    known->position = entry.position;
  }

  TokenCursor& cursor_;
  InitialState state_;
  std::unordered_map<std::string, std::size_t> index_;
  std::optional<SourceType> base_;  // of the declaration that is being read
  int depth_ = 0;
};

}  // namespace

const InitialEntry* InitialState::find_register(int thread, const std::string& name) const {
  const auto of_thread = registers.find(thread);
  if (of_thread == registers.end()) return nullptr;
  const auto found = of_thread->second.find(name);
  return found == of_thread->second.end() ? nullptr : &found->second;
}

InitialState parse_initial_state(TokenCursor& cursor) { return InitialStateParser(cursor).parse(); }

}  // namespace ordeal::litmus
