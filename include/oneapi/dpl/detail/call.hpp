// A call of an algorithm: its queue, memory and launches, and iterators that its kernels can use.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <dpep/graph.hpp>
#include <oneapi/dpl/detail/buffer_iterator.hpp>
#include <oneapi/dpl/detail/iterators.hpp>
#include <oneapi/dpl/detail/policy.hpp>
#include <sycl/nd_range.hpp>
#include <sycl/reduction.hpp>
#include <sycl/usm.hpp>

namespace oneapi::dpl::detail {

template <class It>
concept passed_directly = requires { typename It::is_passed_directly; } && It::is_passed_directly::value;
template <class It>
concept contiguous = std::is_pointer_v<It> || std::contiguous_iterator<It>;
template <class It> using element_of = std::remove_reference_t<std::iter_reference_t<It>>;

/// The launches of a call run in order. Its memory lives until they are complete.
class call {
public:
  template <device_policy P> explicit call(const P &policy) : call(policy.queue()) {}
  explicit call(sycl::queue q)
      : queue_(std::move(q)),
        on_host_(sycl::detail::is_host(queue_)),
        threads_(std::max<std::size_t>(queue_.get_device().info().max_compute_units, 1)) {}
  call(const call &) = delete;
  call &operator=(const call &) = delete;
  ~call() {
    if (last_.get()) try {  // not for calls that finished: the event is empty then
        last_.wait();
      } catch (...) {  // a node of a graph is not waited for
      }
    release();
  }

  sycl::queue &queue() noexcept { return queue_; }
  /// Whether kernels are a few threads with large blocks of work, and read the host's memory.
  bool on_host() const noexcept { return on_host_; }
  std::size_t threads() const noexcept { return threads_; }

  // Iterators for kernels, of n elements from `first` on. All are made before the first launch.
  template <class It> auto read(const It &first, std::size_t n) { return view(first, n, use::read); }
  template <class It> auto write(const It &first, std::size_t n) { return view(first, n, use::write); }
  template <class It> auto update(const It &first, std::size_t n) { return view(first, n, use::read_write); }

  /// Uninitialised memory for kernels, which the host can read if on_host().
  template <class T> T *scratch(std::size_t n) {
    return allocate<T>(on_host_ ? dpep::usm_kind::shared : dpep::usm_kind::device, n);
  }
  /// Memory for one result of a kernel, which the host reads after wait_for_host(). A copy would be another command.
  template <class T> T *result() { return allocate<T>(on_host_ ? dpep::usm_kind::shared : dpep::usm_kind::host, 1); }

  /// f(i) for each i < n, in work-items, which run side by side in vectors on CPUs whatever f does.
  template <class F> void for_each_index(std::size_t n, const F &f) {
    if (n) launched(queue_.parallel_for(sycl::range<1>(n), before(), [=](sycl::id<1> i) { f(i[0]); }));
  }
  /// The same for an f that moves elements only. On CPUs, LLVM's loops take 0.8 of the time of work-items.
  template <class F> void move_each_index(std::size_t n, const F &f) {
    constexpr std::size_t length = 32768;
    if (!on_host_ || n <= length) return for_each_index(n, f);
    for_each_block((n + length - 1) / length, [=](std::size_t b) {
      const std::size_t first = b * length, last = n - first < length ? n : first + length;
      for (std::size_t i = first; i < last; ++i) f(i);
    });
  }
  /// f(i) for each i < n by work-groups of one work-item. CPUs run these as plain loops, which LLVM vectorises.
  template <class F> void for_each_block(std::size_t n, const F &f) {
    if (n)
      launched(queue_.parallel_for(sycl::nd_range<1>(n, 1), before(), [=](sycl::nd_item<1> i) { f(i.get_group(0)); }));
  }
  /// f(group) in `groups` work-groups.
  template <class F> void for_each_group(std::size_t groups, std::size_t items, const F &f) {
    if (groups)
      launched(
          queue_.parallel_for(sycl::nd_range<1>(groups * items, items), before(), [=](sycl::nd_item<1> i) { f(i); }));
  }
  /// f(group, memory) in `groups` work-groups, which have local memory for `elements` values of type T each.
  template <class T, class F>
  void for_each_group_with_memory(std::size_t groups, std::size_t items, std::size_t elements, const F &f) {
    if (!groups) return;
    launched(queue_.submit([&](sycl::handler &h) {
      h.depends_on(before());
      const sycl::local_accessor<T, 1> memory(elements, h);
      h.parallel_for(sycl::nd_range<1>(groups * items, items), [=](sycl::nd_item<1> i) { f(i, &memory[0]); });
    }));
  }
  template <class T> void fill_zero(T *to, std::size_t n) {
    if (on_host_ && !last_.get() && !dpep::graph::recorded_by(queue_))  // a node of a graph fills in each run
      std::fill_n(to, n, T());
    else
      launched(queue_.memset(to, 0, n * sizeof(T), before()));
  }
  /// Calls `submit(queue, events)`, whose event is that of the command.
  template <class Submit> void submit(const Submit &submit) { launched(submit(queue_, before())); }

