// The structures of DLPack 1.1, as its specification gives them: https://dmlc.github.io/dlpack/latest/c_api.html
#pragma once

#include <cstdint>

#include <dpep/dtype.hpp>

namespace dpep::python::dlpack {

inline constexpr std::uint32_t major_version = 1, minor_version = 1;

enum device_type : std::int32_t { cpu = 1, cuda = 2, cuda_host = 3, cuda_managed = 13, one_api = 14 };
struct device {
  std::int32_t type, id;
};

enum type_code : std::uint8_t { signed_integer = 0, unsigned_integer = 1, real = 2, complex = 5, boolean = 6 };
struct element_type {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};

struct tensor {
  void *data;
  dlpack::device device;
  std::int32_t dimensions;
  element_type type;
  std::int64_t *shape;
  std::int64_t *strides;  // in elements; null for row-major
  std::uint64_t byte_offset;
};

struct managed {
  dlpack::tensor tensor;
  void *context;
  void (*deleter)(managed *);
};

inline constexpr std::uint64_t read_only = 1, copied = 2;
struct managed_versioned {
  std::uint32_t major, minor;
  void *context;
  void (*deleter)(managed_versioned *);
  std::uint64_t flags;
  dlpack::tensor tensor;
};

inline constexpr const char *capsule_name = "dltensor", *used_name = "used_dltensor";
inline constexpr const char *versioned_name = "dltensor_versioned", *used_versioned_name = "used_dltensor_versioned";

}  // namespace dpep::python::dlpack

namespace dpep::python {

dlpack::element_type element_type_of(dtype) noexcept;

}  // namespace dpep::python
