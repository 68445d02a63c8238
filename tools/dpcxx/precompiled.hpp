// Precompiled headers: <sycl/sycl.hpp> as each pass compiles it, kept in the cache folder. Nearly all of the time of a
// small program's compilation is that of its headers.
#pragma once

#include <filesystem>
#include <optional>

#include "compile.hpp"

namespace dpcxx {

/// The precompiled headers of the two passes, with their depfiles beside them (.d).
struct precompiled_headers {
  std::filesystem::path device, host;
  std::filesystem::path folder() const { return device.parent_path(); }
};

/// The options with which a pass uses a precompiled header.
command use_device_header(const precompiled_headers &);
command use_host_header(const precompiled_headers &);

/// The headers for this source and the options of its passes. They are made if there are none. Empty if the source
/// might change the meaning of SYCL's header, or if there is no cache folder.
std::optional<precompiled_headers> precompiled_for(const session &, const argument &source, const command &device,
                                                   const command &host);

/// Whether these errors of clang are about a precompiled header that does not fit, because of a changed header for
/// example.
bool is_header_error(const std::string &errors);
/// Removes headers that do not fit.
void discard(const precompiled_headers &) noexcept;

}  // namespace dpcxx
