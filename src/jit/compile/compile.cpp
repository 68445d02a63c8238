// Compiles kernels: the disk cache, and the stages from bitcode to machine code.
#include "jit/launch/compiler.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <llvm/Target/TargetMachine.h>

#include <dpep/interrupts.hpp>

#include "backend/common/cancellation.hpp"
#include "jit/compile/build_identity.hpp"
#include "jit/compile/cache.hpp"
#include "jit/compile/compile_thread.hpp"
#include "jit/compile/debug_registration.hpp"
#include "jit/compile/dump.hpp"
#include "jit/compile/required_sizes.hpp"
#include "jit/compile/stages.hpp"
#include "jit/launch/assembly.hpp"
#include "jit/launch/checks.hpp"
#include "jit/launch/images.hpp"
#include "jit/launch/names.hpp"
#include "jit/launch/shared_work.hpp"
#include "jit/targets/target_for.hpp"
#include "runtime/progress.hpp"
#include "runtime/trace.hpp"

namespace dpep::jit {
namespace {

/// Target machines that no compilation uses. A new one parses the features of the processor for itself and for the
/// first function, which takes a quarter of the time of a small kernel.
class spare_machines {
public:
  using machine = std::unique_ptr<llvm::TargetMachine>;

  static spare_machines &get() {
    static auto *const instance =
        new spare_machines;  // never destroyed: kernels may be compiled while the process exits
    return *instance;
  }
  machine take(const target &of) {
    {
      const std::lock_guard lock(mutex_);
      const auto found = std::ranges::find(spare_, key_of(of), &entry::first);
      if (found != spare_.end()) {
        machine taken = std::move(found->second);
        spare_.erase(found);
        return taken;
      }
    }
    return of.machine();
  }
  void give_back(const target &of, machine m) {
    const std::lock_guard lock(mutex_);
    if (spare_.size() < max_spare) spare_.emplace_back(key_of(of), std::move(m));
  }

private:
  using entry = std::pair<std::string, machine>;
  static std::string key_of(const target &t) { return fmt::format("{}|{}|{}", t.triple(), t.cpu(), t.features()); }
  static constexpr std::size_t max_spare = 8;
  std::mutex mutex_;
  std::vector<entry> spare_;
};

cache_entry run_stages(const source &source, specialisation shape, const target &target, backend::device &device,
                       const digest &key, std::string *assembly = nullptr) {
  const runtime::trace::scope traced(source.name, "compile");
  constexpr std::uint64_t stages = 6;
  runtime::compilation_in_progress progress(readable_name(source.name), stages);
  stage_dump dump(source.name, key.hex(), assembly);
  llvm_session session(source.name);
  cache_entry result;
  program program;
  const bool debugged = shape.debugged && target.supports_debuggers();
  const auto stage = [&](const char *name, auto step) {
    progress.begin_stage(name);
    {
      const runtime::trace::scope traced(name, "compile stage");
      step();
    }
    check_cancelled();
    if (dump.enabled() && program.module) dump.module(name, *program.module);
  };
  std::unique_ptr<llvm::TargetMachine> machine;
  try {
    session.guard([&] {
      stage("read", [&] {
        program = read(session, source, target);
        apply_required_sizes(program, shape, device.info());
      });
      stage("link", [&] { link(session, program, source, target, device); });
      stage("specialise", [&] { specialise(program, target, debugged); });
      stage("lower", [&] {
        target.lower_kernel(program, shape, result.kernel);
        result.kernel.needs.variables = device_variables_of(*program.module);
        result.kernel.needs.concurrent_groups = program.concurrent_groups;
      });
      stage("optimise", [&] {
        machine = spare_machines::get().take(target);
        if (debugged)
          optimise_for_debugging(program, *machine, result.kernel.report);
        else
          optimise(program, target, *machine, result.kernel.report, forced_vector_width());
      });
      stage("generate", [&] {
        target.generate(session, program, *machine, dump, device, result.kernel);
        program.module.reset();  // generating code leaves it in an unspecified state, so it must not be dumped
      });
    });
    if (!debugged) spare_machines::get().give_back(target, std::move(machine));
  } catch (const exception &e) {
    if (session.abandoned()) (void)program.module.release(), (void)machine.release();
    throw exception(e.code(), fmt::format("{}\n({})", e.what(), dump.save_failed_input(source.module)));
  } catch (const interrupts::interruption &) {
    if (session.abandoned()) (void)program.module.release(), (void)machine.release();
    throw;
  }
  result.imported_images = std::move(program.imported_images);
  result.kernel.report.name = source.name;
  return result;
}

// The key of the disk cache. Includes the device's version: the driver generates machine code for it, and it may be
// newer than all processors of the target.
digest key_of(const source &source, const specialisation &shape, const target &target, const backend::device &device) {
  std::string words;
  for (const argument_word &w : shape.words) words += fmt::format("{}={},", w.offset, w.value);
  return digest_of(fmt::format(
      "{}|{}|{}|{}|{}|{}|{},{},{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", source.hash.hex(), source.name,
      shape.grouped, shape.dimensions, shape.local[0], shape.local[1], shape.local[2], shape.sub_group_size,
      shape.narrow_ids, shape.linear_groups, shape.small_buffers, words, shape.checked, loop_checks_enabled(),
      shape.debugged, target.triple(), target.cpu(), target.features(), device.info().version,
      device.info().driver_version, forced_vector_width(), debugging_enabled(), build_identity()));
}

// Whether all images that the entry took functions from are registered.
bool has_all_images(const cache_entry &entry) {
  if (entry.imported_images.empty()) return true;
  const std::vector<image_view> registered = registered_images();
  return std::ranges::all_of(entry.imported_images, [&](const digest &imported) {
    return std::ranges::any_of(registered, [&](const image_view &image) { return image.hash == imported; });
  });
}

struct result {
  cache_entry entry;
  bool from_disk;
};
using shared_result = std::shared_ptr<const result>;

// Owns everything that a compilation on another thread uses.
struct compilation {
  std::vector<unsigned char> module;
  source input;
  shared_result output;
};

// Merges concurrent compilations of the same key. Those of different keys run concurrently.
shared_work<digest, shared_result> &pending_compilations() {
  static auto *const work = new shared_work<digest, shared_result>;
  return *work;
}

std::atomic<std::uint64_t> compiled_here{0}, found_on_disk{0};

}  // namespace

compile_counts counts() noexcept { return {compiled_here, found_on_disk}; }

loaded_kernel compile(const source &source, const specialisation &shape, backend::device &device) {
  backend::install_interrupt_handler();
  const target &target = target_for(device);
  const digest key = key_of(source, shape, target, device);
  const disk_cache cache = disk_cache::from_environment();
  const auto make = [&] {
    const auto work = std::make_shared<compilation>();  // owned by the job, which may outlive this call
    work->module = source.make ? source.make() : std::vector(source.module.begin(), source.module.end());
    work->input = {work->module, source.name, source.hash};
    const auto compile = [work, shape, &target, &device, key, cache] {
      work->output = std::make_shared<const result>(run_stages(work->input, shape, target, device, key), false);
      ++compiled_here;
      cache.store(key, work->output->entry);
    };
    target.has_slow_code_generation() ? run_on_compile_thread(compile) : compile();
    return work->output;
  };
  const auto find_or_make = [&] {
    const auto read_cache = [&] {
      std::optional<cache_entry> found = cache.find(key);
      if (!found || !has_all_images(*found)) return shared_result();
      ++found_on_disk;
      return std::make_shared<const result>(*std::move(found), true);
    };
    if (auto found = read_cache()) return found;
    // Another process may be compiling it, or may have just done so. Its entry is stored before it releases its claim.
    const disk_cache::claim claim = cache.claim_for(key);
    if (auto found = read_cache()) return found;
    return make();
  };
  const auto load = [&](const result &r) {
    return loaded_kernel{target.load(r.entry.kernel, device), r.entry.kernel.report};
  };
  // Finished results are not kept here, as launch plans and the disk cache keep them.
  const auto find_none = [] { return std::optional<shared_result>(); };
  // A repeated request on the same thread must not wait for the claim, which the first one holds.
  const shared_result found = pending_compilations().share(key, find_none, find_or_make, make);
  if (!found->from_disk) return load(*found);
  try {
    return load(*found);
  } catch (const exception &e) {
    if (e.code() != errc::build) throw;
  }
  // A driver may reject machine code of another driver although their versions look alike. The kernel is then compiled
  // again, once, and replaces the entry.
  return load(*pending_compilations().share(digest_of(key.hex() + " anew"), find_none, make));
}

std::string assembly_of(const source &source, const specialisation &shape, backend::device &device) {
  const target &target = target_for(device);
  struct source complete = source;
  const std::vector<unsigned char> module = source.make ? source.make() : std::vector<unsigned char>();
  if (source.make) complete.module = module;
  std::string text;
  run_stages(complete, shape, target, device, key_of(source, shape, target, device), &text);
  return text;
}

bool has_grid_limits(const backend::device &device) { return target_for(device).has_grid_limits(); }
std::size_t max_group_items(const backend::device &device) { return target_for(device).max_group_items(); }
bool prefers_narrow_ids(const backend::device &device) { return target_for(device).prefers_narrow_ids(); }
bool uses_small_buffers(const backend::device &device) { return target_for(device).uses_small_buffers(); }

}  // namespace dpep::jit
