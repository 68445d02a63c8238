// Compilation of one source: a device pass, whose bitcode the host pass embeds into the object file.
#include "compile.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

#include "bitcode.hpp"
#include "clang.hpp"
#include "clang_input.hpp"
#include "dependencies.hpp"
#include "diagnostics.hpp"
#include "precompiled.hpp"

namespace dpcxx {
namespace {

namespace fs = std::filesystem;

/// The -std= to use. SYCL's headers need C++20, so older standards, which build files often still request, are raised.
std::string standard_for(const std::string &given, bool sycl) {
  if (given.empty()) return "gnu++20";
  const bool gnu = given.starts_with("gnu++");
  if (!sycl || (!gnu && !given.starts_with("c++"))) return given;
  const std::string_view year = std::string_view(given).substr(gnu ? 5 : 3);
  for (std::string_view old : {"98", "03", "0x", "11", "1y", "14", "1z", "17"})
    if (year == old) return gnu ? "gnu++20" : "c++20";
  return given;
}

/// Options about the host's machine code and debug information. The JIT generates the kernels' code.
bool is_host_only(std::string_view word) {
  for (std::string_view start : {"-O",
                                 "-g",
                                 "-fsanitize",
                                 "-fno-sanitize",
                                 "-fprofile-",
                                 "-fcoverage-",
                                 "-fcs-profile",
                                 "-flto",
                                 "-fno-lto",
                                 "-fstack-protector",
                                 "-fno-stack-protector",
                                 "-fstack-clash",
                                 "-fcf-protection",
                                 "-fpatchable",
                                 "-fPI",
                                 "-fpi",
                                 "-fno-pi",
                                 "-fno-PI",
                                 "-save-temps",
                                 "--save-temps",
                                 "-ftime-trace",
                                 "-fvisibility",
                                 "-finstrument",
                                 "-fsplit",
                                 "-gsplit",
                                 "--serialize-diagnostics",
                                 "-serialize-diagnostics",
                                 "-MJ",
                                 "-fbasic-block",
                                 "-fxray",
                                 "-fno-semantic",
                                 "-fsemantic",
                                 "-mcmodel",
                                 "-mretpoline",
                                 "-fthinlto",
                                 "-emit-llvm",
                                 "-fvectorize",
                                 "-ftree-vectorize",
                                 "-fslp-vectorize",
                                 "-ftree-slp",
                                 "-funroll",
                                 "-fomit-frame",
                                 "-fno-omit-frame",
                                 "-fwhole-program",
                                 "-fstrict-vtable",
                                 "-fcrash",
                                 "-fno-plt",
                                 "-fplt",
                                 "-Wa,",
                                 "-Xassembler"})
    if (word.starts_with(start)) return true;
  return word == "--coverage" || word == "-coverage" || word == "-pg" || word == "-p";
}

/// The options of the device pass: the user's, without those of the host, and dpcxx's own.
command device_options(const command_line &line) {
  command result;
  bool lines = false, fast = false;
  for (std::size_t i = 0; i < line.arguments.size(); i++) {
    const argument &a = line.arguments[i];
    if (a.role != role::option) continue;
    const std::string &word = a.words[0];
    if (word.starts_with("-g")) lines = word != "-g0";
    if (word.starts_with("-O")) fast = word == "-Ofast";
    // A precompiled header has the host pass's language mode. CMake also includes the header itself.
    if (word == "-Xclang" && a.words[1] == "-include-pch")
      i++;
    else if (word != "-include-pch" && !is_host_only(word))
      append(result, a.words);
  }
  // Always optimised, since the JIT continues from this bitcode. Its vectoriser works across work-items and needs the
  // original loops. Short loops of constant length are still unrolled, which turns private arrays into registers
  // (-fno-unroll-loops would prevent that, too).
  append(result, {"-O2", "-fno-vectorize", "-fno-slp-vectorize", "-mllvm", "-unroll-runtime=false", "-mllvm",
                  "-unroll-allow-partial=false", "-fno-math-errno", "-fno-pic", "-fno-stack-protector",
                  "-fcf-protection=none", "-U_FORTIFY_SOURCE", "-fno-asynchronous-unwind-tables"});
  if (fast) result.push_back("-ffast-math");
  if (lines) result.push_back("-gline-tables-only");  // for source lines in error messages
  return result;
}

command host_options(const command_line &line) {
  command result;
  for (std::size_t i = 0; i < line.arguments.size(); i++) {
    const argument &a = line.arguments[i];
    if (a.role != role::option) continue;
    if (a.words[0] == "-Xclang" && a.words[1] == "-include-pch")
      i++;  // as above
    else if (a.words[0] != "-include-pch")
      append(result, a.words);
  }
  append(result, {"-Xclang", "-fsycl-is-host", "-Wno-c23-extensions"});
  return result;
}

/// Options that make clang format its diagnostics for the terminal, although its standard error is a pipe.
command diagnostic_options(const command_line &line) {
  if (!isatty(STDERR_FILENO)) return {};
  command result;
  if (!line.colors_chosen) result.push_back("-fcolor-diagnostics");
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
    result.push_back("-fmessage-length=" + std::to_string(size.ws_col));
  return result;
}

/// The path of the depfile and the options that clang writes it with.
struct depfile {
  fs::path path;
  command kind;    // -MD or -MMD, -MP, -MG
  command target;  // -MT, -MQ
};

std::optional<depfile> requested_depfile(const command_line &line, const argument &source, const fs::path &object) {
  depfile result;
  bool requested = false;
  for (const argument &a : line.arguments) {
    if (a.role != role::dependency) continue;
    const std::string &word = a.words[0];
    if (word == "-MD" || word == "-MMD") requested = true;
    if (word == "-MF")
      result.path = a.words[1];
    else if (word.starts_with("-MF"))
      result.path = word.substr(3);
    else
      append(word.starts_with("-MT") || word.starts_with("-MQ") ? result.target : result.kind, a.words);
  }
  if (!requested) return std::nullopt;
  // clang's default names
  const fs::path stem = fs::path(source.words[0]).stem();
  if (result.path.empty())
    result.path = line.output.empty() ? fs::path(stem.string() + ".d") : fs::path(line.output).replace_extension("d");
  if (result.target.empty())
    result.target = {"-MQ", line.makes == product::linked ? stem.string() + ".o" : object.string()};
  return result;
}

bool is_phony(const depfile &d) { return std::find(d.kind.begin(), d.kind.end(), "-MP") != d.kind.end(); }

bool names_system_headers(const depfile &d) { return std::find(d.kind.begin(), d.kind.end(), "-MMD") == d.kind.end(); }

void write_depfile(const depfile &d, const std::string &rule) {
  if (d.path == "-") {
    std::cout << rule << std::flush;
    return;
  }
  std::ofstream file(d.path);
  if (!(file << rule << std::flush)) throw std::runtime_error("unable to open output file '" + d.path.string() + "'");
}

/// Whether an #include in the source itself names a SYCL header: true for nearly all SYCL sources, and cheaper to check
/// than preprocessing.
bool includes_sycl_directly(const fs::path &source) {
  std::ifstream file(source);
  for (std::string line; std::getline(file, line);) {
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#' || line.find("include") == std::string::npos) continue;
    for (const char *name : {"sycl/", "sycl.hpp", "dpctl4pybind11"})
      if (line.find(name) != std::string::npos) return true;
  }
  return false;
}

/// The macro for the SYCL version, as the specification defines it.
const std::string language_version = "-DSYCL_LANGUAGE_VERSION=202012L";

command mode_words(product makes) {
  switch (makes) {
  case product::preprocessed:
    return {"-E"};
  case product::checked:
    return {"-fsyntax-only"};
  case product::assembly:
    return {"-S"};
  default:
    return {"-c"};
  }
}

}  // namespace

command common_options(const session &s, bool sycl, bool all_cxx) {
  command result{"-isystem", (prefix() / "include").string()};
  if (const fs::path names = prefix() / "include/forwarded_headers.yaml"; s.line.sycl && fs::exists(names))
    append(result, {"-ivfsoverlay", names.string()});
  if (!s.line.standard.empty() || all_cxx) result.push_back("-std=" + standard_for(s.line.standard, sycl));
  // clang defines it in its SYCL passes only. Build systems check for it in sources that include no SYCL header.
  if (s.line.sycl && !sycl && all_cxx) result.push_back(language_version);
  return result;
}

std::string language_of(const argument &source) {
  if (!source.language.empty() || fs::path(source.words[0]).extension() != ".c") return source.language;
  return "c";
}

command input_words(const argument &source) {
  const std::string language = language_of(source);
  if (language.empty()) return source.words;
  return {"-x", language, source.words[0]};
}

bool uses_sycl(const session &s, const argument &source) {
  if (!s.line.sycl || !is_cxx(source)) return false;
  if (s.line.program) return true;
  if (includes_sycl_directly(source.words[0] == "-" ? s.input : fs::path(source.words[0]))) return true;
  const fs::path rule = s.temporary / "includes.d";
  command words{s.clang};
  append(words, host_options(s.line));
  append(words, common_options(s, true, true));
  words.push_back(language_version);
  append(words, {"-Qunused-arguments", "-w", "-M", "-MF", rule.string(), "-MT", "x"});
  append(words, input_words(source));
  // A source that cannot be preprocessed may use SYCL. Its compilation reports the errors.
  return !run(words, true, s.input).succeeded() || depends_on(rule, prefix() / "include" / "sycl");
}

int compile_sycl(const session &s, const argument &source, const fs::path &object) {
  const command_line &line = s.line;
  const std::optional<depfile> dependencies = requested_depfile(line, source, object);
  const fs::path image = s.temporary / "image.bc";
  const fs::path device_rule = s.temporary / "device.d", host_rule = s.temporary / "host.d";
  const clang_input original = input_for(s, source);
  diagnostics reported;

  const auto run_pass = [&](const clang_input &input, const command &options, const fs::path &rule,
                            const command &mode) {
    command words{s.clang, "-Qunused-arguments"};
    append(words, options);
    append(words, common_options(s, true, true));
    append(words, diagnostic_options(line));
    append(words, input.options);
    if (dependencies) {
      append(words, dependencies->kind);
      append(words, dependencies->target);
      append(words, {"-MF", rule.string()});
    } else {
      append(words, {"-MD", "-MT", "x", "-MF", rule.string()});
    }
    append(words, mode);
    append(words, input.name);
    return run(words, !line.dry_run, s.input);
  };
  const auto print_diagnostics = [&](const outcome &result) {
    std::cerr << (result.succeeded() ? reported.add(result.errors) : result.errors) << std::flush;
    return result.status;
  };

  command device = device_options(line), host = host_options(line);
  append(device, {"-Xclang", "-fsycl-is-device"});
  // clang uses the host's target to mangle __bf16 and crashes without one (<immintrin.h> has functions of __bf16).
  append(device, {"-Xclang", "-aux-triple", "-Xclang", "x86_64-unknown-linux-gnu"});
  std::optional<precompiled_headers> headers = precompiled_for(s, source, device, host);
  /// Runs a pass over the source with a precompiled header, and without it if it does not fit.
  const auto run_original = [&](const command &options, const command &with_header, const command &without,
                                const fs::path &rule, const command &mode) {
    const auto run_with = [&](const command &added) {
      command all = options;
      append(all, added);
      return run_pass(original, all, rule, mode);
    };
    if (headers) {
      outcome result = run_with(with_header);
      if (result.succeeded() || !is_header_error(result.errors)) return result;
      discard(*headers);
      headers.reset();
    }
    return run_with(without);
  };
  command mode{"-c", "-emit-llvm", "-o", line.device_only ? object.string() : image.string()};
  if (line.makes == product::checked) mode = {"-fsyntax-only"};
  if (line.device_only && line.makes == product::assembly) mode[0] = "-S";
  outcome result = run_original(device, headers ? use_device_header(*headers) : command(), {}, device_rule, mode);
  bool attributes_remain = false;  // in the host pass
  const auto reports = [&](const char *part) { return result.errors.find(part) != std::string::npos; };
  if (!line.dry_run &&
      (result.succeeded()
           ? has_remaining_attributes(s, original, device_rule, headers ? headers->folder() : s.temporary)
           : reports("unknown attribute") || reports("SYCL_EXTERNAL") || reports("sycl_external")))
    if (const std::optional<clang_input> whole = preprocessed_input(s, original, device)) {
      attributes_remain = true;
      result = run_pass(*whole, device, s.temporary / "whole.d", mode);
    }
  int status = print_diagnostics(result);

  if (status == 0 && !line.device_only) {
    const bool checked = line.makes == product::checked;
    if (checked) std::ofstream(image) << '\0';  // -fsyntax-only makes no bitcode, but SYCL's headers embed an image
    command with_header = headers ? use_host_header(*headers) : command(), without;
    if (checked || line.dry_run || has_symbols(image)) {
      without.push_back("-DDPEP_DEVICE_IMAGE=\"" + image.string() + "\"");
      append(with_header, without);
      append(with_header, {"-include", (prefix() / "include/sycl/detail/device_image_bytes.hpp").string()});
    }
    mode = mode_words(line.makes);
    if (line.makes != product::checked) append(mode, {"-o", object.string()});
    if (attributes_remain) host.push_back("-Wno-unknown-attributes");
    status = print_diagnostics(run_original(host, with_header, without, host_rule, mode));
  }
  if (status != 0 || line.dry_run) return status;
  std::cerr << reported.summary() << std::flush;
  if (dependencies) {
    std::vector<fs::path> rules{line.device_only ? device_rule : host_rule, device_rule};
    std::vector<fs::path> hidden{s.temporary};
    if (headers) {
      hidden.push_back(headers->folder());
      if (names_system_headers(*dependencies)) rules.push_back(fs::path(headers->host).replace_extension("d"));
    }
    write_depfile(*dependencies, merge_dependencies(rules, hidden, is_phony(*dependencies)));
  }
  return 0;
}

int compile_plain(const session &s, const argument &source, const fs::path &object) {
  command words{s.clang, "-Qunused-arguments"};
  append(words, s.line.words_of({role::option, role::dependency}));
  append(words, common_options(s, false, is_cxx_family(source)));
  append(words, mode_words(s.line.makes));
  if (s.line.makes != product::checked) append(words, {"-o", object.string()});
  append(words, input_words(source));
  return run(words, false, s.input).status;
}

}  // namespace dpcxx
