// Implements dpep::program: compiles sources, or reads what they were compiled to from the disk cache.
#include <dpep/exception.hpp>
#include <dpep/program.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "jit/compile/build_identity.hpp"
#include "jit/compile/cache.hpp"
#include "jit/launch/checks.hpp"
#include "jit/launch/image_kernels.hpp"
#include "jit/launch/plan.hpp"
#include "jit/launch/shared_work.hpp"
#include "program/compile_source.hpp"
#include "program/compile_sycl.hpp"
#include "program/contents.hpp"
#include "program/lower/sycl_kernels.hpp"

namespace dpep {
namespace {

using program_contents::contents;
using program_lower::lowered_program;

/// Adds -g where checks name lines.
void add_lines(std::vector<std::string> &options) {
  if ((jit::checks_enabled() || jit::loop_checks_enabled()) && std::ranges::find(options, "-g") == options.end())
    options.emplace_back("-g");
}

jit::digest key_of(std::string_view source, const std::vector<std::string> &options) {
  const auto text_hash = [&](std::string_view text) { return jit::digest_of(text).hex(); };
  const std::string text = program_source::may_include_files(source, options)
                               ? text_hash(program_source::preprocess(source, options))
                               : text_hash(source);
  return jit::digest_of(
      std::string_view(fmt::format("OpenCL C|{}|{}|{}", text, fmt::join(options, "\n"), jit::build_identity())));
}

jit::digest key_of(const sycl_source &source) {
  std::vector<std::string> parts{"SYCL", jit::build_identity(), source.text};
  const auto add = [&](const std::vector<std::string> &list) {
    parts.push_back(std::to_string(list.size()));
    parts.insert(parts.end(), list.begin(), list.end());
  };
  for (const sycl_source::header &h : source.headers) add({h.name, h.text});
  add(source.registered_names);
  add(source.options);
  if (program_source::names_folders(source)) parts.push_back(std::filesystem::current_path().string());
  for (std::string &part : parts) part = jit::digest_of(std::string_view(part)).hex();
  return jit::digest_of(std::string_view(fmt::format("{}", fmt::join(parts, "|"))));
}

/// The program of that key: from the disk cache, if the files that it depends on are as they were, or made.
contents find_or_make(const jit::digest &key, const std::function<contents()> &make) {
  const jit::disk_cache cache = jit::disk_cache::from_environment();
  const auto find = [&]() -> std::optional<contents> {
    const std::optional<jit::cache_entry> entry = cache.find(key);
    if (!entry) return std::nullopt;
    std::optional<contents> found = program_contents::from_bytes(entry->kernel.object);
    if (!found || !std::ranges::all_of(found->files, &program_source::included_file::is_unchanged)) return std::nullopt;
    return found;
  };
  if (auto found = find()) return *std::move(found);
  const jit::disk_cache::claim claim = cache.claim_for(key);
  if (auto found = find()) return *std::move(found);
  contents made = make();
  jit::cache_entry entry;
  entry.kernel.object = program_contents::to_bytes(made);
  entry.kernel.report.name = "program";
  cache.store(key, entry);
  return made;
}

using kernel_list = std::shared_ptr<const std::vector<program_kernel>>;

/// Kernels whose code is compiled when they are launched. The program's key and the files identify the bitcode.
kernel_list kernels_of(contents all, const jit::digest &program_key) {
  std::string identity = program_key.hex();
  for (const program_source::included_file &f : all.files) identity += f.digest;
  const jit::digest key = all.files.empty() ? program_key : jit::digest_of(std::string_view(identity));
  lowered_program &made = all.program;
  const auto bitcode = std::make_shared<const std::vector<unsigned char>>(std::move(made.bitcode));
  auto kernels = std::make_shared<std::vector<program_kernel>>();
  for (kernel_properties &properties : made.kernels) {
    const std::string symbol = properties.symbol;
    const auto copy = [bitcode] { return *bitcode; };
    kernels->push_back({kernel(make_object<jit::kernel_object>(key, copy, symbol)),
                        std::make_shared<const kernel_properties>(std::move(properties))});
  }
  return kernels;
}

/// Several threads that request the same program share it. Forks wait until it is made.
kernel_list request(const jit::digest &key, const std::function<contents()> &make) {
  static auto &pending = *new jit::shared_work<jit::digest, kernel_list>;  // never destroyed: threads may outlive exit
  const auto find_none = [] { return std::optional<kernel_list>(); };
  return pending.share(key, find_none, [&] { return kernels_of(find_or_make(key, make), key); });
}

jit::digest key_of_module(std::string_view format, std::span<const std::byte> module) {
  return jit::digest_of(
      std::string_view(fmt::format("{}|{}|{}", format, jit::digest_of(module).hex(), jit::build_identity())));
}

bool is_registered(const kernel_properties &k, std::string_view name) {
  return std::ranges::find(k.registered_names, name) != k.registered_names.end();
}

}  // namespace

program program::from_opencl_source(std::string_view source, std::string_view options) {
  if (source.find('\0') != source.npos)
    throw exception(errc::build, "create_program_from_source: the source has a NUL character");
  std::vector<std::string> words = program_source::parse_options(options);
  add_lines(words);
  return program(request(key_of(source, words),
                         [&] { return contents{program_lower::lower(program_source::compile(source, words))}; }));
}

program program::from_spirv(std::span<const std::byte> module) {
  return program(request(key_of_module("SPIR-V", module), [&] {
    return contents{program_lower::lower({reinterpret_cast<const unsigned char *>(module.data()), module.size()})};
  }));
}

program program::from_bitcode(std::span<const std::byte> module) {
  constexpr std::array magic{std::byte{'B'}, std::byte{'C'}, std::byte{0xC0}, std::byte{0xDE}};
  if (module.size() < magic.size() || !std::ranges::equal(module.first(magic.size()), magic))
    throw exception(errc::build, "create_program_from_bitcode: the bytes are not LLVM bitcode");
  return program(request(key_of_module("bitcode", module),
                         [&] { return contents{program_lower::lower(program_source::read_bitcode(module))}; }));
}

program program::from_sycl_source(const sycl_source &given) {
  program_source::check(given);
  sycl_source source = given;
  add_lines(source.options);
  return program(request(key_of(source), [&] {
    program_source::sycl_result compiled = program_source::compile(source);
    contents made{program_lower::lower_sycl(compiled.bitcode), std::move(compiled.files)};
    for (kernel_properties &k : made.program.kernels) {
      const required_sizes required = jit::required_sizes_in(made.program.bitcode, k.symbol);
      k.required_group = required.work_group;
      k.required_sub_group = static_cast<std::uint32_t>(required.sub_group);
    }
    return made;
  }));
}

std::span<const program_kernel> program::kernels() const noexcept {
  if (!kernels_) return {};
  return *kernels_;
}

const program_kernel *program::find(std::string_view name) const noexcept {
  for (const program_kernel &k : kernels())
    if (k.properties->name == name) return &k;
  for (const program_kernel &k : kernels())
    if ((!name.empty() && k.properties->raw_name == name) || is_registered(*k.properties, name)) return &k;
  return nullptr;
}

}  // namespace dpep
