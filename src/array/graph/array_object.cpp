// Array objects, their storages, and the allocation of such objects.
#include "array/graph/array_object.hpp"

#include <array>
#include <memory>
#include <new>

#include <dpep/array_functions.hpp>
#include <dpep/array_order.hpp>
#include <dpep/interrupts.hpp>
#include <dpep/native.hpp>

#include "array/base/errors.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array {
namespace {

/// Free lists of a thread by block size, in steps of 64 bytes. The first word of a block points to the next.
struct block_lists {
  static constexpr std::size_t step = 64, sizes = 8, max_blocks = 64;
  std::array<void *, sizes> first{};
  std::array<std::uint32_t, sizes> count{};
};
// The initial-exec model needs no call for an access. Few bytes, because static thread-local storage is limited.
thread_local constinit block_lists lists [[gnu::tls_model("initial-exec")]];
thread_local constinit bool thread_exits [[gnu::tls_model("initial-exec")]] = false;

// Frees a thread's blocks at its exit. Not a destructor of `lists`, which must stay usable while other thread-local
// destructors release arrays.
struct block_releaser {
  ~block_releaser() {
    thread_exits = true;
    for (void *&head : lists.first)
      while (head) ::operator delete(std::exchange(head, *static_cast<void **>(head)));
  }
};
thread_local block_releaser releaser;

constexpr std::size_t index_of(std::size_t bytes) noexcept { return (bytes - 1) / block_lists::step; }

}  // namespace

void *allocate_object(std::size_t bytes) {
  const std::size_t i = index_of(bytes);
  if (i < block_lists::sizes) {
    if (void *block = lists.first[i]) {
      lists.first[i] = *static_cast<void **>(block);
      --lists.count[i];
      return block;
    }
    bytes = (i + 1) * block_lists::step;
  }
  return ::operator new(bytes);
}

void free_object(void *block, std::size_t bytes) noexcept {
  const std::size_t i = index_of(bytes);
  if (i >= block_lists::sizes || lists.count[i] == block_lists::max_blocks || thread_exits)
    return ::operator delete(block);
  if (lists.count[i] == 0) static_cast<void>(&releaser);  // constructed with the thread's first block
  *static_cast<void **>(block) = lists.first[i];
  lists.first[i] = block;
  ++lists.count[i];
}

namespace {

/// Memory, and whether it may be reused in the order of the queue.
std::pair<void *, bool> memory_for(const queue &q, usm_kind kind, std::size_t bytes) {
  runtime::queue_memory_cache *const cache = kind == usm_kind::device ? deferred_queue::of(q).memory() : nullptr;
  if (cache)
    if (void *const reused = cache->allocate(bytes)) return {reused, true};
  return {allocate(kind, bytes, 64, q.get_context(), q.get_device()), cache != nullptr};
}

}  // namespace

storage::storage(const dpep::queue &q, usm_kind kind, std::size_t bytes)
    : storage(q, kind, bytes, memory_for(q, kind, bytes)) {}

storage::storage(const dpep::queue &q, usm_kind kind, std::size_t bytes, std::pair<void *, bool> memory)
    : base(static_cast<std::byte *>(memory.first)),
      bytes(bytes),
      kind(kind),
      queue(q),
      in_order(memory.second),
      owned_(true) {}

storage::storage(const dpep::queue &q, usm_kind kind, void *base, std::size_t bytes, std::shared_ptr<void> owner)
    : base(static_cast<std::byte *>(base)), bytes(bytes), kind(kind), queue(q), owner(std::move(owner)) {}

storage::~storage() {
  if (!owned_) return;
  try {
    if (lent_to.load(std::memory_order_relaxed))
      free_after_submitted();
    else if (!in_order)
      dpep::free(base, queue.get_context());
    else if (!deferred_queue::of(queue).memory()->free(base))
      free_after_submitted();
  } catch (const exception &) {       // the user has freed the address: nothing is left to do
  } catch (const std::bad_alloc &) {  // no memory for the keep-alive: a leak is better than memory with two users
  }
}

/// Frees the memory when all submitted work is complete. For memory that the cache does not take, and for memory that
/// other streams use.
void storage::free_after_submitted() {
  // not through queue_object: a thread that processes completion may be here, and must not wait for the deferred
  // queue's mutex
  const event all(ref<object>(runtime::implementation_of(queue).back().submit(backend::barrier_command{}, {})));
  struct deferred_free {
    const context where;
    void *memory;
    ~deferred_free() {
      try {
        if (memory) dpep::free(memory, where);
      } catch (const exception &) {  // as above
      }
    }
  };
  const auto later = std::make_shared<deferred_free>(queue.get_context(), nullptr);
  later->memory = base;
  try {
    all.keep_alive(later);
    if (const std::uintptr_t stream = lent_to.load(std::memory_order_relaxed))
      native::keep_alive_in_stream(queue.get_context(), queue.get_device(), stream, later);
  } catch (...) {
    later->memory = nullptr;  // may be in use: not freed
    throw;
  }
}

