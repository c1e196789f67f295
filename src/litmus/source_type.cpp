#include "litmus/source_type.h"

#include <optional>
#include <string>
#include <unordered_set>

#include "litmus/token_cursor.h"

namespace ordeal::litmus {
namespace {

constexpr int kMaximumPointers = 16;

SourceType make_type(int bits, bool is_signed) {
  SourceType type;
  type.bits = bits;
  type.is_signed = is_signed;
  return type;
}

SourceType bool_type() {
  SourceType type = make_type(8, false);
  type.is_bool = true;
  return type;
}

SourceType void_type() {
  SourceType type;
  type.is_void = true;
  return type;
}

/// Removes `prefix` from the front of `name`, if it is there.
bool strip(std::string_view& name, std::string_view prefix) {
  if (name.substr(0, prefix.size()) != prefix) return false;
  name.remove_prefix(prefix.size());
  return true;
}

/// `int8_t`, `uint_fast32_t`, `intptr_t` …
std::optional<SourceType> sized_type(std::string_view name) {
  const bool is_signed = !strip(name, "u");
  if (!strip(name, "int")) return std::nullopt;
  const bool is_exact = !strip(name, "_least") && !strip(name, "_fast");
  if (name == "8_t") return make_type(8, is_signed);
  if (name == "16_t") return make_type(16, is_signed);
  if (name == "32_t") return make_type(32, is_signed);
  if (name == "64_t" || (is_exact && (name == "ptr_t" || name == "max_t"))) return make_type(64, is_signed);
  return std::nullopt;
}

/// Other types of one word.
std::optional<SourceType> plain_type(std::string_view name) {
  if (name == "void") return void_type();
  if (name == "bool" || name == "_Bool") return bool_type();
  if (name == "ssize_t" || name == "ptrdiff_t") return make_type(64, true);
  if (name == "size_t" || name == "ulong") return make_type(64, false);
  if (name == "uint") return make_type(32, false);
  if (name == "ushort") return make_type(16, false);
  if (name == "uchar") return make_type(8, false);
  return std::nullopt;
}

/// What is a type of one word only behind `atomic_`.
std::optional<SourceType> atomic_type(std::string_view name) {
  if (name == "flag") return bool_type();
  if (name == "char" || name == "schar") return make_type(8, true);
  if (name == "short") return make_type(16, true);
  if (name == "int") return make_type(32, true);
  if (name == "long" || name == "llong") return make_type(64, true);
  if (name == "ullong") return make_type(64, false);
  return std::nullopt;
}

std::optional<SourceType> named_type(std::string_view name) {
  const bool is_atomic = strip(name, "atomic_");
  auto type = is_atomic ? atomic_type(name) : std::nullopt;
  if (!type) type = sized_type(name);
  if (!type && !(is_atomic && name == "void")) type = plain_type(name);
  if (type && is_atomic) type->atomic_levels = 1;
  return type;
}

bool is_in(std::string_view name, const std::unordered_set<std::string_view>& words) { return words.contains(name); }

bool is_qualifier(std::string_view name) {
  static const std::unordered_set<std::string_view> kWords = {
      "const", "volatile", "restrict", "__restrict", "register", "static", "inline", "extern", "auto"};
  return is_in(name, kWords);
}

bool is_integer_word(std::string_view name) {
  static const std::unordered_set<std::string_view> kWords = {"signed", "unsigned", "short", "long", "int", "char"};
  return is_in(name, kWords);
}

bool is_unsupported(std::string_view name) {
  static const std::unordered_set<std::string_view> kWords = {
      "float",         "double",     "struct",     "union",       "enum",      "typedef",        "__int128",
      "__uint128",     "__int128_t", "int128_t",   "__uint128_t", "uint128_t", "_Complex",       "thread_local",
      "_Thread_local", "mtx_t",      "spinlock_t", "atomic_t",    "cnd_t",     "pthread_mutex_t"};
  return is_in(name, kWords);
}

/// Collects the words of a type, in any order.
class BaseTypeParser {
 public:
  explicit BaseTypeParser(TokenCursor& cursor) : cursor_(cursor) {}

  SourceType parse() {
    const Position start = cursor_.position();
    while (cursor_.at_name() && read_word(cursor_.peek().text)) {
    }
    if (!named_ && !has_integer_words()) cursor_.fail_expected("a type");
    if (named_ && has_integer_words()) cursor_.fail(start, "two types in one declaration");
    SourceType type = named_ ? *named_ : integer();
    if (is_atomic_) type.atomic_levels |= std::uint32_t{1} << type.pointers;
    type.is_volatile = type.is_volatile || is_volatile_;
    return type;
  }

 private:
  bool has_integer_words() const {
    return is_unsigned_ || is_signed_ || longs_ > 0 || shorts_ > 0 || ints_ > 0 || chars_ > 0;
  }

