// A recursive filter of second order, forwards and backwards, along rows and along columns, of which 64 go side by
// side.
#include "../problems.hpp"

using problem = programs::recursive_problem;

constexpr int together = 64;

static void filter_row(const float *in, float *out, int count) {
  float last = 0, one_before = 0;
  for (int i = 0; i < count; i++) {
    const float value = problem::a0 * in[i] + problem::b1 * last + problem::b2 * one_before;
    out[i] = value;
    one_before = last;
    last = value;
  }
  last = one_before = 0;
  for (int i = count - 1; i >= 0; i--) {
    const float value = problem::a0 * out[i] + problem::b1 * last + problem::b2 * one_before;
    out[i] = value;
    one_before = last;
    last = value;
  }
}

static void filter_columns(const float *in, float *out, int count, int stride) {
  float last[together] = {}, one_before[together] = {};
  for (int i = 0; i < count; i++) {
#pragma omp simd
    for (int k = 0; k < together; k++) {
      const float value = problem::a0 * in[i * stride + k] + problem::b1 * last[k] + problem::b2 * one_before[k];
      out[i * stride + k] = value;
      one_before[k] = last[k];
      last[k] = value;
    }
  }
  std::fill(last, last + together, 0.0f);
  std::fill(one_before, one_before + together, 0.0f);
  for (int i = count - 1; i >= 0; i--) {
#pragma omp simd
    for (int k = 0; k < together; k++) {
      const float value = problem::a0 * out[i * stride + k] + problem::b1 * last[k] + problem::b2 * one_before[k];
      out[i * stride + k] = value;
      one_before[k] = last[k];
      last[k] = value;
    }
  }
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  std::vector<float> by_rows(p.image.size()), filtered(p.image.size());
  const int width = p.width, height = p.height;

  const auto run = [&] {
#pragma omp parallel for
    for (int row = 0; row < height; row++) filter_row(&p.image[row * width], &by_rows[row * width], width);
#pragma omp parallel for
    for (int column = 0; column < width; column += together)
      filter_columns(&by_rows[column], &filtered[column], height, width);
  };
  programs::report("recursive", run, [] {}, [&] { return programs::checksum(filtered); });
}
