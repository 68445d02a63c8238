// sycl-ls: lists the devices that SYCL programs can use, and with --verbose their properties.
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include <dpep/device.hpp>

namespace {

void list_devices() {
  for (const dpep::device &d : dpep::all_devices()) {
    const dpep::device_info &info = d.info();
    std::printf("[%s] %s, %s [%s]\n", d.filter_string().c_str(), d.get_platform().name().c_str(), info.name.c_str(),
                info.driver_version.c_str());
  }
}

void describe(const dpep::device &d) {
  const dpep::device_info &i = d.info();
  std::printf("  Device [%s]:\n", d.filter_string().c_str());
  std::printf("    Type        : %s\n    Version     : %s\n    Name        : %s\n", name_of(i.type).data(),
              i.version.c_str(), i.name.c_str());
  std::printf("    Vendor      : %s\n    Driver      : %s\n    Units       : %u\n", i.vendor.c_str(),
              i.driver_version.c_str(), i.max_compute_units);
  std::printf("    Memory      : %llu bytes\n", static_cast<unsigned long long>(i.global_mem_size));
  std::string features;
  for (const auto &[has, name] :
       {std::pair(i.fp16, " fp16"), std::pair(i.fp64, " fp64"), std::pair(i.atomic64, " atomic64"),
        std::pair(i.usm_device, " usm_device_allocations"), std::pair(i.usm_host, " usm_host_allocations"),
        std::pair(i.usm_shared, " usm_shared_allocations"), std::pair(i.usm_system, " usm_system_allocations")})
    if (has) features += name;
  std::string sizes;
  for (const std::size_t size : i.sub_group_sizes) sizes += " " + std::to_string(size);
  std::printf("    Aspects     :%s\n    Sub-groups  :%s\n", features.c_str(), sizes.c_str());
}

}  // namespace

int main(int count, char **words) {
  try {
    const bool verbose = count > 1 && std::strcmp(words[1], "--verbose") == 0;
    if (count > 1 && !verbose)
      return std::printf("sycl-ls [--verbose]: lists the devices that SYCL programs can use, as "
                         "ONEAPI_DEVICE_SELECTOR allows\n"),
             std::strcmp(words[1], "--help") != 0;
    list_devices();
    if (!verbose) return 0;
    std::printf("\nPlatforms: %zu\n", dpep::platform::all().size());
    for (const dpep::platform &p : dpep::platform::all()) {
      std::printf("Platform %s, %s [%s]:\n", p.name().c_str(), p.vendor().c_str(), p.version().c_str());
      for (const dpep::device &d : p.devices()) describe(d);
    }
    return 0;
  } catch (const std::exception &e) {
    std::fprintf(stderr, "sycl-ls: error: %s\n", e.what());
    return 1;
  }
}
