// Graphs of commands as CUDA graphs, which the driver launches with one call.
#pragma once

#include <span>
#include <vector>

#include "backend/backend.hpp"
#include "backend/cuda/queue_core.hpp"

namespace dpep::backend::cuda {

class captured_graph final : public prepared_graph {
public:
  /// Null if the steps cannot be captured: they have host functions, or the driver refuses.
  static ref<captured_graph> make(const ref<queue_core> &, std::span<const graph_step>);
  ~captured_graph() override;

  /// Requires the queue's mutex.
  void launch(stream_handle) const;

private:
  /// A kernel of the graph, with the first place where it was launched.
  struct kernel {
    ref<const backend::code> code;
    std::size_t dimensions;
    source_line where;
  };
  explicit captured_graph(const ref<queue_core> &core) : core_(core) {}
  void add_kernel(const launch_command &);

  const ref<queue_core> core_;
  graph_exec_handle executable_ = nullptr;
  std::vector<kernel> kernels_;
};

}  // namespace dpep::backend::cuda