  /// The values at device address `from`, after all launches.
  template <class T> void fetch(const T *from, T *to, std::size_t n = 1) {
    if (on_host_) {
      wait();
      std::copy_n(from, n, to);
    } else {
      queue_.memcpy(to, from, n * sizeof(T), before()).wait();
      wait();
    }
  }
  /// Waits for the launches, whose results the host then reads.
  void wait_for_host() { wait(); }
  /// Waits, throws what a kernel threw, and makes results visible in the memory that the arguments refer to.
  void finish() {
    wait();
    for (const auto &copy : copies_back_) copy();
    copies_back_.clear();
    release();
  }
  /// The event of the last launch. Waits, if results must be copied or buffers released.
  sycl::event detach() {
    if (!copies_back_.empty() || !buffers_.empty()) finish();
    const sycl::event done = std::exchange(last_, sycl::event());
    if (done.get())
      for (std::shared_ptr<void> &m : memory_) done.keep_alive(std::move(m));
    memory_.clear();
    return done;
  }

private:
  enum class use { read, write, read_write };
  struct used_buffer {
    std::shared_ptr<sycl::detail::buffer_state> state;
    dpep::access access;
    std::size_t offset, bytes;
  };

  template <class T> T *allocate(dpep::usm_kind kind, std::size_t n) {
    const dpep::context &context = static_cast<const dpep::queue &>(queue_).get_context();
    void *const memory =
        dpep::allocate(kind, std::max<std::size_t>(n, 1) * sizeof(T), alignof(T) < 64 ? 64 : alignof(T), context,
                       static_cast<const dpep::queue &>(queue_).get_device());
    memory_.push_back(std::shared_ptr<void>(memory, [context](void *p) { dpep::free(p, context); }));
    return static_cast<T *>(memory);
  }

  // Conversions of iterators.

  template <class It> auto view(const It &first, std::size_t n, use how) {
    if constexpr (contiguous<It>)
      return memory_view(n ? std::to_address(first) : nullptr, n, how);
    else if constexpr (passed_directly<It>)
      return first;
    else
      return copied_view(first, n, how);
  }
  template <class T, class A> auto view(const buffer_iterator<T, A> &first, std::size_t n, use how) {
    return buffer_view(first.get_buffer(), static_cast<std::size_t>(first.position()), n, how);
  }
  template <class It, class F> auto view(const transform_iterator<It, F> &first, std::size_t n, use how) {
    const auto base = view(first.base(), n, how);
    return transform_iterator<std::remove_const_t<decltype(base)>, F>(base, first.functor());
  }
  template <class... It> auto view(const zip_iterator<It...> &first, std::size_t n, use how) {
    return std::apply([&](const It &...base) { return make_zip_iterator(view(base, n, how)...); }, first.base());
  }
  template <class It> auto view(const std::reverse_iterator<It> &first, std::size_t n, use how) {
    const auto count = static_cast<std::ptrdiff_t>(n);
    return backward_iterator(view(first.base() - count, n, how) + count);
  }
  template <class Source, class Map> auto view(const permutation_iterator<Source, Map> &first, std::size_t n, use how) {
    const auto from = source_view(first.base(), how);
    if constexpr (permutation_iterator<Source, Map>::by_function) {
      return permutation_iterator<std::remove_const_t<decltype(from)>, Map>(from, first.map(), first.position());
    } else {
      const auto map = view(first.map() + first.position(), n, use::read);
      return permutation_iterator<std::remove_const_t<decltype(from)>, std::remove_const_t<decltype(map)>>(from, map);
    }
  }
  /// The source of a permutation, whose length is not known.
  template <class It> auto source_view(const It &first, use how) {
    if constexpr (contiguous<It>) {
      const auto p = std::to_address(first);
      if (!on_host_ && !dpep::find_allocation(p))
        throw sycl::exception(sycl::errc::invalid, "permutation_iterator: the source is in the host's memory, and its "
                                                   "length is not known; use USM memory or a buffer");
      return p;
    } else {
      static_assert(passed_directly<It>,
                    "permutation_iterator: the source must be a pointer, an iterator of contiguous "
                    "memory, or begin(buffer)");
      return first;
    }
  }
  template <class T, class A> auto source_view(const buffer_iterator<T, A> &first, use how) {
    const auto at = static_cast<std::size_t>(first.position());
    return buffer_view(first.get_buffer(), at, first.get_buffer().size() - at,
                       how == use::read ? how : use::read_write);
  }

