// Depfiles (-MD): merges the rules of the two passes over a source.
#include "dependencies.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace dpcxx {
namespace {

/// One rule of a makefile. The names keep make's escapes.
struct rule {
  std::string targets;
  std::vector<std::string> names;
};

/// Reads the first rule. Others, if any, are the empty ones of -MP.
rule read_rule(const std::filesystem::path &path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  rule result;
  bool after_colon = false;
  std::string word;
  const auto finish = [&] {
    if (word.empty()) return;
    if (after_colon)
      result.names.push_back(word);
    else if (word.back() == ':') {
      after_colon = true;
      word.pop_back();
      result.targets += word;
    } else
      result.targets += word + ' ';
    word.clear();
  };
  for (std::size_t i = 0; i < text.size(); i++) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() && text[i + 1] == '\n')
      finish(), i++;
    else if (c == '\\' && i + 1 < text.size())
      word += c, word += text[++i];
    else if (c == '\n') {
      finish();
      if (after_colon) break;
    } else if (std::isspace(static_cast<unsigned char>(c)))
      finish();
    else
      word += c;
  }
  finish();
  return result;
}

bool inside(const std::string &name, const std::filesystem::path &folder) {
  return name.starts_with(folder.string() + "/");
}

bool inside_any(const std::string &name, const std::vector<std::filesystem::path> &folders) {
  return std::any_of(folders.begin(), folders.end(),
                     [&](const std::filesystem::path &folder) { return inside(name, folder); });
}

}  // namespace

std::string merge_dependencies(const std::vector<std::filesystem::path> &rules,
                               const std::vector<std::filesystem::path> &hidden, bool phony) {
  rule merged = read_rule(rules.front());
  std::set<std::string> known(merged.names.begin(), merged.names.end());
  for (const std::filesystem::path &other : std::span(rules).subspan(1))
    for (const std::string &name : read_rule(other).names)
      if (known.insert(name).second) merged.names.push_back(name);
  std::erase_if(merged.names, [&](const std::string &name) { return inside_any(name, hidden); });

  std::string text = merged.targets + ":";
  for (const std::string &name : merged.names) text += " \\\n  " + name;
  text += '\n';
  if (phony)
    for (std::size_t i = 1; i < merged.names.size(); i++) text += merged.names[i] + ":\n";
  return text;
}

bool depends_on(const std::filesystem::path &path, const std::filesystem::path &folder) {
  const rule all = read_rule(path);
  return std::any_of(all.names.begin(), all.names.end(), [&](const std::string &name) { return inside(name, folder); });
}

std::vector<std::filesystem::path> files_outside(const std::filesystem::path &path,
                                                 const std::vector<std::filesystem::path> &folders) {
  std::vector<std::filesystem::path> files;
  for (const std::string &name : read_rule(path).names) {
    if (inside_any(name, folders)) continue;
    std::string file;
    for (std::size_t i = 0; i < name.size(); i++) {
      if ((name[i] == '\\' || name[i] == '$') && i + 1 < name.size()) i++;
      file += name[i];
    }
    files.emplace_back(file);
  }
  return files;
}

}  // namespace dpcxx
