// Replacement of SYCL's kernel attributes: a scanner of C++ text that skips comments, literals and directives.
#include "attributes.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace dpcxx {
namespace {

struct attribute {
  std::string_view name;
  const char *call;  // the function of sycl::detail that replaces it; null: a hint, which is removed
};
constexpr std::array<std::string_view, 2> scopes{"sycl::", "intel::"};
constexpr std::array known{
    attribute{"reqd_work_group_size", "require_work_group_size"},
    attribute{"reqd_sub_group_size", "require_sub_group_size"},
    attribute{"device_has", "require_aspects"},
    attribute{"work_group_size_hint", nullptr},
    attribute{"vec_type_hint", nullptr},
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

constexpr std::string_view external = "[[clang::sycl_external]]";

// The macro before a function that is a kernel (extension sycl_ext_oneapi_free_function_kernels). It expands to
// nothing; what it says about the function is stated behind the declaration.
constexpr std::string_view function_property = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY";

class scanner {
public:
  explicit scanner(const std::string &text, function_statements states = function_statements::kernels)
      : text_(text), states_(states) {}

  bool replace_known() {
    while (at_ < text_.size())
      if (!skip_directive() && !skip_quoted()) {
        if (text_.compare(at_, 2, "[[") == 0)
          replace_list();
        else if (text_.compare(at_, function_property.size(), function_property) == 0)
          state_function_property();
        else
          ++at_;
      }
    return found_;
  }

  /// Whether a directive has the text.
  bool finds_in_directive(std::string_view text) {
    while (at_ < text_.size()) {
      const std::size_t start = at_;
      if (skip_directive()) {
        if (std::string_view(text_).substr(start, at_ - start).find(text) != std::string_view::npos) return true;
      } else if (!skip_quoted()) {
        ++at_;
      }
    }
    return false;
  }

  bool move_external() {
    declaration_ = 0;
    for (std::size_t parentheses = 0; at_ < text_.size();) {
      const std::size_t start = at_;
      if (skip_directive()) {
        if (is_blank(declaration_, start)) declaration_ = std::min(at_ + 1, text_.size());  // in the next line
        continue;
      }
      if (text_[at_] == '"' && is_blank_but_extern(declaration_, start)) {
        skip_quoted();
        declaration_ = at_;  // after extern "C"
        continue;
      }
      if (skip_quoted()) continue;
      if (text_.compare(at_, external.size(), external) == 0) {
        move_to_declaration();
        continue;
      }
      const char c = text_[at_++];
      if (c == '(' || c == '[') ++parentheses;
      if ((c == ')' || c == ']') && parentheses > 0) --parentheses;
      if (c == '{' || c == '}' || (c == ';' && parentheses == 0) || (c == ':' && is_access(at_ - 1))) {
        declaration_ = at_;
        parentheses = 0;
      }
      if (c == '<' && is_word_before(at_ - 1, "template")) skip_template_parameters();
    }
    return found_;
  }
  std::string take_text() { return std::move(text_); }

private:
  bool is_blank(std::size_t from, std::size_t to) const {
    return std::all_of(text_.begin() + std::ptrdiff_t(from), text_.begin() + std::ptrdiff_t(to),
                       [](unsigned char c) { return std::isspace(c); });
  }
  /// Whether the word ends before this position, with blanks between.
  bool is_word_before(std::size_t position, std::string_view word) const {
    while (position > 0 && std::isspace(static_cast<unsigned char>(text_[position - 1]))) --position;
    return position >= word.size() && text_.compare(position - word.size(), word.size(), word) == 0 &&
           (position == word.size() || !is_word(text_[position - word.size() - 1]));
  }
  bool is_access(std::size_t colon) const {
    return is_word_before(colon, "public") || is_word_before(colon, "private") || is_word_before(colon, "protected");
  }
  bool is_blank_but_extern(std::size_t from, std::size_t to) const {
    if (!is_word_before(to, "extern")) return false;
    return is_blank(from, text_.rfind("extern", to));
  }
  /// After the `<` of a template's parameters: the declaration begins behind the matching `>`.
  void skip_template_parameters() {
    for (std::size_t depth = 1, parentheses = 0; at_ < text_.size() && depth > 0;) {
      if (skip_quoted()) continue;
      const char c = text_[at_++], before = text_[at_ - 2], next = at_ < text_.size() ? text_[at_] : '\0';
      if (c == '(') ++parentheses;
      if (c == ')') --parentheses;
      if (parentheses > 0) continue;  // where < and > compare
      if (c == '<') ++depth;
      if (c == '>' && before != '-' && next != '=') --depth;
    }
    declaration_ = at_;
  }
  /// Moves the attribute here to the start of the declaration, unless it is there.
  void move_to_declaration() {
    const std::size_t end = at_ + external.size();
    if (is_blank(declaration_, at_)) {
      at_ = end;
      return;
    }
    text_.erase(at_, external.size());
    text_.insert(text_.find_first_not_of(" \t\n", declaration_), external);
    at_ = end;
    found_ = true;
  }

  /// Skips a preprocessor directive with its continuation lines. False if there is none here.
  bool skip_directive() {
    if (text_[at_] != '#') return false;
    const std::size_t before = text_.find_last_not_of(" \t", at_ ? at_ - 1 : std::string::npos);
    if (at_ && before != std::string::npos && text_[before] != '\n') return false;
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\') ++at_;
    return true;
  }

  /// Skips a comment, a string or a character literal; false if there is none here. Within numbers, ' separates digits.
  bool skip_quoted() {
    const auto to = [&](const std::string &end, std::size_t from) {
      const std::size_t found = text_.find(end, from);
      at_ = found == std::string::npos ? text_.size() : found + end.size();
      return true;
    };
    const char c = text_[at_];
    if (text_.compare(at_, 2, "//") == 0) return to("\n", at_);
    if (text_.compare(at_, 2, "/*") == 0) return to("*/", at_ + 2);
    if (c == '"' && at_ > 0 && text_[at_ - 1] == 'R') {
      const std::size_t open = text_.find('(', at_);
      if (open == std::string::npos) return to("\n", at_);
      return to(")" + text_.substr(at_ + 1, open - at_ - 1) + "\"", open);
    }
    if (c != '"' && (c != '\'' || (at_ > 0 && is_word(text_[at_ - 1])))) return false;
    for (++at_; at_ < text_.size() && text_[at_] != c && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\') ++at_;
    ++at_;
    return true;
  }

  /// Replaces the attributes of the attribute list that begins here.
  void replace_list() {
    std::string calls;
    std::size_t depth = 0;
    while (at_ < text_.size()) {
      if (skip_quoted()) continue;
      const char c = text_[at_];
      if (c == '[' || c == '(') ++depth;
      if ((c == ']' || c == ')') && --depth == 0) break;
      if (depth != 2 || !replace_attribute(calls)) ++at_;
    }
    ++at_;
    if (!calls.empty()) insert_into_body(calls);
  }

  /// Overwrites a known attribute with blanks and appends its call to `calls`. False if there is none here.
  bool replace_attribute(std::string &calls) {
    const auto *scope_found = std::find_if(scopes.begin(), scopes.end(),
                                           [&](std::string_view s) { return text_.compare(at_, s.size(), s) == 0; });
    if (scope_found == scopes.end() || (at_ > 0 && is_word(text_[at_ - 1]))) return false;
    const std::string_view scope = *scope_found;
    std::size_t end = at_ + scope.size();
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string name = text_.substr(at_ + scope.size(), end - at_ - scope.size());
    const auto *match = std::find_if(known.begin(), known.end(), [&](const attribute &a) { return a.name == name; });
    if (match == known.end()) return false;
    const std::size_t start = at_;
    at_ = text_.find_first_not_of(" \t\n", end);
    if (at_ == std::string::npos || text_[at_] != '(') {
      at_ = start;
      return false;
    }
    const std::size_t open = at_;
    for (std::size_t depth = 0; at_ < text_.size();) {
      if (skip_quoted()) continue;
      const char c = text_[at_++];
      if (c == '(') ++depth;
      if (c == ')' && --depth == 0) break;
    }
    if (match->call) {
      std::string arguments = text_.substr(open, at_ - open);
      std::replace(arguments.begin(), arguments.end(), '\n', ' ');
      calls += std::string(" ::sycl::detail::") + match->call + arguments + ";";
    }
    for (std::size_t i = start; i < at_; ++i)
      if (text_[i] != '\n') text_[i] = ' ';
    found_ = true;
    return true;
  }

  /// Inserts the calls after the brace that opens the function's body, unless this is a declaration without a body.
  void insert_into_body(const std::string &calls) {
    const std::size_t start = at_;
    for (std::size_t depth = 0; at_ < text_.size();) {
      if (skip_quoted()) continue;
      const char c = text_[at_++];
      if (c == '(' || c == '[') ++depth;
      if (c == ')' || c == ']') {
        if (depth == 0) break;
        --depth;
      }
      if (depth == 0 && (c == ';' || c == '}' || c == '=')) break;
      if (depth != 0 || c != '{') continue;
      text_.insert(at_, calls);
      break;
    }
    at_ = start;
  }

  /// Moves behind the bracket that closes the one here.
  void skip_brackets() {
    for (std::size_t depth = 0; at_ < text_.size();) {
      if (skip_directive() || skip_quoted()) continue;
      const char c = text_[at_++];
      if (c == '(' || c == '[' || c == '{') ++depth;
      if ((c == ')' || c == ']' || c == '}') && --depth == 0) return;
    }
  }

  /// Inserts, behind the function that follows the macro here, a declaration with the macro's property; behind a
  /// definition also one that makes it a kernel. Templates are left out, as a declaration would not name them.
  void state_function_property() {
    const std::size_t start = at_;
    at_ += function_property.size();
    const std::size_t next = at_;
    const std::size_t open = text_.find_first_not_of(" \t\n", at_);
    const std::size_t last = start ? text_.find_last_not_of(" \t\n", start - 1) : std::string::npos;
    if ((start && is_word(text_[start - 1])) || open == std::string::npos || text_[open] != '(') return;
    at_ = open;
    skip_brackets();
    const std::string property = text_.substr(open + 1, at_ - open - 2);
    const std::size_t behind_macro = at_;
    const bool is_kernel = property.find("nd_range_kernel") != std::string::npos ||
                           property.find("single_task_kernel") != std::string::npos;
    const bool is_template = last != std::string::npos && text_[last] == '>';
    std::size_t parameters = std::string::npos;
    while (is_kernel && !is_template && at_ < text_.size() && parameters == std::string::npos) {
      if (skip_quoted()) continue;
      const char c = text_[at_];
      if (c == ';' || c == '{' || c == '<') break;
      if (c == '[' || (c == '(' && (is_word_before(at_, "__attribute__") || is_word_before(at_, function_property))))
        skip_brackets();
      else if (c == '(')
        parameters = at_;
      else
        ++at_;
    }
    if (parameters != std::string::npos) {
      std::size_t name_end = parameters, name = 0;
      while (std::isspace(static_cast<unsigned char>(text_[name_end - 1]))) --name_end;
      for (name = name_end; is_word(text_[name - 1]) || text_[name - 1] == ':';) --name;
      skip_brackets();
      const std::size_t behind = at_;
      while (at_ < text_.size() && text_[at_] != ';' && text_[at_] != '{')
        if (!skip_quoted()) ++at_;
      const bool throws = text_.find("noexcept", behind) >= at_;  // noexcept is part of the type
      const std::string signature = one_line(text_.substr(parameters, (throws ? behind : at_) - parameters));
      const std::string function =
          "static_cast<void (*)" + signature + ">(&" + text_.substr(name, name_end - name) + ")";
      const bool defined = at_ < text_.size() && text_[at_] == '{';
      defined ? skip_brackets() : void(++at_);
      std::string stated = " static_assert(sizeof(::sycl::detail::mark_kernel<" + function +
                           ", decltype(::sycl::ext::oneapi::experimental::properties" + one_line(property) +
                           ")>) > 0);";
      const std::string number = std::to_string(start);
      const bool describes = states_ != function_statements::kernels;
      if (defined && describes)
        stated += " struct dpep_text_" + number +
                  " { static constexpr const char *name = \"\", *parameters = " + quoted(signature) + "; };";
      if (defined)
        stated += " [[maybe_unused]] static inline const bool dpep_kernel_" + number + " = ::sycl::detail::" +
                  (describes ? "describe_kernel<" + function + ", dpep_text_" + number : "define_kernel<" + function) +
                  ">();";
      text_.insert(std::min(at_, text_.size()), stated);
      found_ = true;
    }
    at_ = next;
    if (states_ != function_statements::descriptions_preprocessed) return;
    for (std::size_t i = start; i < behind_macro; ++i)
      if (text_[i] != '\n') text_[i] = ' ';
    at_ = behind_macro;
    found_ = true;
  }
  /// The text as a literal.
  static std::string quoted(const std::string &text) {
    std::string made = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') made += '\\';
      made += c;
    }
    return made + '"';
  }
  /// Line breaks would change the numbers of the following lines; comments would hide the rest.
  static std::string one_line(std::string text) {
    scanner made(text);
    while (made.at_ < made.text_.size()) {
      const std::size_t from = made.at_;
      const bool comment = made.text_.compare(from, 2, "//") == 0 || made.text_.compare(from, 2, "/*") == 0;
      if (!made.skip_quoted()) {
        if (made.text_[made.at_] == '\n') made.text_[made.at_] = ' ';
        ++made.at_;
      } else if (comment) {
        std::fill(made.text_.begin() + std::ptrdiff_t(from),
                  made.text_.begin() + std::ptrdiff_t(std::min(made.at_, made.text_.size())), ' ');
      }
    }
    return made.text_;
  }

  std::string text_;
  function_statements states_;
  std::size_t at_ = 0;
  std::size_t declaration_ = 0;  // the start of the declaration that is scanned
  bool found_ = false;
};

}  // namespace

bool mentions_attributes(std::string_view text) {
  return std::any_of(known.begin(), known.end(),
                     [&](const attribute &a) { return text.find(a.name) != std::string_view::npos; });
}

bool mentions_function_property(const std::string &text, bool in_directives) {
  if (text.find(function_property) == std::string::npos) return false;
  return !in_directives || scanner(text).finds_in_directive(function_property);
}

std::optional<std::string> replace_attributes(const std::string &source, function_statements states) {
  if (!mentions_attributes(source) && source.find(function_property) == std::string::npos) return std::nullopt;
  scanner made(source, states);
  if (!made.replace_known()) return std::nullopt;
  return made.take_text();
}

std::optional<std::string> move_external_attributes(const std::string &preprocessed) {
  scanner made(preprocessed);
  if (!made.move_external()) return std::nullopt;
  return made.take_text();
}

}  // namespace dpcxx