array_object::~array_object() {
  if (pending()) forget(*this);
}

array_object &implementation_of(const ndarray &a, const char *operation) {
  if (!a) refuse(refusal::type, "{}: expected an array, got an empty handle", operation);
  return *static_cast<array_object *>(a.get());
}

void finish(const queue &q, const event &done) {
  done.wait();
  q.throw_asynchronous();
}

ndarray make_array(const queue &q, dtype type, layout l, ref<storage> memory, bool writable) {
  return ndarray(ref<object>(make_object<array_object>(q, type, std::move(l), std::move(memory), writable)));
}

ndarray make_empty(const queue &q, dtype type, layout l, usm_kind kind) {
  auto memory = make_object<storage>(q, kind, static_cast<std::size_t>(l.size) * size_of(type));
  return make_array(q, type, std::move(l), std::move(memory));
}

ndarray make_view(array_object &a, layout l) { return make_view(a, a.type, std::move(l)); }

ndarray make_view(array_object &a, dtype type, layout l) {
  if (a.pending())
    if (ndarray view = deferred_queue::of(a.queue).pending_view(a, type, l)) return view;
  return make_array(a.queue, type, std::move(l), a.memory(), a.writable.load(std::memory_order_relaxed));
}

}  // namespace dpep::array

namespace dpep {
namespace {

array::array_object &object_of(const ndarray &a) noexcept { return *static_cast<array::array_object *>(a.get()); }

/// The deleter of an owner that keeps an array's storage.
struct storage_keeper {
  ref<array::storage> kept;
  void operator()(void *) const noexcept {}
};

}  // namespace

dtype ndarray::type() const noexcept { return object_of(*this).type; }
std::span<const std::int64_t> ndarray::shape() const noexcept { return object_of(*this).layout.shape; }
std::span<const std::int64_t> ndarray::strides() const noexcept { return object_of(*this).layout.strides; }
std::int64_t ndarray::size() const noexcept { return object_of(*this).layout.size; }
usm_kind ndarray::memory_kind() const noexcept { return object_of(*this).kind; }
const queue &ndarray::get_queue() const noexcept { return object_of(*this).queue; }
bool ndarray::writable() const noexcept { return object_of(*this).writable.load(std::memory_order_relaxed); }
void ndarray::set_writable(bool yes) const { array::implementation_of(*this, "set_writable").writable.store(yes); }
bool ndarray::row_major() const noexcept { return object_of(*this).layout.row_major; }
bool ndarray::column_major() const noexcept { return object_of(*this).layout.column_major; }

ndarray::memory_view array::expose_in_order(const ndarray &x, std::uintptr_t stream) {
  auto &a = array::implementation_of(x, "expose");
  const ref<array::storage> &memory = a.memory();
  // The owner of a view's memory is passed on. A storage that kept the view's storage instead would make chains of any
  // length, which are destroyed recursively.
  std::shared_ptr<void> owner =
      memory->owner ? memory->owner : std::shared_ptr<void>(memory.get(), storage_keeper{memory});
  if (stream)
    if (const auto *const owned = std::get_deleter<storage_keeper>(owner))
      owned->kept->lent_to.store(stream, std::memory_order_relaxed);
  // In this order: nodes that read the memory and are recorded after the flag is set are computed at once, and those
  // recorded before are computed here.
  memory->exposed.store(true, std::memory_order_seq_cst);
  deferred_queue::of(a.queue).submit_readers({memory->base, memory->base + memory->bytes}, *memory);
  return {memory->base, memory->bytes, a.layout.offset, std::move(owner)};
}

ndarray::memory_view ndarray::expose() const {
  memory_view seen = array::expose_in_order(*this);
  wait();
  return seen;
}

void ndarray::evaluate() const {
  auto &a = array::implementation_of(*this, "evaluate");
  if (a.pending()) array::compute(a);
}

void ndarray::wait() const {
  evaluate();
  const queue &q = get_queue();
  interrupts::wait(array::last_submitted(q));
  q.throw_asynchronous();
}

}  // namespace dpep
