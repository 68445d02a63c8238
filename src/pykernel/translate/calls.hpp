// Calls: methods, builtin functions, device functions.
#pragma once

#include "pykernel/translate/arguments.hpp"

namespace dpep::pykernel {

value call(translation &, const expression &);

/// While it exists: the values of the calls in an expression are not used, or only as truth values.
class unused_results {
public:
  unused_results(translation &, const expression &);
  ~unused_results() { ctx_.unused.resize(before_); }
  unused_results(const unused_results &) = delete;
  unused_results &operator=(const unused_results &) = delete;

private:
  void add(const expression &);

  translation &ctx_;
  const std::size_t before_;
};

arguments evaluate_arguments(translation &, const expression &call, std::string name);

}  // namespace dpep::pykernel
