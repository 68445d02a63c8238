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
    attribute{"work_group_size_hint", nullptr},
    attribute{"vec_type_hint", nullptr},
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class scanner {
public:
  explicit scanner(const std::string &text) : text_(text) {}

  bool run() {
    while (at_ < text_.size())
      if (!skip_directive() && !skip_quoted()) {
        if (text_.compare(at_, 2, "[[") == 0)
          replace_list();
        else
          ++at_;
      }
    return found_;
  }
  std::string take_text() { return std::move(text_); }

private:
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

  std::string text_;
  std::size_t at_ = 0;
  bool found_ = false;
};

}  // namespace

bool mentions_attributes(std::string_view text) {
  return std::any_of(known.begin(), known.end(),
                     [&](const attribute &a) { return text.find(a.name) != std::string_view::npos; });
}

std::optional<std::string> replace_attributes(const std::string &source) {
  if (!mentions_attributes(source)) return std::nullopt;
  scanner made(source);
  if (!made.run()) return std::nullopt;
  return made.take_text();
}

}  // namespace dpcxx
