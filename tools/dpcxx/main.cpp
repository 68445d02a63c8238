// dpcxx: compiles C++ with SYCL kernels by running clang 22 for the device and for the host.
//
// Accepts the options of icpx -fsycl and of clang++. For sources that do not include SYCL's headers, and for commands
// that do not compile, it runs clang only.
#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "arguments.hpp"
#include "clang.hpp"
#include "compile.hpp"
#include "process.hpp"
#include "clang/temporary_folder.hpp"

namespace dpcxx {
namespace {

namespace fs = std::filesystem;

constexpr const char *usage = R"(dpcxx: compile C++ with SYCL kernels

  dpcxx [options] file...                  like clang++ and icpx -fsycl; kernels run on all devices of dpep
  dpcxx -O2 program.cpp -o program
  dpcxx -O2 -shared -fPIC module.cpp -o module.so

Options are clang's (clang++ --help), and these:
  -fsycl                    accepted; kernels are always compiled
  -fno-sycl                 compile as plain C++
  -fsycl-device-only        make the bitcode of the kernels instead of an object
  -fsycl-…, -Xsycl-target-…, --acpp-…
                            options that tune other SYCL compilers are accepted and have no effect:
                            kernels are compiled for their device when they first run
  -std=…                    gnu++20 by default; SYCL sources get at least C++20

The folder bin/drop-in beside dpcxx's has it as icpx, dpcpp, acpp, syclcc and clang++ (SYCL with -fsycl only).

Environment: DPCXX_CLANG, the clang++ (version 22) to use; TMPDIR.
)";

/// Options that link libdpep, as needed: a program that does not use it does not depend on it.
command link_options(const command_line &line) {
  for (const argument &a : line.arguments)
    if (a.role == role::link &&
        (a.words[0] == "-r" || a.words[0] == "-nostdlib" || a.words[0] == "-nodefaultlibs" || a.words[0] == "-static"))
      return {};
  const std::string folder = (prefix() / "lib").string();
  // The second search path is for extension packages that are installed beside dpep, on any machine.
  return {"-L" + folder,     "-Wl,--push-state,--as-needed", "-ldpep",
          "-Wl,--pop-state", "-Wl,-rpath," + folder,         "-Wl,-rpath,$ORIGIN/../dpep/lib"};
}

/// The complete clang command if no device pass is needed.
command plain_command(const session &s, bool sycl) {
  const command_line &line = s.line;
  command words{s.clang};
  bool all_cxx = line.has_sources();
  std::string language;
  for (const argument &a : line.arguments) {
    const bool input = a.role == role::source || a.role == role::input;
    if (input && language_of(a).empty() && !language.empty()) append(words, {"-x", "none"});
    if (input) language = language_of(a);
    append(words, a.role == role::source ? input_words(a) : a.words);
    if (a.role == role::source) all_cxx = all_cxx && is_cxx_family(a);
  }
  switch (line.makes) {
  case product::preprocessed:
    words.push_back("-E");
    break;
  case product::checked:
    words.push_back("-fsyntax-only");
    break;
  case product::assembly:
    words.push_back("-S");
    break;
  case product::object:
    words.push_back("-c");
    break;
  case product::linked:
    break;
  }
  if (!line.output.empty()) append(words, {"-o", line.output});
  if (!line.has_inputs()) return words;
  if (line.has_sources()) append(words, common_options(s, sycl, all_cxx));
  if (sycl) append(words, {"-Xclang", "-fsycl-is-host"});
  if (line.makes == product::linked) append(words, link_options(line));
  return words;
}

std::string object_name(const session &s, const argument &source, std::size_t number) {
  const std::string stem = source.words[0] == "-" ? "-" : fs::path(source.words[0]).stem().string();
  if (s.line.makes == product::linked && !s.line.device_only) {
    const fs::path folder = s.temporary / std::to_string(number);  // two sources may have the same name
    fs::create_directory(folder);
    return (folder / (stem + ".o")).string();
  }
  if (!s.line.output.empty()) return s.line.output;
  if (s.line.device_only) return stem + ".bc";
  return stem + (s.line.makes == product::assembly ? ".s" : ".o");
}

/// Throws std::runtime_error if the program needs clang's OpenMP library, which is a package of its own.
void check_openmp(const session &s) {
  const bool wanted = std::any_of(s.line.arguments.begin(), s.line.arguments.end(), [](const argument &a) {
    return a.role == role::option && (a.words[0] == "-fopenmp" || a.words[0] == "-fopenmp=libomp");
  });
  if (!wanted || s.line.dry_run) return;
  std::string place = output_of({s.clang, "-print-file-name=libomp.so"});
  if (place.find('/') == std::string::npos)
    throw std::runtime_error("-fopenmp: the OpenMP library of clang 22 was not found; install it (Debian, Ubuntu: "
                             "apt-get install libomp-22-dev), or link another one with -fopenmp=libgomp");
}

/// Compiles each source, then links. Continues after a failed source, to show all errors; returns the first status that
/// is not 0.
int compile_and_link(const session &s, const std::vector<bool> &sycl) {
  const command_line &line = s.line;
  const auto sources = static_cast<std::size_t>(std::count_if(
      line.arguments.begin(), line.arguments.end(), [](const argument &a) { return a.role == role::source; }));
  if (sources > 1 && !line.output.empty() && (line.makes != product::linked || line.device_only))
    throw std::runtime_error("cannot specify -o when generating multiple output files");

  command link{s.clang, "-Qunused-arguments"};
  int failure = 0;
  for (std::size_t i = 0; i < line.arguments.size(); i++) {
    const argument &a = line.arguments[i];
    if (a.role == role::dependency) continue;
    if (a.role != role::source) {
      append(link, a.words);
      continue;
    }
    const std::string object = object_name(s, a, i);
    const int status = sycl[i] ? compile_sycl(s, a, object) : compile_plain(s, a, object);
    if (failure == 0) failure = status;
    link.push_back(object);
  }
  if (failure || line.makes != product::linked || line.device_only) return failure;
  check_openmp(s);
  if (!line.output.empty()) append(link, {"-o", line.output});
  append(link, link_options(line));
  return run(link, false).status;
}

/// Saves standard input to a file if it is a source, since more than one pass reads it. Returns the file's path.
fs::path save_standard_input(const command_line &line, const fs::path &temporary) {
  const bool used = std::any_of(line.arguments.begin(), line.arguments.end(), [](const argument &a) {
    return a.role == role::source && a.words[0] == "-" && is_cxx(a);
  });
  if (!used || !line.sycl) return {};
  const fs::path file = temporary / "input";
  std::ofstream(file, std::ios::binary) << std::cin.rdbuf();
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);  // for replace_process
  dup2(descriptor, STDIN_FILENO);
  return file;
}

