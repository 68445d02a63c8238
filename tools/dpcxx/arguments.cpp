// Parsing of the command line: options of icpx -fsycl and clang++, classified by the compilation steps that need them.
#include "arguments.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace dpcxx {
namespace {

using std::string_view;

bool any_of(std::initializer_list<string_view> list, string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool starts_with_any(std::initializer_list<string_view> list, string_view word) {
  return std::any_of(list.begin(), list.end(), [&](string_view start) { return word.starts_with(start); });
}

/// Options of clang whose value is the next word.
bool takes_next_word(string_view word) {
  return any_of({"-o",
                 "-I",
                 "-D",
                 "-U",
                 "-L",
                 "-l",
                 "-x",
                 "-include",
                 "-imacros",
                 "-isystem",
                 "-iquote",
                 "-idirafter",
                 "-isysroot",
                 "--sysroot",
                 "-iprefix",
                 "-iwithprefix",
                 "-cxx-isystem",
                 "-iwithprefixbefore",
                 "-include-pch",
                 "-MF",
                 "-MT",
                 "-MQ",
                 "-MJ",
                 "-Xclang",
                 "-Xlinker",
                 "-Xassembler",
                 "-Xpreprocessor",
                 "-Xanalyzer",
                 "-Xopenmp-target",
                 "-mllvm",
                 "-target",
                 "-arch",
                 "-T",
                 "-u",
                 "-z",
                 "-e",
                 "-rpath",
                 "--param",
                 "-aux-info",
                 "-B",
                 "--serialize-diagnostics",
                 "-serialize-diagnostics",
                 "-dumpdir",
                 "-working-directory",
                 "--std",
                 "-ivfsoverlay",
                 "--config"},
                word);
}

bool is_link_option(string_view word) {
  return starts_with_any({"-l", "-L", "-Wl,", "-Xlinker", "-rpath", "-static-lib", "-T", "-fuse-ld=", "--ld-path="},
                         word) ||
         any_of({"-shared", "-static", "-static-pie", "-pie", "-no-pie", "-rdynamic", "-r", "-s", "-e", "-u", "-z",
                 "-nostdlib", "-nodefaultlibs", "-nostartfiles", "-nostdlib++", "-nolibc", "-shared-libgcc",
                 "-shared-libsan", "-static-libsan"},
                word);
}

bool is_dependency_option(string_view word) {
  return any_of({"-M", "-MM", "-MD", "-MMD", "-MF", "-MT", "-MQ", "-MP", "-MG", "-MV"}, word) ||
         (starts_with_any({"-MF", "-MT", "-MQ"}, word) && word.size() > 3);
}

/// Options that tune other implementations of SYCL, Intel's and AdaptiveCpp, and have no meaning for dpep, which
/// compiles kernels at run time: every image is for all devices, has all kernels, and is specialised by the JIT.
bool is_intel_tuning(string_view word) {
  return starts_with_any({"-fsycl-",
                          "-fno-sycl-",
                          "-sycl-std=",
                          "-ftarget-compile-fast",
                          "-fno-target-compile-fast",
                          "-ftarget-register-alloc-mode=",
                          "-ftarget-export-symbols",
                          "-fno-target-export-symbols",
                          "-foffload-",
                          "-fno-offload-",
                          "-diag-disable",
                          "-diag-enable",
                          "-qopt-report",
                          "-qoverride-limits",
                          "-fimf-",
                          "-finline-max-",
                          "-ax",
                          "-fopenmp-targets=",
                          "--acpp-",
                          "--hipsycl-",
                          "--opensycl-"},
                         word) ||
         any_of({"-qno-opt-report", "-fiopenmp-simd", "-ansi-alias", "-no-ansi-alias", "-no-prec-div", "-prec-div",
                 "-prec-sqrt", "-no-prec-sqrt", "-ip", "-no-ip", "-ipo", "-no-ipo", "-flink-huge-device-code",
                 "-fno-link-huge-device-code"},
                word);
}

/// The clang options for an option of Intel's compiler such as `-fp-model=fast`; empty if there are none.
command translate_intel(string_view word) {
  if (any_of({"-fiopenmp", "-qopenmp"}, word)) return {"-fopenmp"};
  if (word == "-qopenmp-simd") return {"-fopenmp-simd"};
  if (any_of({"-xHost", "-xhost"}, word)) return {"-march=native"};
  if (word.starts_with("-fp-model=")) {
    string_view model = word.substr(string_view("-fp-model=").size());
    if (model == "fast=1") model = "fast";
    if (model == "fast=2") model = "aggressive";
    if (model == "source") model = "precise";
    return {"-ffp-model=" + std::string(model)};
  }
  return {};
}

/// The words of a response file: separated by white space, with GCC's rules for quotes and backslashes.
command split_response(const std::string &text) {
  command words;
  std::string word;
  bool inside = false;  // within a word, which may be empty so far: ""
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); i++) {
    const char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size())
      word += text[++i], inside = true;
    else if (quote)
      c == quote ? void(quote = 0) : void(word += c);
    else if (c == '"' || c == '\'')
      quote = c, inside = true;
    else if (!std::isspace(static_cast<unsigned char>(c)))
      word += c, inside = true;
    else if (inside)
      words.push_back(std::move(word)), word.clear(), inside = false;
  }
  if (inside) words.push_back(std::move(word));
  return words;
}