  template <class T, class A>
  std::remove_const_t<T> *buffer_view(const sycl::buffer<T, 1, A> &b, std::size_t at, std::size_t n, use how) {
    if (!n) return nullptr;
    if (!submission_) submission_ = dpep::buffer::lock_submission();
    const auto &state = sycl::detail::buffer_access::state(b);
    state->check(queue_);
    const std::size_t offset = sycl::detail::buffer_access::offset(b) + at * sizeof(T);
    const dpep::access access = how == use::read ? dpep::access::read : dpep::access::read_write;
    std::vector<dpep::event> after;
    void *const start = state->memory.acquire(queue_, access, offset, n * sizeof(T), after);
    for (dpep::event &e : after) before_first_.push_back(std::move(e));
    buffers_.push_back({state, access, offset, n * sizeof(T)});
    return reinterpret_cast<std::remove_const_t<T> *>(static_cast<std::byte *>(start) + offset);
  }
  /// USM memory is used in place, and the host's where the device reads it; otherwise it is copied.
  template <class T> T *memory_view(T *first, std::size_t n, use how) {
    if (on_host_ || !n || dpep::find_allocation(first)) return first;
    using value = std::remove_const_t<T>;
    value *const there = scratch<value>(n);
    if (how != use::write || !std::is_const_v<T>)  // elements that the algorithm does not write keep their values
      before_first_.push_back(queue_.memcpy(there, first, n * sizeof(T)));
    if constexpr (!std::is_const_v<T>)
      if (how != use::read) copies_back_.push_back([=, this] { queue_.memcpy(first, there, n * sizeof(T)).wait(); });
    return there;
  }
  /// Elements of other iterators of the host, as those of std::deque.
  template <class It> auto copied_view(const It &first, std::size_t n, use how) {
    using value = std::iter_value_t<It>;
    const auto values = std::make_shared<std::vector<value>>();
    if constexpr (std::is_convertible_v<std::iter_reference_t<It>, value>)
      values->assign(first, std::next(first, static_cast<std::ptrdiff_t>(n)));
    else
      values->resize(n);
    memory_.push_back(values);
    value *const there = memory_view(values->data(), n, how);
    if constexpr (std::is_assignable_v<std::iter_reference_t<It>, value>)
      if (how != use::read) copies_back_.push_back([=] { std::copy_n(values->begin(), n, first); });
    return there;
  }

  /// The events that the next command waits for. The first one's command also ends the claim of buffers.
  std::vector<sycl::event> before() {
    if (submission_) {
      const dpep::event &use = use_of_buffers_.emplace();
      for (const used_buffer &b : buffers_) b.state->memory.record(use, b.access, b.offset, b.bytes);
      submission_.unlock();
      submission_ = {};
    }
    if (last_.get()) return {last_};
    return std::exchange(before_first_, {});
  }
  void launched(sycl::event e) { last_ = std::move(e); }
  void wait() {
    if (!last_.get()) {
      for (const sycl::event &e : before()) e.wait();
      return;
    }
    const sycl::event done = std::exchange(last_, sycl::event());
    done.wait_and_throw();
  }
  void release() noexcept {
    if (submission_) submission_.unlock(), submission_ = {};
    if (use_of_buffers_) use_of_buffers_->complete(), use_of_buffers_.reset();
    buffers_.clear();
  }

  sycl::queue queue_;
  bool on_host_;
  std::size_t threads_;
  std::vector<sycl::event> before_first_;
  sycl::event last_;
  std::unique_lock<std::mutex> submission_;  // from the first buffer to the first launch
  std::vector<used_buffer> buffers_;
  std::optional<dpep::user_event> use_of_buffers_;  // what other commands on the buffers wait for
  std::vector<std::shared_ptr<void>> memory_;
  std::vector<std::function<void()>> copies_back_;
};

template <class It> std::size_t length(const It &first, const It &last) {
  const auto n = std::distance(first, last);
  return n > 0 ? static_cast<std::size_t>(n) : 0;
}
template <class It> It advanced(It i, std::size_t n) {
  using step = typename std::iterator_traits<It>::difference_type;
  std::advance(i, static_cast<step>(n));
  return i;
}

}  // namespace oneapi::dpl::detail
