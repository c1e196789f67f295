// Short ways to parse parts of a test.
#pragma once

#include <string>
#include <vector>

#include "dump.h"
#include "litmus/ast.h"
#include "litmus/parser.h"

namespace ordeal::litmus::testing {

using LitmusTest = litmus::Test;  // inside TEST(), Test is that of GoogleTest

/// As in C, where `*x` is seq_cst if `x` points to an atomic object.
inline constexpr ParseOptions kAsInC{AtomicDereference::kSeqCst};

inline Test parse_test(const std::string& text, const ParseOptions& options = {}) {
  return parse(text, "test.litmus", options);
}

/// "line:column: message", or "no error".
inline std::string error_of(const std::string& text, const ParseOptions& options = {}) {
  try {
    parse_test(text, options);
  } catch (const ParseError& error) {
    const Diagnostic& diagnostic = error.diagnostic();
    return std::to_string(diagnostic.position.line) + ":" + std::to_string(diagnostic.position.column) + ": " +
           diagnostic.message;
  }
  return "no error";
}

/// A test whose first thread has this body, on line 4 of the file, and whose locations are x, y (atomic), z, v (plain).
inline std::string with_body(const std::string& body) {
  return "C t\n{}\nP0 (atomic_int* x, atomic_int* y, int* z, volatile int* v) {\n" + body + "\n}\n";
}

inline std::string body_of(const std::string& body, const ParseOptions& options = {}) {
  const Test test = parse_test(with_body(body), options);
  return Dumper(test, test.threads[0]).dump(test.threads[0].body);
}

/// "column: message" of each note on the first line of this body.
inline std::vector<std::string> notes_in_body(const std::string& body) {
  std::vector<std::string> notes;
  for (const auto& note : parse_test(with_body(body)).notes)
    notes.push_back((note.position.line == 4 ? "" : std::to_string(note.position.line) + ":") +
                    std::to_string(note.position.column) + ": " + note.message);
  return notes;
}

/// The local variables of a thread with this body.
inline std::string locals_of(const std::string& body) {
  const Test test = parse_test(with_body(body));
  std::string text;
  for (const auto& variable : test.threads[0].variables)
    if (!variable.is_parameter) text += (text.empty() ? "" : "; ") + dump(variable.type) + " " + variable.name;
  return text;
}

/// "column: message" of an error on the first line of this body.
inline std::string error_in_body(const std::string& body, const ParseOptions& options = {}) {
  const std::string error = error_of(with_body(body), options);
  return error.substr(0, 2) == "4:" ? error.substr(2) : error;
}

inline std::string with_initial_state(const std::string& state) {
  return "C t\n{" + state + "}\nP0 (atomic_int* x, int* y, int r) { r5 = 0; }\n";
}

inline std::string locations_of(const std::string& state) {
  return dump_locations(parse_test(with_initial_state(state)));
}

/// A test with registers 0:r0, 0:r1, 1:r0, 1:p and locations x, y, and this text behind the threads (on line 5).
inline std::string with_condition(const std::string& condition) {
  return "C t\n{ x = 0; y = 0; }\nP0 () { int r0 = 0; int r1 = 0; }\nP1 (int* x) { int r0 = 0; int* p = x; }\n" +
         condition + "\n";
}

inline std::string condition_of(const std::string& condition) {
  const Test test = parse_test(with_condition(condition));
  return dump(test, test.condition);
}

inline std::string condition_text_of(const std::string& condition) {
  return parse_test(with_condition(condition)).condition_text;
}

inline std::string error_in_condition(const std::string& condition) {
  const std::string error = error_of(with_condition(condition));
  return error.substr(0, 2) == "5:" ? error.substr(2) : error;
}

}  // namespace ordeal::litmus::testing