int show_version(const std::string &clang) {
  const outcome result = run({clang, "--version"}, false);
  std::cout << "dpcxx " DPEP_VERSION ", dpep in " << prefix().string() << std::endl;
  return result.status;
}

/// Handles a call as CMake's compiler launcher, `dpcxx --launch-for=g++ [ccache] g++ options…`: returns dpcxx's own
/// arguments if -fsycl is among the options; otherwise replaces the process by the project's compiler.
command handle_launcher(const command &words) {
  const std::string flag = "--launch-for=";
  if (words.empty() || !words[0].starts_with(flag)) return words;
  const command launched(words.begin() + 1, words.end());
  const auto compiler = std::find(launched.begin(), launched.end(), words[0].substr(flag.size()));
  if (compiler == launched.end())
    throw std::runtime_error(words[0] + ": this compiler is not among the arguments that follow");
  if (std::find(launched.begin(), launched.end(), "-fsycl") == launched.end()) replace_process(launched);
  command result(compiler + 1, launched.end());
  // The other compiler's link-time optimiser cannot use clang's objects.
  std::erase_if(result,
                [](const std::string &word) { return word.starts_with("-flto") || word == "-fno-fat-lto-objects"; });
  return result;
}

/// The result of run_driver: the status to exit with, or the command to replace the process by.
struct driver_result {
  int status = 0;
  command replacement{};
};

driver_result run_driver(const command_line &line) {
  if (line.help) {
    std::cout << usage;
    return {};
  }
  const std::string &clang = find_clang();
  if (line.version) return {show_version(clang)};
  const bool compiles = std::any_of(line.arguments.begin(), line.arguments.end(),
                                    [](const argument &a) { return a.role == role::source && is_cxx(a); });
  if (!compiles || !line.sycl) return {0, plain_command({line, clang, {}}, false)};

  catch_signals();
  const dpep::clang::temporary_folder temporary("dpcxx");
  session s{line, clang, temporary.path()};
  s.input = save_standard_input(line, temporary.path());
  std::vector<bool> sycl;
  for (const argument &a : line.arguments) sycl.push_back(a.role == role::source && uses_sycl(s, a));
  const bool any = std::find(sycl.begin(), sycl.end(), true) != sycl.end();
  if (!any || line.makes == product::preprocessed) return {0, plain_command(s, any)};
  return {compile_and_link(s, sycl)};
}

}  // namespace
}  // namespace dpcxx

int main(int count, char **words) {
  try {
    const dpcxx::driver_result result =
        dpcxx::run_driver(dpcxx::parse(dpcxx::handle_launcher({words + 1, words + count})));
    if (!result.replacement.empty()) dpcxx::replace_process(result.replacement);
    dpcxx::exit_with(result.status);
  } catch (const std::exception &error) {
    std::cerr << "dpcxx: error: " << error.what() << std::endl;
    return 1;
  }
}
