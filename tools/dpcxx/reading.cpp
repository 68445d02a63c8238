// Copies of a source for clang: with its attributes as calls, or preprocessed before.
#include "reading.hpp"

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

reading source_to_read(const session &s, const argument &source) {
  const fs::path &path = source.words[0];
  reading result{.options = {}, .name = naming(source)};
  if (path == "-") return result;
  const std::optional<std::string> instead = with_attributes_as_calls(text_of(path));
  if (!instead) return result;
  const fs::path copy = s.temporary / "source";
  std::ofstream(copy, std::ios::binary) << *instead;
  result.options = {"-Xclang", "-remap-file", "-Xclang", path.string() + ";" + copy.string()};
  return result;
}

bool has_attributes_elsewhere(const session &s, const reading &read, const fs::path &rule) {
  const bool copied = !read.options.empty();
  const std::vector<fs::path> files = files_outside(rule, prefix() / "include");
  return std::any_of(files.begin(), files.end(), [&](const fs::path &file) {
    const bool is_source = copied && file == read.name.back();
    return mentions_attributes(text_of(is_source ? s.temporary / "source" : file));
  });
}

std::optional<reading> preprocessed(const session &s, const reading &read, const command &options) {
  const fs::path whole = s.temporary / "whole.ii", instead = s.temporary / "device.ii";
  command words{s.clang, "-Qunused-arguments", "-w"};
  append(words, options);
  append(words, common_options(s, true, true));
  append(words, read.options);
  append(words, {"-E", "-o", whole.string()});
  append(words, read.name);
  if (!run(words, true, s.input).succeeded()) return std::nullopt;
  const std::optional<std::string> text = with_attributes_as_calls(text_of(whole));
  if (!text) return std::nullopt;
  std::ofstream(instead, std::ios::binary) << *text;
  return reading{.options = {}, .name = {"-x", "c++-cpp-output", instead.string()}};
}

}  // namespace dpcxx
