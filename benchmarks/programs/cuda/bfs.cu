// Breadth-first search, two kernels for each level.
#include "../problems.hpp"
#include "memory.cuh"

using problem = programs::bfs_problem;

__global__ void start(int *distances, unsigned char *frontier, unsigned char *visited, unsigned char *next) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  distances[i] = i ? -1 : 0;
  frontier[i] = visited[i] = i == 0;
  next[i] = 0;
}

__global__ void visit(const int *first, const int *targets, int *distances, unsigned char *frontier,
                      const unsigned char *visited, unsigned char *next) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (frontier[i]) {
    frontier[i] = 0;
    for (int k = first[i]; k < first[i + 1]; k++) {
      const int target = targets[k];
      if (!visited[target]) {
        distances[target] = distances[i] + 1;
        next[target] = 1;
      }
    }
  }
}

__global__ void advance(unsigned char *frontier, unsigned char *visited, unsigned char *next, int *any) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (next[i]) {
    frontier[i] = 1;
    visited[i] = 1;
    next[i] = 0;
    *any = 1;
  }
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  const int n = p.vertices, groups = n / problem::group_size;
  const int *first = to_device(p.first), *targets = to_device(p.targets);
  int *distances = allocate<int>(n), *any = allocate<int>(1);
  auto *frontier = allocate<unsigned char>(n), *next = allocate<unsigned char>(n);
  auto *visited = allocate<unsigned char>(n);

  const auto run = [&] {
    start<<<groups, problem::group_size>>>(distances, frontier, visited, next);
    int more = 1;
    while (more) {
      more = 0;
      cudaMemcpyAsync(any, &more, sizeof(int), cudaMemcpyHostToDevice);
      visit<<<groups, problem::group_size>>>(first, targets, distances, frontier, visited, next);
      advance<<<groups, problem::group_size>>>(frontier, visited, next, any);
      check(cudaMemcpy(&more, any, sizeof(int), cudaMemcpyDeviceToHost));
    }
  };
  programs::report("bfs", run, wait, [&] { return programs::checksum(to_host(distances, n)); });
}
