// Scans with a work-item for each row, and definitions shared by all scans.
#include "array/blocks/blocks.hpp"
#include "array/gpu/scan_text.hpp"

namespace dpep::array::gpu {
namespace {

/// The reduction with the same operation as the accumulation.
reduction reduction_like(accumulation how) {
  switch (how) {
  case accumulation::sum:
    return reduction::sum;
  case accumulation::prod:
    return reduction::prod;
  case accumulation::max:
    return reduction::max;
  case accumulation::min:
    return reduction::min;
  case accumulation::logsumexp:
    return reduction::logsumexp;
  }
  return reduction::sum;
}

/// Booleans are added and multiplied as in NumPy: or, and.
std::string functions_of(const scan_task &t) {
  accumulation how = t.how;
  if (t.type == dtype::boolean && how == accumulation::sum) how = accumulation::max;
  if (t.type == dtype::boolean && how == accumulation::prod) how = accumulation::min;
  return fmt::format("dpep_{}_{}", name_of(reduction_like(how)), name_of(t.type));
}
std::size_t state_bytes_of(const scan_task &t) {
  return t.type == dtype::boolean ? 1 : blocks::find_reducer(reduction_like(t.how), t.type)->state_bytes;
}

}  // namespace

scan_text::scan_text(const scan_task &t)
    : task_(t),
      text_(t.outer * t.length * t.inner > std::int64_t(0x7f000000)),
      name_(functions_of(t)),
      bytes_(state_bytes_of(t)),
      type_(ir_type(t.type)) {}

namespace {

class row_scan : scan_text {
  static constexpr std::int64_t group = 256;

public:
  using scan_text::scan_text;

  generated_kernel generate() {
    generated_kernel kernel;
    kernel.local = std::uint32_t(group);
    const std::int64_t rows = task_.outer * task_.inner;
    kernel.groups = (rows + group - 1) / group;
    const std::string row = text_.add(text_.mul(text_.group_id(), std::to_string(group)), text_.local_id());
    text_.if_then(text_.less(row, text_.number("rows", rows)), [&] { write_row(row); });
    kernel.name = "array_accumulate_" + std::string(name_of(task_.how));
    kernel.text = text_.finish(kernel.name, "scan of rows");
    kernel.arguments = text_.take_arguments();
    return kernel;
  }

private:
  void write_row(const std::string &row) {
    const std::string inner = text_.number("inner", task_.inner), length = text_.number("length", task_.length);
    const std::string outside = arithmetic("udiv", row, inner);
    const std::string column = arithmetic("sub", row, text_.mul(outside, inner));
    const std::string first = text_.add(text_.mul(text_.mul(outside, length), inner), column);
    const std::string sum = state(), element = text_.variable(type_, 16),
                      position = text_.variable(text_.index_type(), 8);
    start(sum);
    text_.line("store {} 0, ptr {}", text_.index_type(), position);
    const auto step = [&](int count) {
      return [&, count](const std::string &i) {
        std::vector<std::string> indices, elements;
        for (int k = 0; k < count; ++k) {
          indices.push_back(text_.add(first, text_.mul(text_.add(i, std::to_string(k)), inner)));
          elements.push_back(load(0, indices.back()));
        }
        for (std::size_t k = 0; k < indices.size(); ++k) {
          text_.line("store {} {}, ptr {}", type_, elements[k], element);
          take(sum, element);
          result(element, sum);
          store(text_.let("load {}, ptr {}", type_, element), indices[k]);
        }
      };
    };
    text_.loop_on(text_.index_type(), position, "7", length, "8", step(8));
    text_.loop_on(text_.index_type(), position, "0", length, "1", step(1));
  }
};

}  // namespace

generated_kernel generate_row_scan(const scan_task &t) { return row_scan(t).generate(); }

}  // namespace dpep::array::gpu
