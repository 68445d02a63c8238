// LAPACK on CPUs, by the library that src/libs finds.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <memory>
#include <span>

#include "libs/lapack_more.hpp"
#include "mkl/buffers.hpp"
#include "mkl/lapack.hpp"
#include "runtime/host_function.hpp"
#include "runtime/queue.hpp"

namespace dpep::mkl {
namespace {

using libs::integer;
using libs::is_complex;
using libs::real_type;
using enum lapack::function;

constexpr std::int64_t threaded_size = 64;  // the library uses one thread for smaller matrices
constexpr std::int64_t short_size = 32;     // counts as short before it is measured
constexpr std::size_t items_of_long_work = 128;

/// Scratch memory, or the place of the answers to a query if the sizes are -1.
template <class T> struct workspace {
  T *work;
  real_type<T> *real;
  integer *integers;
  integer work_size = -1, real_size = -1, integers_size = -1;
};

/// Calls the function. Returns its `info`.
template <class T> integer invoke(const lapack::call &c, const libs::cpu_library &library, const workspace<T> &w) {
  using R = real_type<T>;
  const libs::lapack_table<T> &f = library.lapack<T>();
  const libs::lapack_more<T> &more = libs::lapack_more_of(library).of<T>();
  const auto at = [&](std::size_t i) { return static_cast<T *>(const_cast<void *>(c.operands[i].pointer)); };
  const auto pivots = [&] { return static_cast<integer *>(const_cast<void *>(c.operands[1].pointer)); };
  const auto reals = [&] { return static_cast<R *>(const_cast<void *>(c.operands[1].pointer)); };
  const auto step = [&](std::size_t i) { return std::max<integer>(1, c.operands[i].step); };
  const integer m = c.m, n = c.n, k = c.k, s0 = step(0), s1 = step(1), s2 = step(2), s3 = step(3);
  integer info = 0;
  switch (c.what) {
  case getrf:
    f.getrf(&m, &n, at(0), &s0, pivots(), &info);
    break;
  case getri:
    more.getri(&n, at(0), &s0, pivots(), w.work, &w.work_size, &info);
    break;
  case getrs:
    f.getrs(&c.transposed, &n, &k, at(0), &s0, pivots(), at(2), &s2, &info, 1);
    break;
  case potrf:
    f.potrf(&c.triangle, &n, at(0), &s0, &info, 1);
    break;
  case potrs:
    more.potrs(&c.triangle, &n, &k, at(0), &s0, at(1), &s1, &info, 1);
    break;
  case geqrf:
    f.geqrf(&m, &n, at(0), &s0, at(1), w.work, &w.work_size, &info);
    break;
  case orgqr:
    f.orgqr(&m, &n, &k, at(0), &s0, at(1), w.work, &w.work_size, &info);
    break;
  case syevd:
    if constexpr (is_complex<T>)
      f.heevd(&c.job, &c.triangle, &n, at(0), &s0, reals(), w.work, &w.work_size, w.real, &w.real_size, w.integers,
              &w.integers_size, &info, 1, 1);
    else
      f.heevd(&c.job, &c.triangle, &n, at(0), &s0, reals(), w.work, &w.work_size, w.integers, &w.integers_size, &info,
              1, 1);
    break;
  case gesvd:
    if constexpr (is_complex<T>)
      more.gesvd(&c.job, &c.second_job, &m, &n, at(0), &s0, reals(), at(2), &s2, at(3), &s3, w.work, &w.work_size,
                 w.real, &info, 1, 1);
    else
      more.gesvd(&c.job, &c.second_job, &m, &n, at(0), &s0, reals(), at(2), &s2, at(3), &s3, w.work, &w.work_size,
                 &info, 1, 1);
    break;
  case gels: {
    const char transposed = c.transposed == 'N' ? 'N' : is_complex<T> ? 'C' : 'T';
    more.gels(&transposed, &m, &n, &k, at(0), &s0, at(1), &s1, w.work, &w.work_size, &info, 1);
    break;
  }
  }
  return info;
}

/// The sizes of scratch memory: elements of each kind.
struct scratch_sizes {
  integer work = 0, real = 0, integers = 0;
};

template <class T> scratch_sizes sizes_of(const lapack::call &c, const libs::cpu_library &library) {
  switch (c.what) {
  case getrf:
  case getrs:
  case potrf:
  case potrs:
    return {};
  default:
    break;
  }
  T work{};
  real_type<T> real{};
  integer integers = 0;
  lapack::call query = c;
  for (blas::operand &o : query.operands) o.pointer = nullptr;
  invoke<T>(query, library, workspace<T>{&work, &real, &integers});
  const auto size = [](auto answer) {
    return std::max<integer>(1, static_cast<integer>(std::ceil(std::real(answer))));
  };
  scratch_sizes sizes{.work = size(work)};
  if (c.what == syevd) sizes.real = is_complex<T> ? size(real) : 0, sizes.integers = std::max<integer>(1, integers);
  if (c.what == gesvd) sizes.real = is_complex<T> ? 5 * std::max<integer>(1, std::min(c.m, c.n)) : 0;
  return sizes;
}

/// The offsets of the parts in the scratchpad, in bytes.
template <class T> struct scratch_layout {
  explicit scratch_layout(const scratch_sizes &s)
      : integers(rounded(static_cast<std::size_t>(s.work) * sizeof(T))),
        real(integers + static_cast<std::size_t>(s.integers) * sizeof(integer)),
        bytes(real + static_cast<std::size_t>(s.real) * sizeof(real_type<T>)) {}
  std::size_t integers, real, bytes;

  static std::size_t rounded(std::size_t bytes) {
    return (bytes + sizeof(integer) - 1) / sizeof(integer) * sizeof(integer);
  }
};

/// What the submitting thread and the task share. The one that comes second reports the failure.
struct outcome {
  std::atomic<std::int64_t> info{0};
  std::atomic<bool> one_is_through{false};
  ref<runtime::error_store> errors;
};

struct host_call {
  lapack::call c;
  const libs::cpu_library *library;
  scratch_sizes sizes;
  unsigned threads;
  outcome *result;
};

template <class T> integer run(const host_call &h) {
  const scratch_layout<T> layout(h.sizes);
  auto *const scratch = static_cast<std::byte *>(const_cast<void *>(h.c.scratch.pointer));
  return invoke<T>(h.c, *h.library,
                   workspace<T>{reinterpret_cast<T *>(scratch), reinterpret_cast<real_type<T> *>(scratch + layout.real),
                                reinterpret_cast<integer *>(scratch + layout.integers), h.sizes.work, h.sizes.real,
                                h.sizes.integers});
}

/// Calls `f` with a number of the type.
template <class F> auto with_type(dtype type, F f) {
  switch (type) {
  case dtype::float32:
    return f(float());
  case dtype::float64:
    return f(double());
  case dtype::complex64:
    return f(std::complex<float>());
  default:
    return f(std::complex<double>());
  }
}

void run_call(const void *arguments, const geometry *, std::size_t, std::size_t, std::byte *, std::size_t) {
  const auto &h = *static_cast<const host_call *>(arguments);
  integer info = 0;
  {
    const libs::thread_limit limit(*h.library, h.threads);
    info = with_type(h.c.type, [&](auto number) { return run<decltype(number)>(h); });
  }
  if (info <= 0) return;
  h.result->info = info;
  if (h.result->one_is_through.exchange(true)) h.result->errors->report(error_of(h.c, info));
}
constexpr runtime::host_function lapack_function{"lapack", run_call, true};

const libs::cpu_library &library_for(const lapack::call &c) {
  const libs::cpu_library &library = libs::require_cpu_library("lapack");
  const bool has = with_type(c.type, [&](auto number) {
    const auto &more = libs::lapack_more_of(library).of<decltype(number)>();
    switch (c.what) {
    case getri:
      return more.getri != nullptr;
    case potrs:
      return more.potrs != nullptr;
    case gesvd:
      return more.gesvd != nullptr;
    case gels:
      return more.gels != nullptr;
    default:
      return true;
    }
  });
  if (!has) refuse_unimplemented(c, library.title + " does not have it");
  return library;
}

}  // namespace

std::int64_t scratchpad_size_on_host(const queue &, const lapack::call &c) {
  const libs::cpu_library &library = library_for(c);
  return with_type(c.type, [&](auto number) {
    using T = decltype(number);
    const std::size_t bytes = scratch_layout<T>(sizes_of<T>(c, library)).bytes;
    return static_cast<std::int64_t>(std::max<std::size_t>(1, (bytes + sizeof(T) - 1) / sizeof(T)));
  });
}

event submit_to_host(const queue &where, const lapack::call &c, dependencies after) {
  runtime::queue_object &q = runtime::implementation_of(where, "lapack");
  const libs::cpu_library &library = library_for(c);
  const auto result = std::make_shared<outcome>();
  result->errors = ref<runtime::error_store>::share(&q.errors());
  const std::int64_t size = std::max(c.m, c.n);
  const host_call h{.c = c,
                    .library = &library,
                    .sizes = with_type(c.type, [&](auto number) { return sizes_of<decltype(number)>(c, library); }),
                    .threads = size >= threaded_size ? q.target.info().max_compute_units : 1,
                    .result = result.get()};
  const int variant = (static_cast<int>(c.what) * dtype_count + static_cast<int>(c.type)) * 64 +
                      static_cast<int>(std::bit_width(static_cast<std::uint64_t>(size * size)));
  const std::size_t items = size <= short_size ? 1 : items_of_long_work;
  backend::launch_command command{
      runtime::code_of(lapack_function, variant, where.get_device()), {}, std::as_bytes(std::span(&h, 1)), 0, {}};
  command.work.global[0] = command.work.local[0] = items;
  event done = q.launch(command, after);
  if (done) done.keep_alive(result);
  const bool has_failed = done ? result->one_is_through.exchange(true) : result->info > 0;
  if (has_failed) std::rethrow_exception(error_of(c, result->info));
  return done;
}

}  // namespace dpep::mkl
