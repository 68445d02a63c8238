// Device selectors: functions that score devices, and selection by score (SYCL 2020, section 4.6.1.1).
#pragma once

#include <sycl/device.hpp>

namespace sycl {

namespace detail {

/// Selects devices of one kind. All get the same score, so that the first in dpep's order of preference is chosen.
template <aspect Kind> struct kind_selector {
  int operator()(const device &d) const { return d.has(Kind) ? 1 : -1; }
};

struct default_selector_t {
  int operator()(const device &d) const { return d == device() ? 2 : 1; }
};

class aspects_selector {
public:
  aspects_selector(std::vector<aspect> required, std::vector<aspect> denied)
      : required_(std::move(required)), denied_(std::move(denied)) {}
  int operator()(const device &d) const {
    for (const aspect a : required_)
      if (!d.has(a)) return -1;
    for (const aspect a : denied_)
      if (d.has(a)) return -1;
    return 1;
  }

private:
  std::vector<aspect> required_, denied_;
};

template <device_selector Selector>
device select_device(const Selector &selector, const std::vector<device> &all = device::get_devices()) {
  const device *best = nullptr;
  int best_score = -1;
  for (const device &d : all)
    if (const int score = selector(d); score > best_score) best = &d, best_score = score;
  if (best) return *best;
  std::string message = "select device: the selector accepts none of the devices:";
  for (const device &d : all) message += " " + d.filter_string() + " (" + d.info().name + ")";
  throw exception(errc::runtime, message + "; select another kind of device, or check ONEAPI_DEVICE_SELECTOR");
}

}  // namespace detail

inline constexpr detail::default_selector_t default_selector_v;
inline constexpr detail::kind_selector<aspect::cpu> cpu_selector_v;
inline constexpr detail::kind_selector<aspect::gpu> gpu_selector_v;
inline constexpr detail::kind_selector<aspect::accelerator> accelerator_selector_v;

/// Returns a selector of devices with all of the required aspects and none of the denied ones.
inline auto aspect_selector(std::vector<aspect> required, std::vector<aspect> denied = {}) {
  return detail::aspects_selector(std::move(required), std::move(denied));
}
template <class... Aspects>
  requires(std::is_same_v<Aspects, aspect> && ...)
auto aspect_selector(Aspects... required) {
  return detail::aspects_selector({required...}, {});
}
template <aspect... Required> auto aspect_selector() { return detail::aspects_selector({Required...}, {}); }

// SYCL 1.2.1's selector classes, for derivation or instantiation.
class device_selector {
public:
  virtual ~device_selector() = default;
  virtual int operator()(const device &) const = 0;
  device select_device() const { return detail::select_device(*this); }
};
class default_selector : public device_selector {
public:
  int operator()(const device &d) const override { return default_selector_v(d); }
};
class cpu_selector : public device_selector {
public:
  int operator()(const device &d) const override { return cpu_selector_v(d); }
};
class gpu_selector : public device_selector {
public:
  int operator()(const device &d) const override { return gpu_selector_v(d); }
};
class accelerator_selector : public device_selector {
public:
  int operator()(const device &d) const override { return accelerator_selector_v(d); }
};

namespace ext::oneapi {
/// Selects the devices that a filter string names: "gpu", "cuda:gpu:0", "cpu,gpu".
class filter_selector : public device_selector {
public:
  explicit filter_selector(const std::string &filter) : accepted_(dpep::select_devices(filter)) {}
  int operator()(const device &d) const override {
    const auto place = std::find(accepted_.begin(), accepted_.end(), d);
    return place == accepted_.end() ? -1 : static_cast<int>(accepted_.end() - place);
  }

private:
  std::vector<dpep::device> accepted_;
};
}  // namespace ext::oneapi

template <detail::device_selector Selector>
device::device(const Selector &selector) : device(detail::select_device(selector)) {}
template <> inline device::device(const detail::default_selector_t &) : device() {}

}  // namespace sycl
