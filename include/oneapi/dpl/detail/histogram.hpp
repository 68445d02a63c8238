// Histograms.
#pragma once

#include <oneapi/dpl/detail/ordering.hpp>
#include <sycl/local_accessor.hpp>

namespace oneapi::dpl {
namespace detail {

/// Counts bin_of(element) < bins of n elements; larger bins are not counted.
template <class From, class To, class Bin>
void count_bins(call &c, const From &from, std::size_t n, const To &to, std::size_t bins, const Bin &bin_of) {
  if (!bins) return;
  if (c.on_host()) {  // each thread has bins of its own
    const std::size_t most = std::max<std::size_t>(1, n / std::max<std::size_t>(bins, 4096));
    const std::size_t parts = std::min(c.threads(), most), length = (n + parts - 1) / parts;
    std::uint64_t *const counts = c.scratch<std::uint64_t>(parts * bins);
    c.fill_zero(counts, parts * bins);
    c.for_each_block(parts, [=](std::size_t p) {
      const std::size_t first = p * length < n ? p * length : n, last = n - first < length ? n : first + length;
      std::uint64_t *const own = counts + p * bins;
      for (std::size_t i = first; i < last; ++i)
        if (const std::size_t bin = bin_of(from[at(i)]); bin < bins) ++own[bin];
    });
    c.for_each_index(bins, [=](std::size_t bin) {
      std::uint64_t sum = 0;
      for (std::size_t p = 0; p < parts; ++p) sum += counts[p * bins + bin];
      to[at(bin)] = static_cast<value_of<To>>(sum);
    });
    return;
  }
  std::uint32_t *const counts = c.scratch<std::uint32_t>(bins);
  c.fill_zero(counts, bins);
  constexpr std::size_t items = 256;
  const std::size_t groups = std::clamp<std::size_t>(n / (items * 16), 1, 1024);
  using in_group = sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::work_group>;
  using in_device = sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::device>;
  const bool is_local = bins <= 8192;
  c.submit([&](sycl::queue &q, const std::vector<sycl::event> &after) {
    return q.submit([&](sycl::handler &h) {
      h.depends_on(after);
      const sycl::local_accessor<std::uint32_t, 1> local(is_local ? bins : 1, h);
      h.parallel_for(sycl::nd_range<1>(groups * items, items), [=](sycl::nd_item<1> item) {
        const std::size_t me = item.get_local_id(0);
        if (is_local)
          for (std::size_t bin = me; bin < bins; bin += items) local[bin] = 0;
        sycl::group_barrier(item.get_group());
        for (std::size_t i = item.get_global_id(0); i < n; i += item.get_global_range(0)) {
          const std::size_t bin = bin_of(from[at(i)]);
          if (bin >= bins) continue;
          if (is_local)
            in_group(local[bin]).fetch_add(1);
          else
            in_device(counts[bin]).fetch_add(1);
        }
        sycl::group_barrier(item.get_group());
        if (is_local)
          for (std::size_t bin = me; bin < bins; bin += items)
            if (local[bin]) in_device(counts[bin]).fetch_add(local[bin]);
      });
    });
  });
  c.for_each_index(bins, [=](std::size_t bin) { to[at(bin)] = static_cast<value_of<To>>(counts[bin]); });
}

}  // namespace detail

/// Counts the elements in `bins` bins of equal width from `low` to `high`, which is in none of them.
template <detail::device_policy P, class In, class Size, class T, class Out>
Out histogram(P &&policy, In first, In last, Size bins, T low, T high, Out result) {
  const std::size_t n = detail::length(first, last), count = static_cast<std::size_t>(bins);
  detail::call c(policy);
  const auto from = c.read(first, n);
  const auto to = c.write(result, count);
  detail::count_bins(c, from, n, to, count, [=](const auto &x) -> std::size_t {
    if (!(x >= low && x < high)) return count;
    if constexpr (std::is_integral_v<T>) {
      using wide = std::uint64_t;
      const wide distance = static_cast<wide>(x) - static_cast<wide>(low),
                 width = static_cast<wide>(high) - static_cast<wide>(low);
      return static_cast<std::size_t>(static_cast<double>(distance) / static_cast<double>(width) *
                                      static_cast<double>(count));
    } else {
      const auto bin = static_cast<std::size_t>((x - low) / (high - low) * static_cast<T>(count));
      return bin < count ? bin : count - 1;
    }
  });
  c.finish();
  return detail::advanced(result, count);
}
/// Counts the elements between successive boundaries; a bin contains its lower one.
template <detail::device_policy P, class In, class Boundaries, class Out>
Out histogram(P &&policy, In first, In last, Boundaries boundary, Boundaries boundary_end, Out result) {
  const std::size_t n = detail::length(first, last), edges = detail::length(boundary, boundary_end);
  const std::size_t count = edges ? edges - 1 : 0;
  detail::call c(policy);
  const auto from = c.read(first, n);
  const auto boundaries = c.read(boundary, edges);
  const auto to = c.write(result, count);
  detail::count_bins(c, from, n, to, count, [=](const auto &x) -> std::size_t {
    const std::size_t above = detail::bound<true>(boundaries, edges, x, std::less<>());
    return above == 0 || above == edges ? count : above - 1;
  });
  c.finish();
  return detail::advanced(result, count);
}

}  // namespace oneapi::dpl