command expand_responses(const command &words, int depth = 0) {
  if (depth > 32) throw std::runtime_error("response files (@file) include one another recursively");
  command result;
  for (const std::string &word : words) {
    std::ifstream file;
    if (word.size() > 1 && word.front() == '@') file.open(word.substr(1));
    if (!file.is_open()) {  // as GCC: an ordinary word if there is no such file
      result.push_back(word);
      continue;
    }
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const command inner = expand_responses(split_response(text), depth + 1);
    result.insert(result.end(), inner.begin(), inner.end());
  }
  return result;
}

bool has_extension(string_view name, std::initializer_list<string_view> list) {
  const std::string extension = std::filesystem::path(name).extension().string();
  return any_of(list, extension);
}

bool is_source_name(string_view name) {
  return name == "-" ||
         has_extension(name, {".cpp", ".cc", ".cxx", ".c++", ".C",    ".CPP", ".cp", ".c",  ".ii",  ".i",   ".S",
                              ".s",   ".sx", ".ll",  ".bc",  ".cppm", ".ixx", ".h",  ".hh", ".hpp", ".hxx", ".H"});
}

/// Parses one command line, word by word.
class parser {
public:
  explicit parser(command words) : words_(std::move(words)) {}

  command_line parse() {
    while (at_ < words_.size()) {
      const std::string word = words_[at_++];
      if (word.size() < 2 || word.front() != '-')
        add_input(word);
      else if (word.starts_with("-Xs"))
        skip_backend_option(word);
      else if (!read_mode(word) && !read_intel(word))
        add_option(word);
    }
    return std::move(line_);
  }

private:
  std::string next(const std::string &option) {
    if (at_ >= words_.size()) throw std::runtime_error("argument to '" + option + "' is missing (expected 1 value)");
    return words_[at_++];
  }

  void add(role r, command words) { line_.arguments.push_back({r, std::move(words)}); }

  void add_input(const std::string &word) {
    const bool source = language_.empty() ? is_source_name(word) : true;
    line_.arguments.push_back({source ? role::source : role::input, {word}, language_});
  }

  /// -Xsycl-target-backend[=target] "options", -Xs "options", -Xsoption: options of device compilers, which dpcxx does
  /// not run.
  void skip_backend_option(const std::string &word) {
    if (word == "-Xs" || word.starts_with("-Xsycl-target-")) next(word);
  }

  /// As clang, the option with the earliest last step takes precedence.
  void make(product requested) { line_.makes = std::min(line_.makes, requested); }

