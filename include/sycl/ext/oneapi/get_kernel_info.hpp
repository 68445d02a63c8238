// Queries about a kernel by its name (extension sycl_ext_oneapi_get_kernel_info).
#pragma once

#include <sycl/kernel_bundle.hpp>
#include <sycl/queue.hpp>

namespace sycl::ext::oneapi {

template <class Name, class Descriptor> typename Descriptor::return_type get_kernel_info(const context &with) {
  return get_kernel_bundle<Name, bundle_state::executable>(with)
      .template get_kernel<Name>()
      .template get_info<Descriptor>();
}
template <class Name, class Descriptor>
typename Descriptor::return_type get_kernel_info(const context &with, const device &on) {
  return get_kernel_bundle<Name, bundle_state::executable>(with)
      .template get_kernel<Name>()
      .template get_info<Descriptor>(on);
}
template <class Name, class Descriptor> typename Descriptor::return_type get_kernel_info(const queue &q) {
  return get_kernel_info<Name, Descriptor>(q.get_context(), q.get_device());
}

}  // namespace sycl::ext::oneapi