  SourceType integer() const {
    const int bits = chars_ > 0 ? 8 : shorts_ > 0 ? 16 : longs_ > 0 ? 64 : 32;
    return make_type(bits, !is_unsigned_);
  }

  bool read_word(std::string_view word) {
    if (is_unsupported(word)) fail_unsupported(word);
    if (word == "_Atomic") {
      read_atomic();
      return true;
    }
    if (is_qualifier(word)) {
      is_volatile_ = is_volatile_ || word == "volatile";
    } else if (is_integer_word(word)) {
      read_integer_word(word);
    } else if (const auto type = named_type(word)) {
      if (named_) cursor_.fail_here("two types in one declaration");
      named_ = type;
    } else {
      return false;
    }
    cursor_.next();
    return true;
  }

  void read_atomic() {
    cursor_.next();
    is_atomic_ = true;
    if (!cursor_.at("(")) return;
    const Nesting nesting(depth_, cursor_, "types");
    cursor_.next();
    if (named_) cursor_.fail_here("two types in one declaration");
    BaseTypeParser inner(cursor_);
    inner.depth_ = depth_;
    named_ = parse_pointers(cursor_, inner.parse());
    cursor_.expect(")", "after the type in '_Atomic('");
  }

  void read_integer_word(std::string_view word) {
    if (word == "unsigned") is_unsigned_ = true;
    if (word == "signed") is_signed_ = true;
    if (word == "long") ++longs_;
    if (word == "short") ++shorts_;
    if (word == "int") ++ints_;
    if (word == "char") ++chars_;
    const int sizes = (longs_ > 0) + (shorts_ > 0) + (chars_ > 0);
    if (sizes > 1 || (chars_ > 0 && ints_ > 0) || longs_ > 2 || shorts_ > 1 || ints_ > 1 || chars_ > 1 ||
        (is_signed_ && is_unsigned_))
      cursor_.fail_here("'" + std::string(word) + "' does not fit this type");
  }

  [[noreturn]] void fail_unsupported(std::string_view word) const {
    const bool is_linux = word == "atomic_t" || word == "spinlock_t";
    const bool is_type = word != "typedef" && word != "thread_local" && word != "_Thread_local";
    cursor_.fail_here("unsupported " + std::string(is_type ? "type '" : "'") + std::string(word) + "'" +
                      (is_linux ? " (Linux kernel litmus tests are another dialect)" : ""));
  }

  TokenCursor& cursor_;
  std::optional<SourceType> named_;
  bool is_atomic_ = false;
  bool is_volatile_ = false;
  bool is_unsigned_ = false;
  bool is_signed_ = false;
  int longs_ = 0;
  int shorts_ = 0;
  int ints_ = 0;
  int chars_ = 0;
  int depth_ = 0;
};

}  // namespace

SourceType SourceType::pointee() const {
  if (!is_pointer()) return {};
  SourceType type = *this;
  --type.pointers;
  type.atomic_levels &= (std::uint32_t{2} << type.pointers) - 1;
  if (type.is_void && type.pointers == 0) return {};
  return type;
}

SourceType SourceType::pointer_to() const {
  SourceType type = *this;
  if (type.pointers < kMaximumPointers) ++type.pointers;
  return type;
}

SourceType SourceType::promoted() const {
  SourceType type = *this;
  type.atomic_levels &= (std::uint32_t{1} << pointers) - 1;
  if (is_pointer()) return type;
  const bool is_narrow = bits < 32 || is_bool || is_void;
  return make_type(is_narrow ? 32 : bits, is_narrow || is_signed);
}

Type SourceType::type() const {
  Type result;
  result.bits = bits;
  result.is_signed = is_signed;
  result.is_bool = is_bool;
  result.is_atomic = atomic_levels != 0;
  result.is_volatile = is_volatile;
  result.pointers = pointers;
  return result;
}

SourceType integer_type(int bits) { return make_type(bits, true); }
SourceType pointer_type() { return make_type(32, true).pointer_to(); }

bool is_type_word(std::string_view name) {
  return name == "_Atomic" || is_integer_word(name) || is_qualifier(name) || is_unsupported(name) || named_type(name);
}

SourceType parse_base_type(TokenCursor& cursor) { return BaseTypeParser(cursor).parse(); }

SourceType parse_pointers(TokenCursor& cursor, SourceType base) {
  while (cursor.at("*")) {
    if (base.pointers == kMaximumPointers)
      cursor.fail_here("more levels of '*' than " + std::to_string(kMaximumPointers));
    cursor.next();
    ++base.pointers;
    for (; cursor.at_name() && (is_qualifier(cursor.peek().text) || cursor.at("_Atomic")); cursor.next())
      if (cursor.at("_Atomic")) base.atomic_levels |= std::uint32_t{1} << base.pointers;
  }
  return base;
}

}  // namespace ordeal::litmus
