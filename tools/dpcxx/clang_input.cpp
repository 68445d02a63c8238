// The input of clang for a source: copies with kernel attributes replaced by calls, also after preprocessing.
#include "clang_input.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "attributes.hpp"
#include "clang.hpp"
#include "dependencies.hpp"

namespace dpcxx {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

clang_input input_for(const session &s, const argument &source) {
  const fs::path &path = source.words[0];
  clang_input result{.options = {}, .name = input_words(source)};
  if (path == "-") return result;
  const std::optional<std::string> replacement = replace_attributes(
      text_of(path), s.line.program ? function_statements::descriptions : function_statements::kernels);
  if (!replacement) return result;
  const fs::path copy = s.temporary / "source";
  std::ofstream(copy, std::ios::binary) << *replacement;
  result.options = {"-Xclang", "-remap-file", "-Xclang", path.string() + ";" + copy.string()};
  return result;
}

bool has_remaining_attributes(const session &s, const clang_input &input, const fs::path &rule, const fs::path &own) {
  const bool copied = !input.options.empty();
  const std::vector<fs::path> files = files_outside(rule, {prefix() / "include", own});
  return std::any_of(files.begin(), files.end(), [&](const fs::path &file) {
    const bool is_source = copied && file == input.name.back();
    const std::string text = text_of(is_source ? s.temporary / "source" : file);
    return mentions_attributes(text) || (s.line.program && mentions_function_property(text, is_source));
  });
}

std::optional<clang_input> preprocessed_input(const session &s, const clang_input &input, const command &options) {
  const fs::path whole = s.temporary / "whole.ii", replacement = s.temporary / "device.ii";
  command words{s.clang, "-Qunused-arguments", "-w"};
  append(words, options);
  append(words, common_options(s, true, true));
  append(words, input.options);
  if (s.line.program) words.push_back("-DDPEP_KEEP_FUNCTION_PROPERTY");
  append(words, {"-E", "-o", whole.string()});
  append(words, input.name);
  if (!run(words, true, s.input).succeeded()) return std::nullopt;
  const std::string text = text_of(whole);
  const std::optional<std::string> replaced = replace_attributes(
      text, s.line.program ? function_statements::descriptions_preprocessed : function_statements::kernels);
  const std::optional<std::string> moved = move_external_attributes(replaced.value_or(text));
  if (!replaced && !moved) return std::nullopt;
  std::ofstream(replacement, std::ios::binary) << (moved ? *moved : *replaced);
  return clang_input{.options = {}, .name = {"-x", "c++-cpp-output", replacement.string()}};
}

}  // namespace dpcxx
