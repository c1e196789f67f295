#include "litmus/parser.h"

#include <utility>
#include <vector>

#include "litmus/address_width.h"
#include "litmus/condition_parser.h"
#include "litmus/expression_parser.h"
#include "litmus/initial_state.h"
#include "litmus/lexer.h"
#include "litmus/location_table.h"
#include "litmus/printer.h"
#include "litmus/statement_parser.h"
#include "litmus/token_cursor.h"
#include "litmus/variable_scope.h"

namespace ordeal::litmus {
namespace {

Parameter parse_parameter(TokenCursor& cursor) {
  Parameter parameter;
  parameter.type = parse_pointers(cursor, parse_base_type(cursor));
  const Token& name = cursor.expect_name("the name of a parameter");
  parameter.name = name.text;
  parameter.position = name.position;
  if (cursor.at("[")) cursor.fail_here("unsupported array");
  if (parameter.type.is_void && !parameter.type.is_pointer())
    cursor.fail(name.position, "a parameter cannot be of type 'void'");
  return parameter;
}

/// `P0 (atomic_int* x, int r)`. REQUIRES: the cursor is at such a name.
ThreadHeader parse_header(TokenCursor& cursor) {
  ThreadHeader header;
  header.position = cursor.position();
  header.number = *thread_number(cursor.next().text);
  if (cursor.at("|")) cursor.fail_here("unsupported threads in columns (threads are C functions 'P0 (…) { … }')");
  cursor.expect("(", "and the parameters of the thread");
  if (cursor.at("void") && cursor.at(")", 1)) cursor.next();
  if (!cursor.at(")")) {
    do {
      header.parameters.push_back(parse_parameter(cursor));
    } while (cursor.accept(","));
  }
  cursor.expect(")", "after the parameters of the thread");
  return header;
}

bool at_header(const TokenCursor& cursor) { return cursor.at_name() && thread_number(cursor.peek().text); }

/// The headers of all threads, read ahead of the bodies: what a later thread names as a location is one in all.
std::vector<ThreadHeader> find_headers(TokenCursor& cursor) {
  const std::size_t start = cursor.index();
  std::vector<ThreadHeader> headers;
  int depth = 0;
  while (cursor.peek().kind != TokenKind::kEnd) {
    if (depth == 0 && at_header(cursor) && cursor.at("(", 1)) {
      headers.push_back(parse_header(cursor));
      continue;
    }
    if (cursor.at("{")) ++depth;
    if (cursor.at("}")) --depth;
    cursor.next();
  }
  cursor.seek(start);
  return headers;
}

/// What may stand between threads, and does not mean a thread.
[[noreturn]] void refuse_section(const TokenCursor& cursor, std::size_t threads) {
  const Token& token = cursor.peek();
  const bool is_section = cursor.at("scopes") || cursor.at("observed");
  if (is_section) cursor.fail_here("unsupported section " + describe(token));
  if (cursor.at_name() && cursor.at("(", 1))
    cursor.fail_here("unsupported function " + describe(token) + " (threads are P0, P1, …)");
  const std::string thread = "a thread 'P" + std::to_string(threads) + " (…) { … }'";
  cursor.fail_expected(threads == 0 ? thread : thread + ", 'locations', 'filter', 'exists', '~exists' or 'forall'");
}

class TestParser {
 public:
  TestParser(TokenCursor& cursor, const ParseOptions& options)
      : cursor_(cursor),
        options_(options),
        state_(parse_initial_state(cursor)),
        headers_(find_headers(cursor)),
        locations_(state_, headers_) {}

  Test parse() {
    test_.locations = locations_.locations();
    while (cursor_.peek().kind != TokenKind::kEnd && !ConditionParser::at_start(cursor_)) parse_thread();
    if (test_.threads.empty()) cursor_.fail_expected("a thread 'P0 (…) { … }'");
    check_registers();
    ConditionParser(cursor_, locations_, test_).parse();
    convert_initial_values();
    test_.condition_text = condition_text(test_);
    test_.notes = cursor_.notes();
    return std::move(test_);
  }

 private:
  void parse_thread() {
    const std::size_t number = test_.threads.size();
    while (cursor_.at_name() && is_type_word(cursor_.peek().text)) skip_return_type();
    if (!at_header(cursor_)) refuse_section(cursor_, number);
    const std::size_t written = static_cast<std::size_t>(*thread_number(cursor_.peek().text));
    if (written != number)
      cursor_.fail_here("expected thread 'P" + std::to_string(number) + "', found " + describe(cursor_.peek()) +
                        ": threads are numbered in order");
    const ThreadHeader header = parse_header(cursor_);
    cursor_.expect("{", "and the body of the thread");
    VariableScope variables(cursor_, state_, locations_, static_cast<int>(number));
    for (const auto& parameter : header.parameters) variables.declare_parameter(parameter);
    ExpressionParser expressions(cursor_, variables, locations_, options_);
    Thread thread;
    thread.position = header.position;
    thread.body = StatementParser(cursor_, variables, expressions).parse_body();
    thread.variables = variables.finish();
    test_.threads.push_back(std::move(thread));
  }

  /// `void`, `static void` …; what it is does not matter.
  void skip_return_type() {
    parse_pointers(cursor_, parse_base_type(cursor_));
    if (cursor_.at_name() && !at_header(cursor_)) refuse_section(cursor_, test_.threads.size());
  }

  void check_registers() const {
    for (const auto& [thread, registers] : state_.registers)
      if (static_cast<std::size_t>(thread) >= test_.threads.size())
        cursor_.fail(registers.begin()->second.position, "there is no thread P" + std::to_string(thread));
  }

  void convert_initial_values() {
    widen_for_addresses(test_);
    for (auto& location : test_.locations) location.initial = location.type.convert(location.initial);
    for (auto& thread : test_.threads)
      for (auto& variable : thread.variables) variable.initial = variable.type.convert(variable.initial);
  }

  TokenCursor& cursor_;
  const ParseOptions& options_;
  InitialState state_;
  std::vector<ThreadHeader> headers_;
  LocationTable locations_;
  Test test_;
};

}  // namespace

Test parse(std::string_view text, std::string file_name, const ParseOptions& options) {
  const TokenizedTest tokenized = tokenize(text, file_name);
  TokenCursor cursor(text, file_name, tokenized.tokens);
  Test test = TestParser(cursor, options).parse();
  test.name = tokenized.name;
  test.file = std::move(file_name);
  return test;
}

}  // namespace ordeal::litmus
