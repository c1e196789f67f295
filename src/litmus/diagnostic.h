// What the parser says when it refuses a litmus file: where, what it expected, and the line itself.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "litmus/ast.h"

namespace ordeal::litmus {

struct Diagnostic {
  std::string file;
  Position position;
  std::string message;
  std::string source_line;  // without its end of line

  /// "file:line:column: error: message", then the line and a caret under the column. Of a very long line only the part
  /// around the column is shown.
  std::string to_string() const;
};

/// Thrown by `parse`; `what()` is the diagnostic's text.
class ParseError : public std::exception {
 public:
  explicit ParseError(Diagnostic diagnostic);
  const char* what() const noexcept override { return text_.c_str(); }
  const Diagnostic& diagnostic() const { return diagnostic_; }

 private:
  Diagnostic diagnostic_;
  std::string text_;
};

/// The error `message` at `position` of `text`.
ParseError make_error(std::string_view text, const std::string& file, Position position, std::string message);

}  // namespace ordeal::litmus
