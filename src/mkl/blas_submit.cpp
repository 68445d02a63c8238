// Submits calls of BLAS: checks them, prepares buffers, and chooses the library by the device.
#include <vector>

#include <oneapi/mkl/exceptions.hpp>

#include "backend/native.hpp"
#include "mkl/blas.hpp"
#include "runtime/queue.hpp"

namespace dpep::blas {
namespace {

template <class Call> event submit_to_device(const queue &where, const Call &c, dependencies after) {
  backend::device &device = runtime::implementation_of(where, "blas").code_target;
  if (device.capabilities().host_accessible) return mkl::submit_to_host(where, c, after);
  if (dynamic_cast<backend::native_device *>(&device)) return mkl::submit_to_cuda(where, c, after);
  if constexpr (requires { c.what; })
    throw ::oneapi::mkl::unsupported_device("blas", mkl::name_of(c.what), where.get_device());
  else
    throw ::oneapi::mkl::unsupported_device("blas", "gemm_batch", where.get_device());
}

}  // namespace

event submit(const queue &where, const call &c, dependencies after) {
  mkl::check(c);
  const auto in_buffer = [](const operand &o) { return o.memory != nullptr; };
  if (std::ranges::none_of(c.operands, in_buffer)) return submit_to_device(where, c, after);
  call with_pointers = c;
  std::vector<operand *> operands;
  for (operand &o : with_pointers.operands) operands.push_back(&o);
  return mkl::with_buffers(where, operands, after,
                           [&](dependencies all) { return submit_to_device(where, with_pointers, all); });
}

event submit(const queue &where, const gemm_groups &g, dependencies after) { return submit_to_device(where, g, after); }

}  // namespace dpep::blas
