// Compiling a kernel, from cache to machine code: the stages on one page.
#include "jit/launch/compiler.hpp"

#include <algorithm>
#include <atomic>
#include <memory>

#include <fmt/format.h>
#include <llvm/Target/TargetMachine.h>

#include <dpep/interrupts.hpp>

#include "backend/common/code_ranges.hpp"
#include "jit/compile/compile_thread.hpp"
#include "jit/launch/assembly.hpp"
#include "jit/compile/build_identity.hpp"
#include "jit/compile/cache.hpp"
#include "jit/launch/checks.hpp"
#include "jit/compile/dump.hpp"
#include "jit/launch/images.hpp"
#include "jit/launch/names.hpp"
#include "jit/compile/required_sizes.hpp"
#include "jit/launch/shared_work.hpp"
#include "jit/compile/show_code.hpp"
#include "jit/compile/stages.hpp"
#include "runtime/progress.hpp"
#include "runtime/trace.hpp"

namespace dpep::jit {
namespace {

cache_entry run_stages(const source &source, specialisation shape, const target &target, backend::device &device,
                       const digest &key, std::string *assembly = nullptr) {
  const runtime::trace::scope traced(source.name, "compile");
  constexpr std::uint64_t stages = 6;
  runtime::compilation_in_progress progress(readable_name(source.name), stages);
  stage_dump dump(source.name, key.hex(), assembly);
  llvm_session session(source.name);
  cache_entry result;
  program program;
  const bool debugged = shape.debugged && target.has_debuggers();
  const auto stage = [&](const char *name, auto step) {
    progress.begin(name);
    {
      const runtime::trace::scope traced(name, "compile stage");
      step();
    }
    check_abandoned();
    if (dump.enabled() && program.module) dump.module(name, *program.module);
  };
  try {
    session.guard([&] {
      std::unique_ptr<llvm::TargetMachine> machine;
      stage("read", [&] {
        program = read(session, source, target);
        hold_to_required_sizes(program, shape, device.info().sub_group_sizes);
      });
      stage("link", [&] { link(session, program, source, target, device.symbols()); });
      stage("specialise", [&] { specialise(program, target, debugged); });
      stage("form", [&] { target.form(program, shape, result.kernel); });
      stage("optimise", [&] {
        machine = target.machine();
        if (debugged)
          leave_as_written(program, *machine, result.kernel.report);
        else
          optimise(program, *machine, result.kernel.report, forced_vector_width());
      });
      stage("generate", [&] {
        target.generate(session, program, *machine, dump, device, result.kernel);
        program.module.reset();  // used up: what is left of it is no stage's result
      });
    });
  } catch (const exception &e) {
    if (session.abandoned()) (void)program.module.release();
    throw exception(e.code(), fmt::format("{}\n({})", e.what(), dump.keep_failed(source.module)));
  } catch (const interrupts::interruption &) {
    if (session.abandoned()) (void)program.module.release();
    throw;
  }
  result.images = std::move(program.images);
  result.kernel.report.name = source.name;
  return result;
}

// The driver makes machine code for the device's own version, which may be newer than any processor of the target's.
digest key_of(const source &source, const specialisation &shape, const target &target, const backend::device &device) {
  return digest_of(fmt::format(
      "{}|{}|{}|{}|{},{},{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", source.hash.hex(), source.name, shape.grouped,
      shape.dimensions, shape.local[0], shape.local[1], shape.local[2], shape.sub_group_size, shape.narrow, shape.tall,
      shape.checked, loop_checks_wanted(), shape.debugged, target.triple(), target.cpu(), target.features(),
      device.info().version, device.info().driver_version, forced_vector_width(), debuggers_watch(), build_identity()));
}

// An entry that took functions from other images is only good while those are the ones registered.
bool images_are_here(const cache_entry &entry) {
  if (entry.images.empty()) return true;
  const std::vector<image_view> here = registered_images();
  return std::ranges::all_of(entry.images, [&](const digest &wanted) {
    return std::ranges::any_of(here, [&](const image_view &image) { return image.hash == wanted; });
  });
}

struct result {
  cache_entry entry;
  bool from_disk;
};
using shared_result = std::shared_ptr<const result>;

struct compilation {
  std::vector<unsigned char> module;
  source from;
  shared_result made;
};

// Compilations under way: who wants the same one waits for it; different ones run beside each other.
shared_work<digest, shared_result> &under_way() {
  static auto *const work = new shared_work<digest, shared_result>;
  return *work;
}

std::atomic<std::uint64_t> compiled_here{0}, found_on_disk{0};

}  // namespace

compile_counts counts() noexcept { return {compiled_here, found_on_disk}; }

ready compile(const source &source, const specialisation &shape, backend::device &device) {
  backend::listen_for_interrupts();
  const target &target = target_for(device);
  const digest key = key_of(source, shape, target, device);
  const disk_cache cache = disk_cache::from_environment();
  const auto make = [&] {
    const auto work = std::make_shared<compilation>();  // of its own: it may outlive this call
    work->module = source.make ? source.make() : std::vector(source.module.begin(), source.module.end());
    work->from = {work->module, source.name, source.hash};
    const auto compile = [work, shape, &target, &device, key, cache] {
      work->made = std::make_shared<const result>(run_stages(work->from, shape, target, device, key), false);
      ++compiled_here;
      cache.keep(key, work->made->entry);
    };
    target.has_long_code_generation() ? run_aside(compile) : compile();
    return work->made;
  };
  const auto find_or_make = [&] {
    const auto kept = [&] {
      std::optional<cache_entry> found = cache.find(key);
      if (!found || !images_are_here(*found)) return shared_result();
      ++found_on_disk;
      return std::make_shared<const result>(*std::move(found), true);
    };
    if (auto found = kept()) return found;
    // Another process may be at it, or have been a moment ago: what it keeps is there when the claim is ours.
    const disk_cache::claim claim = cache.claim_for(key);
    if (auto found = kept()) return found;
    return make();
  };
  const auto load = [&](const result &r) { return ready{target.load(r.entry.kernel, device), r.entry.kernel.report}; };
  // Nothing that is finished is kept here: launch plans are, and the disk cache.
  const auto nothing = [] { return std::optional<shared_result>(); };
  const shared_result found = under_way().share(key, nothing, find_or_make);
  if (!found->from_disk) return load(*found);
  try {
    return load(*found);
  } catch (const exception &e) {
    if (e.code() != errc::build) throw;
  }
  // A driver may refuse what another made, however alike they seem: it is compiled anew, once, in the entry's place.
  return load(*under_way().share(digest_of(key.hex() + " anew"), nothing, make));
}

std::string assembly_of(const source &source, const specialisation &shape, backend::device &device) {
  const target &target = target_for(device);
  struct source whole = source;
  const std::vector<unsigned char> module = source.make ? source.make() : std::vector<unsigned char>();
  if (source.make) whole.module = module;
  std::string text;
  run_stages(whole, shape, target, device, key_of(source, shape, target, device), &text);
  return text;
}

bool has_grids(const backend::device &device) { return target_for(device).has_grids(); }
std::size_t most_group_items(const backend::device &device) { return target_for(device).most_group_items(); }
bool prefers_narrow(const backend::device &device) { return target_for(device).prefers_narrow_ids(); }

}  // namespace dpep::jit
