// Runs dpcxx over the source of a SYCL program, in a temporary folder with its headers.
#include "program/compile_sycl.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string_view>

#include <dlfcn.h>

#include <dpep/exception.hpp>
#include <fmt/format.h>

#include "jit/launch/hash.hpp"
#include "program/run_child.hpp"
#include "clang/temporary_folder.hpp"

namespace dpep::program_source {
namespace {

namespace fs = std::filesystem;

constexpr const char *function = "create_kernel_bundle_from_sycl_source";

[[noreturn]] void refuse(const std::string &why) { throw exception(errc::build, fmt::format("{}: {}", function, why)); }

bool has_separate_value(std::string_view word) {
  return word == "-D" || word == "-U" || word == "-I" || word == "-include" || word == "-isystem";
}

bool is_allowed(std::string_view word) {
  for (const char *other :
       {"-fsyntax-only", "-fno-sycl", "-fplugin", "-fmodules", "-ftime-", "-fcolor", "-fdiagnostics"})
    if (word.starts_with(other)) return false;
  for (const char *start : {"-D", "-U", "-I", "-W", "-w", "-include", "-isystem", "-std=", "-O", "-g", "-f"})
    if (word.starts_with(start)) return !word.starts_with("-Wl,") && !word.starts_with("-Wa,");
  return false;
}

/// dpcxx of the same installation as this library.
fs::path find_dpcxx() {
  Dl_info info{};
  static const char here = 0;
  std::error_code ignored;
  if (!dladdr(&here, &info) || !info.dli_fname) refuse("the folder of libdpep.so is not known");
  const fs::path library = fs::canonical(info.dli_fname, ignored);
  const fs::path compiler = library.parent_path().parent_path() / "bin" / "dpcxx";
  if (!fs::exists(compiler, ignored))
    refuse(fmt::format("the compiler {} was not found; it is a part of the installation of dpep", compiler.string()));
  return compiler;
}

void write(const fs::path &path, std::string_view text) {
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  if (!(std::ofstream(path, std::ios::binary) << text << std::flush))
    throw exception(errc::runtime, fmt::format("{}: cannot write {}", function, path.string()));
}

std::string content_of(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The text as a literal of C++.
std::string literal_of(std::string_view text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made + '"';
}

/// The program's text, and declarations that make kernels of the registered names. An error in one has its number as
/// the line.
std::string complete_text(const sycl_source &source) {
  std::string text = source.text + '\n';
  for (std::size_t i = 0; i < source.registered_names.size(); ++i) {
    const std::string &name = source.registered_names[i];
    text +=
        fmt::format("struct dpep_name_{0} {{ static constexpr const char *name = {1}, *parameters = \"\"; }};\n"
                    "[[maybe_unused]] static inline const bool dpep_registration_{0} = "
                    "::sycl::detail::describe_kernel<(\n#line {2} \"registered_names\"\n{3}\n), dpep_name_{0}>();\n",
                    i, literal_of(name), i + 1, name);
  }
  return text;
}

/// The names behind the colon of a makefile's first rule.
std::vector<std::string> names_in_rule(std::string_view text) {
  std::vector<std::string> names;
  std::string word;
  const std::size_t colon = text.find(": ");
  if (colon == text.npos) return names;
  for (std::size_t i = colon + 2; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : '\n';
    const bool escape = (c == '\\' || c == '$') && i + 1 < text.size();
    if (escape && text[i + 1] != '\n') {
      word += text[++i];
    } else if (escape || std::isspace(static_cast<unsigned char>(c))) {
      if (!word.empty()) names.push_back(std::move(word));
      word.clear();
      if (!escape && c == '\n') break;
      i += escape;
    } else {
      word += c;
    }
  }
  return names;
}

void remove_all(std::string &text, std::string_view part) {
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos;) text.erase(at, part.size());
}

/// Messages quote lines of the source, in which dpcxx has inserted statements behind kernel functions.
std::string without_insertions(const std::string &messages) {
  constexpr std::string_view inserted = " static_assert(sizeof(::sycl::detail::mark_kernel<";
  std::string made;
  for (std::size_t at = 0; at < messages.size();) {
    const std::size_t end = std::min(messages.find('\n', at), messages.size());
    const std::string_view line = std::string_view(messages).substr(at, end - at);
    made += line.substr(0, line.find(inserted));
    made += '\n';
    at = end + 1;
  }
  return made;
}

}  // namespace

void check(const sycl_source &source) {
  if (source.text.find('\0') != source.text.npos) refuse("the source has a NUL character");
  for (const sycl_source::header &h : source.headers) {
    const fs::path name(h.name);
    if (name.empty() || name.is_absolute() || !name.has_filename() || h.name.find('\0') != h.name.npos ||
        std::ranges::find(name, fs::path("..")) != name.end())
      refuse(
          fmt::format("the name of a header must be a relative path such as \"kernels/sum.hpp\", got \"{}\"", h.name));
  }
  for (const std::string &name : source.registered_names)
    if (name.empty() || name.find_first_of(std::string_view("\n\0", 2)) != name.npos)
      refuse(fmt::format("a registered name must be an expression that names a function, got \"{}\"", name));
  for (std::size_t i = 0; i < source.options.size(); ++i) {
    if (!is_allowed(source.options[i]))
      refuse(fmt::format("'{}' is not an option for programs in SYCL (-D, -U, -I, -isystem, -include, -std=, -W…, -w, "
                         "-O…, -g, -f…)",
                         source.options[i]));
    if (has_separate_value(source.options[i])) ++i;
  }
}

bool names_folders(const sycl_source &source) {
  return std::ranges::any_of(source.options,
                             [](const std::string &o) { return o.starts_with("-I") || o.starts_with("-i"); });
}

bool included_file::is_unchanged() const { return jit::digest_of(std::string_view(content_of(path))).hex() == digest; }

sycl_result compile(const sycl_source &source) {
  find_clang("dpctl.program.create_kernel_bundle_from_sycl_source");  // for its message
  const fs::path compiler = find_dpcxx();
  std::optional<clang::temporary_folder> temporary;
  try {
    temporary.emplace("dpep-program");
  } catch (const std::runtime_error &e) {
    throw exception(errc::runtime, fmt::format("{}: {}", function, e.what()));
  }
  const fs::path folder = temporary->path() / "source";
  const fs::path text = folder / "program.cpp";
  const fs::path made = temporary->path() / "program.bc", rule = temporary->path() / "program.d";
  for (const sycl_source::header &h : source.headers) write(folder / h.name, h.text);
  write(text, complete_text(source));

  clang::command words{compiler.string(), "-fdpep-program", "-fno-color-diagnostics", "-I" + folder.string(),
                       "-ffile-prefix-map=" + folder.string() + "/="};
  words.insert(words.end(), source.options.begin(), source.options.end());
  words.insert(words.end(), {"-MMD", "-MF", rule.string(), "-o", made.string(), text.string()});
  child_result result = run_child(words, memory_file());
  if (!result.output) {
    remove_all(result.messages, folder.string() + "/");
    throw exception(errc::build, without_insertions(result.messages));
  }
  const std::string bitcode = content_of(made);
  sycl_result all{{bitcode.begin(), bitcode.end()}, {}};
  for (const std::string &name : names_in_rule(content_of(rule))) {
    const std::string path = fs::absolute(name).lexically_normal().string();
    if (!path.starts_with(temporary->path().string() + "/"))
      all.files.push_back({path, jit::digest_of(std::string_view(content_of(path))).hex()});
  }
  return all;
}

}  // namespace dpep::program_source
