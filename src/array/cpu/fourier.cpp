// Fourier transforms on CPUs: divides lines over threads, and submits.
#include "array/cpu/fourier.hpp"

#include <bit>

#include "array/cpu/fourier_long.hpp"
#include "array/cpu/step_submission.hpp"
#include "array/executor.hpp"
#include "array/graph/array_work.hpp"
#include "array/graph/deferred_queue.hpp"
#include "runtime/device.hpp"
#include "runtime/queue.hpp"

namespace dpep::array::cpu {
namespace {

constexpr std::size_t most_local_bytes = std::size_t{2} << 20;  // scratch memory that threads keep
constexpr std::size_t immediate_numbers = 4096;                 // that the calling thread transforms
constexpr std::size_t immediate_bytes = 160 << 10;

// -- The work functions

struct line_arguments {
  const line_transform *lines;
  std::byte *scratch;  // null: the local memory of the unit's thread
  std::size_t slots;   // units of work, each of which takes every slots-th tile
};

void run_lines(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *local,
               std::size_t) {
  const auto &t = *static_cast<const line_arguments *>(arguments);
  const std::size_t bytes = t.lines->scratch_bytes(), units = t.lines->units();
  for (std::size_t slot = begin; slot < end; ++slot) {
    std::byte *const scratch = t.scratch ? t.scratch + slot * bytes : local;
    for (std::size_t unit = slot; unit < units; unit += t.slots) t.lines->run(unit, scratch);
  }
}

struct step_arguments {
  const long_transform *lines;
  std::size_t step, line;
  std::byte *workspace;
};

void run_step(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *local,
              std::size_t) {
  const auto &t = *static_cast<const step_arguments *>(arguments);
  for (std::size_t unit = begin; unit < end; ++unit) t.lines->run(t.step, t.line, unit, t.workspace, local);
}

constexpr work_step lines_step{"fourier_lines", run_lines}, long_step{"fourier_long_line", run_step};

// -- Submission

/// Steps that follow each other.
class fourier_submission {
public:
  fourier_submission(const fourier_work &w, std::shared_ptr<line_transform> lines)
      : where_(w.x.get_queue()), kind_(w.y.memory_kind()), lines_(std::move(lines)) {
    owners_.push_back(std::make_shared<fourier_work>(w));
    owners_.push_back(lines_);
  }

  /// Tiles of lines, each of which is a unit.
  event submit_lines() {
    lines_->prepare();
    line_arguments t{lines_.get(), nullptr, lines_->units()};
    std::size_t local_bytes = lines_->scratch_bytes();
    if (local_bytes > most_local_bytes) {
      const unsigned threads = runtime::implementation_of(where_, "fft").target.info().max_compute_units;
      t.slots = std::min<std::size_t>(t.slots, threads);
      t.scratch = allocate_workspace(t.slots * local_bytes);
      local_bytes = 0;
    }
    return in_turn([&] { launch(lines_step, std::as_bytes(std::span(&t, 1)), t.slots, local_bytes, 0); });
  }

  /// One long line after the other.
  event submit_long(const std::shared_ptr<const long_transform> &t) {
    owners_.push_back(std::const_pointer_cast<long_transform>(t));
    std::byte *const workspace = allocate_workspace(t->workspace_bytes());
    return in_turn([&] {
      for (std::size_t line = 0; line < lines_->lines(); ++line)
        for (std::size_t step = 0; step < t->steps(); ++step) {
          const step_arguments a{t.get(), step, line, workspace};
          launch(long_step, std::as_bytes(std::span(&a, 1)), t->units(step), t->scratch_bytes(), 1 + int(step));
        }
    });
  }

private:
  /// Memory that later array work of the queue may reuse.
  std::byte *allocate_workspace(std::size_t bytes) {
    const std::int64_t shape[] = {static_cast<std::int64_t>(bytes)};
    const auto memory = std::make_shared<ndarray>(make_empty(where_, dtype::uint8, layout::contiguous(shape), kind_));
    owners_.push_back(memory);
    return implementation_of(*memory, "fft").first();
  }

  template <class F> event in_turn(F submit) {
    event done;
    deferred_queue::of(where_).in_turn([&](const ordered_dependencies &after) {
      done = submit_steps(owners_, [&](event &last) {
        after_ = &after;
        last_ = &last;
        submit();
      });
      return done;
    });
    return done;
  }

  void launch(const work_step &step, std::span<const std::byte> arguments, std::size_t units, std::size_t local_bytes,
              int part) {
    // a code for each order of magnitude, so that run times are measured separately
    const int variant = ((int(lines_->what()) * dtype_count + int(lines_->real())) * 16 + part) * 64 +
                        std::bit_width(lines_->numbers());
    backend::launch_command command{array::code_of(step, variant, where_.get_device()), {}, arguments, local_bytes, {}};
    command.work.global[0] = units;
    const event before = *last_;
    *last_ = runtime::implementation_of(where_, "fft")
                 .launch(command, launched_ ? dependencies(&before, 1) : dependencies(*after_));
    launched_ = true;
  }

  const queue where_;
  const usm_kind kind_;
  const std::shared_ptr<line_transform> lines_;
  owner_list owners_;
  const ordered_dependencies *after_ = nullptr;
  event *last_ = nullptr;
  bool launched_ = false;
};

}  // namespace

event transform(const fourier_work &w) {
  const auto lines = std::make_shared<line_transform>(w);
  fourier_submission work(w, lines);
  const auto long_lines = long_transform::make(lines);
  return long_lines ? work.submit_long(long_lines) : work.submit_lines();
}

bool transform_now(const fourier_work &w) {
  line_transform lines(w);
  if (lines.numbers() * lines.lines() > immediate_numbers) return false;
  lines.prepare();
  if (lines.scratch_bytes() > immediate_bytes) return false;
  alignas(64) std::byte scratch[immediate_bytes];
  for (std::size_t unit = 0; unit < lines.units(); ++unit) lines.run(unit, scratch);
  return true;
}

}  // namespace dpep::array::cpu