  /// Handles options that select the product, the output, the language and the mode. False for other options.
  bool read_mode(const std::string &word) {
    if (word == "-c")
      make(product::object);
    else if (word == "-S")
      make(product::assembly);
    else if (word == "-fsyntax-only")
      make(product::checked);
    else if (word == "-E")
      make(product::preprocessed);
    else if (word == "-M" || word == "-MM") {
      make(product::preprocessed);
      return false;
    } else if (word == "-o")
      line_.output = next(word);
    else if (word.starts_with("-o") && !word.starts_with("-objc"))
      line_.output = word.substr(2);
    else if (word.starts_with("--output="))
      line_.output = word.substr(9);
    else if (word == "-x" || (word.starts_with("-x") && !word.starts_with("-xH") && !word.starts_with("-xh"))) {
      language_ = word == "-x" ? next(word) : word.substr(2);
      if (language_ == "none") language_.clear();
    } else if (word == "-fsycl-device-only")
      line_.device_only = true;
    else if (word == "-fdpep-program")
      line_.program = line_.device_only = true;
    else if (word == "-fno-sycl")
      line_.sycl = false;
    else if (word == "-fsycl")
      line_.sycl = true;
    else if (word.starts_with("--called="))
      line_.sycl = word != "--called=clang++";  // with that name only by -fsycl
    else if (word == "--help" || word == "-help")
      line_.help = true;
    else
      return false;
    return true;
  }

  /// Handles Intel's own options: drops them, translates them, or throws if dropping them would change the result.
  /// False for other options.
  bool read_intel(const std::string &word) {
    if (word == "-fp-model") {
      add(role::option, translate_intel("-fp-model=" + next(word)));
      return true;
    }
    if (word.starts_with("-qmkl") || word.starts_with("-qtbb") || word.starts_with("-qipp"))
      throw std::runtime_error(word +
                               ": dpcxx has no Intel libraries of its own; name the library to the linker instead "
                               "(for example -ltbb, or -lmkl_rt with -L and -I)");
    if (command words = translate_intel(word); !words.empty()) {
      add(role::option, std::move(words));
      return true;
    }
    if (!is_intel_tuning(word)) return false;
    if (word == "-fsycl-targets" || word == "-diag-disable" || word == "-diag-enable") next(word);
    return true;
  }

  void add_option(const std::string &word) {
    if (word == "-v" || word == "-###") line_.verbose = true;
    if (word == "-###") line_.dry_run = true;
    if (word == "--version") line_.version = true;
    if (word.starts_with("-fcolor-diagnostics") || word.starts_with("-fno-color-diagnostics") ||
        word.starts_with("-fdiagnostics-color") || word.starts_with("-fno-diagnostics-color"))
      line_.colors_chosen = true;

    command words{word};
    if (takes_next_word(word)) words.push_back(next(word));
    if (word == "--std")
      words = {"-std=" + words[1]};
    else if (word.starts_with("--std="))
      words = {word.substr(1)};
    if (words[0].starts_with("-std=")) {
      line_.standard = words[0].substr(5);
      return;
    }
    add(is_dependency_option(word) ? role::dependency
        : is_link_option(word)     ? role::link
                                   : role::option,
        std::move(words));
  }

  command words_;
  std::size_t at_ = 0;
  std::string language_;
  command_line line_;
};

}  // namespace

bool command_line::has_sources() const {
  return std::any_of(arguments.begin(), arguments.end(), [](const argument &a) { return a.role == role::source; });
}

bool command_line::has_inputs() const {
  return std::any_of(arguments.begin(), arguments.end(), [](const argument &a) {
    return a.role == role::source || a.role == role::input || a.words[0].starts_with("-Wl,") ||
           a.words[0].starts_with("-l") || a.words[0] == "-Xlinker";
  });
}

command command_line::words_of(std::initializer_list<role> roles) const {
  command result;
  for (const argument &a : arguments)
    if (std::find(roles.begin(), roles.end(), a.role) != roles.end())
      result.insert(result.end(), a.words.begin(), a.words.end());
  return result;
}

command_line parse(const command &words) { return parser(expand_responses(words)).parse(); }

bool is_cxx(const argument &source) {
  if (!source.language.empty()) return source.language == "c++";
  return has_extension(source.words[0], {".cpp", ".cc", ".cxx", ".c++", ".C", ".CPP", ".cp"});
}

bool is_cxx_family(const argument &source) {
  if (!source.language.empty()) return source.language.starts_with("c++");
  return is_cxx(source) || has_extension(source.words[0], {".ii", ".cppm", ".ixx", ".hh", ".hpp", ".hxx", ".H"});
}

}  // namespace dpcxx
