// Computes and caches tables for Fourier transforms.
#include "array/gpu/fourier_tables.hpp"

#include <bit>
#include <cmath>
#include <complex>
#include <list>
#include <mutex>
#include <numbers>

#include <dpep/array_functions.hpp>

#include "array/gpu/fourier.hpp"
#include "array/graph/array_object.hpp"

namespace dpep::array::gpu {
namespace {

using std::int64_t;
using numbers = std::vector<std::complex<double>>;

/// exp(-pi i k / n) for 0 <= k < 2 n, each part rounded once; exact where a part is 0 or 1.
std::complex<double> half_turn(int64_t k, int64_t n) {
  const int64_t quarter = 2 * k / n, rest = 2 * k - quarter * n;
  const bool is_beyond = 2 * rest > n;  // 45 degrees
  const auto part = static_cast<long double>(is_beyond ? n - rest : rest) / static_cast<long double>(n);
  const long double angle = std::numbers::pi_v<long double> / 2 * part;
  auto cosine = static_cast<double>(std::cos(angle)), sine = static_cast<double>(std::sin(angle));
  if (is_beyond) std::swap(cosine, sine);
  switch (quarter) {
  case 0:
    return {cosine, -sine};
  case 1:
    return {-sine, -cosine};
  case 2:
    return {-cosine, sine};
  default:
    return {sine, cosine};
  }
}

numbers roots_of(int64_t points) {
  numbers all;
  for (int64_t k = 0; k < points; ++k) all.push_back(half_turn(2 * k, points));
  return all;
}
numbers root_powers_of(int64_t points) {
  const int64_t step = int64_t(1) << root_shift(points);
  numbers all;
  for (int64_t k = 0; k < step; ++k) all.push_back(half_turn(2 * k % (2 * points), points));
  for (int64_t k = 0; k < points; k += step) all.push_back(half_turn(2 * k, points));
  return all;
}
numbers chirp_of(int64_t points) {
  numbers all;
  int64_t square = 0;  // modulo 2 * points
  for (int64_t k = 0; k < points; ++k) {
    all.push_back(half_turn(square, points));
    square = (square + 2 * k + 1) % (2 * points);
  }
  return all;
}
numbers symmetric_chirp_of(int64_t points, int64_t convolution) {
  numbers all(static_cast<std::size_t>(convolution));
  const numbers chirp = chirp_of(points);
  for (std::size_t k = 0; k < chirp.size(); ++k) {
    all[k] = std::conj(chirp[k]);
    if (k > 0) all[all.size() - k] = all[k];
  }
  return all;
}

ndarray upload(const queue &to, dtype type, numbers values) {
  const int64_t shape[] = {int64_t(values.size())}, strides[] = {int64_t(sizeof(values[0]))};
  return from_host({values.data(), dtype::complex128, shape, strides}, type, {to, usm_kind::device});
}

ndarray make(const queue &q, const fourier_table_key &k) {
  switch (k.what) {
  case fourier_table::roots:
    return upload(q, k.type, roots_of(k.points));
  case fourier_table::root_powers:
    return upload(q, k.type, root_powers_of(k.points));
  case fourier_table::chirp:
    return upload(q, k.type, chirp_of(k.points));
  case fourier_table::spectrum:
    break;
  }
  const ndarray chirp = upload(q, k.type, symmetric_chirp_of(k.points, k.convolution));
  const int64_t shape[] = {k.convolution};
  const ndarray spectrum = empty(shape, k.type, {q, usm_kind::device});
  transform_by_kernels({fourier_kind::forward, k.type, k.convolution, 1, 0, chirp, spectrum});
  return spectrum;
}

/// The most recently used tables of all devices.
class table_cache {
public:
  static table_cache &get() {
    static auto &cache = *new table_cache;  // never destroyed: the driver may be gone before static objects are
    return cache;
  }
  std::shared_ptr<std::byte> find(const queue &q, const fourier_table_key &key) {
    const std::lock_guard lock(mutex_);
    for (auto e = entries_.begin(); e != entries_.end(); ++e)
      if (e->key == key && e->where == q.get_device() && e->of == q.get_context()) {
        entries_.splice(entries_.begin(), entries_, e);
        return e->table;
      }
    return nullptr;
  }
  void add(const queue &q, const fourier_table_key &key, std::shared_ptr<std::byte> table, std::size_t bytes) {
    std::list<entry> removed;  // destroyed without the lock
    const std::lock_guard lock(mutex_);
    entries_.push_front({q.get_device(), q.get_context(), key, std::move(table), bytes});
    bytes_ += bytes;
    while (entries_.size() > 1 && (bytes_ > most_bytes || entries_.size() > most_entries)) {
      bytes_ -= entries_.back().bytes;
      removed.splice(removed.end(), entries_, std::prev(entries_.end()));
    }
  }

private:
  struct entry {
    device where;
    context of;
    fourier_table_key key;
    std::shared_ptr<std::byte> table;
    std::size_t bytes;
  };
  static constexpr std::size_t most_bytes = 64 << 20, most_entries = 256;
  std::mutex mutex_;
  std::list<entry> entries_;
  std::size_t bytes_ = 0;
};

}  // namespace

int root_shift(int64_t points) noexcept { return std::bit_width(std::uint64_t(points)) / 2; }

std::shared_ptr<std::byte> find_table(const queue &where, const fourier_table_key &key) {
  if (std::shared_ptr<std::byte> known = table_cache::get().find(where, key)) return known;
  // a queue of its own, so that the wait is for the table only
  const queue own(where.get_context(), where.get_device());
  auto made = std::make_shared<ndarray>(make(own, key));
  made->wait();
  std::byte *const first = implementation_of(*made, "fft").first();
  std::shared_ptr<std::byte> table(made, first);
  table_cache::get().add(where, key, table, std::size_t(made->size()) * size_of(key.type));
  return table;
}

}  // namespace dpep::array::gpu
