// Implements dpep::program: compiles sources, or reads what they were compiled to from the disk cache.
#include <dpep/exception.hpp>
#include <dpep/program.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "jit/compile/build_identity.hpp"
#include "jit/compile/cache.hpp"
#include "jit/launch/plan.hpp"
#include "jit/launch/shared_work.hpp"
#include "program/compile_source.hpp"
#include "program/contents.hpp"

namespace dpep {
namespace {

using program_lower::lowered_program;

jit::digest key_of(std::string_view source, const std::vector<std::string> &options) {
  const auto text_hash = [&](std::string_view text) { return jit::digest_of(text).hex(); };
  const std::string text = program_source::may_include_files(source, options)
                               ? text_hash(program_source::preprocess(source, options))
                               : text_hash(source);
  return jit::digest_of(
      std::string_view(fmt::format("OpenCL C|{}|{}|{}", text, fmt::join(options, "\n"), jit::build_identity())));
}

/// The program of that key: from the disk cache, or made.
lowered_program find_or_make(const jit::digest &key, const std::function<lowered_program()> &make) {
  const jit::disk_cache cache = jit::disk_cache::from_environment();
  const auto find = [&]() -> std::optional<lowered_program> {
    const std::optional<jit::cache_entry> entry = cache.find(key);
    return entry ? program_contents::from_bytes(entry->kernel.object) : std::nullopt;
  };
  if (auto found = find()) return *std::move(found);
  const jit::disk_cache::claim claim = cache.claim_for(key);
  if (auto found = find()) return *std::move(found);
  lowered_program made = make();
  jit::cache_entry entry;
  entry.kernel.object = program_contents::to_bytes(made);
  entry.kernel.report.name = "program";
  cache.store(key, entry);
  return made;
}

using kernel_list = std::shared_ptr<const std::vector<program_kernel>>;

/// Kernels whose code is compiled when they are launched.
kernel_list kernels_of(lowered_program made, const jit::digest &key) {
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
kernel_list request(const jit::digest &key, const std::function<lowered_program()> &make) {
  static auto &pending = *new jit::shared_work<jit::digest, kernel_list>;  // never destroyed: threads may outlive exit
  const auto find_none = [] { return std::optional<kernel_list>(); };
  return pending.share(key, find_none, [&] { return kernels_of(find_or_make(key, make), key); });
}

jit::digest key_of_module(std::string_view format, std::span<const std::byte> module) {
  return jit::digest_of(
      std::string_view(fmt::format("{}|{}|{}", format, jit::digest_of(module).hex(), jit::build_identity())));
}

}  // namespace

program program::from_opencl_source(std::string_view source, std::string_view options) {
  if (source.find('\0') != source.npos)
    throw exception(errc::build, "create_program_from_source: the source has a NUL character");
  const std::vector<std::string> words = program_source::parse_options(options);
  return program(
      request(key_of(source, words), [&] { return program_lower::lower(program_source::compile(source, words)); }));
}

program program::from_spirv(std::span<const std::byte> module) {
  return program(request(key_of_module("SPIR-V", module), [&] {
    return program_lower::lower({reinterpret_cast<const unsigned char *>(module.data()), module.size()});
  }));
}

program program::from_bitcode(std::span<const std::byte> module) {
  constexpr std::array magic{std::byte{'B'}, std::byte{'C'}, std::byte{0xC0}, std::byte{0xDE}};
  if (module.size() < magic.size() || !std::ranges::equal(module.first(magic.size()), magic))
    throw exception(errc::build, "create_program_from_bitcode: the bytes are not LLVM bitcode");
  return program(request(key_of_module("bitcode", module),
                         [&] { return program_lower::lower(program_source::read_bitcode(module)); }));
}

std::span<const program_kernel> program::kernels() const noexcept {
  if (!kernels_) return {};
  return *kernels_;
}

const program_kernel *program::find(std::string_view name) const noexcept {
  for (const program_kernel &k : kernels())
    if (k.properties->name == name) return &k;
  return nullptr;
}

}  // namespace dpep
