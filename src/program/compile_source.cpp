// Runs clang over the source of an OpenCL C program, through files in memory.
#include "program/compile_source.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <dpep/exception.hpp>
#include <fmt/format.h>

#include "program/run_child.hpp"

namespace dpep::program_source {
namespace {

constexpr const char *target = "--target=spir64-unknown-unknown";

[[noreturn]] void refuse(const std::string &why) { throw exception(errc::build, why); }

// Options as in clBuildProgram, those of the preprocessor and about messages. All others could change the target.
bool is_allowed(std::string_view word) {
  constexpr std::array exact{"-cl-single-precision-constant",
                             "-cl-denorms-are-zero",
                             "-cl-opt-disable",
                             "-cl-strict-aliasing",
                             "-cl-uniform-work-group-size",
                             "-cl-no-subgroup-ifp",
                             "-cl-mad-enable",
                             "-cl-no-signed-zeros",
                             "-cl-unsafe-math-optimizations",
                             "-cl-finite-math-only",
                             "-cl-fast-relaxed-math",
                             "-cl-fp32-correctly-rounded-divide-sqrt",
                             "-cl-kernel-arg-info",
                             "-w",
                             "-g"};
  if (std::ranges::find(exact, word) != exact.end()) return true;
  for (const char *start :
       {"-D", "-U", "-I", "-W", "-cl-std=", "-cl-ext=", "-include", "-isystem", "-O", "-ferror-limit="})
    if (word.starts_with(start)) return true;
  return false;
}

bool has_separate_value(std::string_view word) {
  return word == "-D" || word == "-U" || word == "-I" || word == "-include" || word == "-isystem";
}

// Options that clang does not have: it does what they allow or ask for anyway.
bool is_ignored(std::string_view word) {
  return word == "-cl-no-subgroup-ifp" || word == "-cl-kernel-arg-info" || word.starts_with("-O");
}

/// Runs clang over a source, and returns its output.
std::string run(std::string_view source, const std::vector<std::string> &options,
                std::initializer_list<const char *> mode) {
  clang::command words{find_clang("dpctl.program.create_program_from_source"),
                       "-x",
                       "cl",
                       target,
                       "-O2",
                       "-Xclang",
                       "-disable-llvm-passes",
                       "-cl-kernel-arg-info",
                       "-fno-color-diagnostics"};
  for (const std::string &option : options)
    if (option == "-g")
      words.push_back("-gline-tables-only");
    else if (!is_ignored(option))
      words.push_back(option);
  words.insert(words.end(), mode.begin(), mode.end());
  words.insert(words.end(), {"-o", "-", "-"});

  memory_file input;
  input.write("#line 1 \"program.cl\"\n");
  input.write(source);
  child_result result = run_child(words, input);
  if (!result.output) refuse(result.messages);
  return *std::move(result.output);
}

}  // namespace

std::vector<std::string> parse_options(std::string_view options) {
  std::vector<std::string> words;
  std::string word;
  bool started = false;
  char quote = 0;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const char c = options[i];
    if (c == '\\' && quote != '\'' && i + 1 < options.size()) {
      word += options[++i];
      started = true;
    } else if (quote ? c == quote : c == '"' || c == '\'') {
      quote = quote ? 0 : c;
      started = true;
    } else if (!quote && (c == ' ' || c == '\t' || c == '\n')) {
      if (started) words.push_back(std::exchange(word, {}));
      started = false;
    } else {
      word += c;
      started = true;
    }
  }
  if (quote) refuse(fmt::format("create_program_from_source: the options have an open quote: {}", options));
  if (started) words.push_back(word);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_allowed(words[i]))
      refuse(fmt::format("create_program_from_source: '{}' is not an option of OpenCL's compiler (-cl-…, -D, -U, -I, "
                         "-include, -W…, -w, -O…, -g)",
                         words[i]));
    if (has_separate_value(words[i])) ++i;
  }
  return words;
}

bool may_include_files(std::string_view source, const std::vector<std::string> &options) {
  return source.find("include") != source.npos || source.find("embed") != source.npos ||
         std::ranges::any_of(options, [](const std::string &o) { return o.starts_with("-include"); });
}

std::string preprocess(std::string_view source, const std::vector<std::string> &options) {
  return run(source, options, {"-E"});
}

std::vector<unsigned char> compile(std::string_view source, const std::vector<std::string> &options) {
  const std::string bitcode = run(source, options, {"-c", "-emit-llvm"});
  return {bitcode.begin(), bitcode.end()};
}

std::vector<unsigned char> read_bitcode(std::span<const std::byte> module) {
  constexpr std::size_t largest = std::size_t{4} << 30;
  clang::command words{find_clang("dpctl.program.create_program_from_bitcode"),
                       "-x",
                       "ir",
                       target,
                       "-Xclang",
                       "-disable-llvm-passes",
                       "-Werror=override-module",
                       "-fno-color-diagnostics",
                       "-fno-crash-diagnostics",
                       "-c",
                       "-emit-llvm",
                       "-o",
                       "-",
                       "-"};
  memory_file input;
  input.write({reinterpret_cast<const char *>(module.data()), module.size()});
  child_result result = run_child(words, input, largest);
  const auto is_foreign = [&] { return !result.output && result.messages.find("target triple") != std::string::npos; };
  if (is_foreign()) {  // clang compares the text of triples: the short one is the same target
    words[3] = "--target=spir64";
    result = run_child(words, input, largest);
  }
  if (!result.output) {
    if (is_foreign())
      refuse("create_program_from_bitcode: the bitcode is for another target than spir64-unknown-unknown");
    refuse(fmt::format("create_program_from_bitcode: clang cannot read the bitcode: {}",
                       std::string_view(result.messages).substr(0, result.messages.find('\n'))));
  }
  return {result.output->begin(), result.output->end()};
}

}  // namespace dpep::program_source
