// Data and execution of random programs, comparison of results, and reduction of failing programs.
#include "spmd/random_kernel/run.hpp"

#include <functional>

#include "backend/common/crash.hpp"
#include "spmd/random_kernel/generator.hpp"
#include "spmd/random_kernel/interpreter.hpp"
#include "spmd/random_kernel/printer.hpp"

namespace dpep::test::random_program {
namespace {

geometry launch_of(const shape &launch) {
  geometry work;
  work.dimensions = launch.dimensions;
  work.offset = launch.offset;
  for (unsigned d = 0; d < 3; ++d) work.global[d] = launch.groups[d] * launch.local[d];
  if (launch.grouped)
    for (unsigned d = 0; d < launch.dimensions; ++d) work.local[d] = launch.local[d];
  return work;
}

/// The arguments, in order; the last one is the number of work-items.
std::vector<void *> arguments_of(data &data, const shape &launch) {
  std::vector<void *> arguments;
  for (auto *all : {&data.in, &data.out})
    for (std::vector<std::byte> &each : *all) arguments.push_back(each.data());
  arguments.push_back(data.same.data());
  arguments.push_back(data.bins32.data());
  arguments.push_back(data.bins64.data());
  arguments.push_back(data.group_words.data());
  arguments.push_back(data.result.data());
  arguments.push_back(reinterpret_cast<void *>(launch.items()));
  return arguments;
}

void run(const formed_kernel &kernel, const program &program, data &data) {
  const geometry work = launch_of(program.launch);
  const auto arguments = arguments_of(data, program.launch);
  const std::size_t local = program.launch.grouped ? 16 * program.launch.group_size() : 0;
  const std::size_t units = program.launch.group_count(), some = units * 2 / 3;  // in two spans, as two threads would
  kernel.run(work, arguments.data(), 0, some, local);
  kernel.run(work, arguments.data(), some, units, local);
}

std::string compare(const data &got, const data &expected) {
  const auto at = [](const char *what, std::size_t index, bits x, bits y) {
    char text[160];
    std::snprintf(text, sizeof text, "%s[%zu] is %#llx instead of %#llx\n", what, index,
                  static_cast<unsigned long long>(x), static_cast<unsigned long long>(y));
    return std::string(text);
  };
  std::string found;
  for (std::size_t t = 0; t < all_types.size(); ++t)
    for (std::size_t i = 0; i < got.out[t].size() / bytes_of(all_types[t]); ++i) {
      const bits x = read(got.out[t], all_types[t], i), y = read(expected.out[t], all_types[t], i);
      if (!same(all_types[t], x, y)) found += at((std::string("out.") + name_of(all_types[t])).c_str(), i, x, y);
    }
  for (std::size_t i = 0; i < got.result.size(); ++i) {
    const std::size_t part = i % results, uniform = variables.size() + uniform_variables.size();
    const type of = part < variables.size() ? variables[part]
                    : part < uniform        ? uniform_variables[part - variables.size()]
                    : part == uniform       ? type::i32
                                            : type::f64;
    const bits unused = bits_of(of) == 64 ? 0 : ~bits{0} << bits_of(of);  // unchanged by the kernel
    const bits x = got.result[i], y = expected.result[i];
    if ((x & unused) != (y & unused) || !same(of, x & ~unused, y & ~unused)) found += at("result", i, x, y);
  }
  const auto all = [&](const char *what, const auto &x, const auto &y) {
    for (std::size_t i = 0; i < x.size(); ++i)
      if (x[i] != y[i]) found += at(what, i, x[i], y[i]);
  };
  all("counts32", got.bins32, expected.bins32);
  all("counts64", got.bins64, expected.bins64);
  all("words", got.group_words, expected.group_words);
  for (std::size_t t = 0; t < all_types.size(); ++t)
    if (got.in[t] != expected.in[t]) found += "an input was written\n";
  return found.substr(0, 2000);
}

// Numbered edits of a program. The result of each is a valid program, too.
class editor {
public:
  explicit editor(std::size_t wanted) : left_(wanted) {}
  bool edit(program &program) { return edit(program.group_code) || edit(program.item_code); }

private:
  bool now() { return left_-- == 0; }
  bool edit(block &body) {
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (now()) {
        body.erase(body.begin() + static_cast<std::ptrdiff_t>(i));
        return true;
      }
      for (block statement::*part : {&statement::body, &statement::other})
        if (body[i].what == action::branch && !(body[i].*part).empty() && now()) {
          block inner = std::move(body[i].*part);
          body.erase(body.begin() + static_cast<std::ptrdiff_t>(i));
          body.insert(body.begin() + static_cast<std::ptrdiff_t>(i), inner.begin(), inner.end());
          return true;
        }
      statement &s = body[i];
      if (edit(s.value) || edit(s.index) || edit(s.body) || edit(s.other)) return true;
      for (block &each : s.cases)
        if (edit(each)) return true;
    }
    return false;
  }
  bool edit(expression &e) {
    for (const std::uint32_t number : {0u, 1u})
      if (e.what != expression::kind::constant && now()) {
        const type of = e.of;
        e = expression();
        e.of = of;
        e.number = number;
        return true;
      }
    for (std::size_t i = 0; i < e.operands.size(); ++i) {
      if (e.operands[i].of == e.of && now()) {
        expression inner = std::move(e.operands[i]);
        e = std::move(inner);
        return true;
      }
      if (edit(e.operands[i])) return true;
    }
    return false;
  }
  std::size_t left_;
};

}  // namespace

program make_program(std::uint32_t seed) { return generator(seed).make(); }

data make_data(const program &program, std::uint32_t seed) {
  std::mt19937_64 random(seed);
  const shape &launch = program.launch;
  data made;
  for (std::size_t t = 0; t < all_types.size(); ++t) {
    const type of = all_types[t];
    made.in[t].resize((4 * launch.items() + 16) * bytes_of(of));
    made.out[t].resize(own_elements * launch.items() * bytes_of(of));
    for (auto *each : {&made.in[t], &made.out[t]})
      for (std::size_t i = 0; i < each->size() / bytes_of(of); ++i) {
        const std::uint64_t x = random();
        const bool small = x % 5 == 0;
        const bits number = is_float(of) ? converted(type::f64, of, to_bits((static_cast<double>(x % 2001) - 1000) / 8))
                                         : (x >> 8) & (small ? 7 : ~bits{0});
        write(*each, of, i, number);
      }
  }
  for (std::size_t group = 0; group < launch.group_count(); ++group)
    made.group_words.insert(made.group_words.end(), 4, 1);
  std::vector<std::uint32_t> same_of(launch.group_count());
  for (std::uint32_t &each : same_of) each = static_cast<std::uint32_t>(random());
  made.same.resize(launch.items());
  made.bins32.resize(atomic_names.size() * bins);
  made.bins64.resize(atomic_names.size() * bins);
  for (auto &each : made.bins32) each = static_cast<std::uint32_t>(random());
  for (auto &each : made.bins64) each = random();
  made.result.assign(launch.items() * results, 0x5a5a5a5a5a5a5a5a);
  for (std::size_t group = 0; group < launch.group_count(); ++group)
    for (const std::size_t global : interpreter(program, made, group).members()) made.same[global] = same_of[group];
  return made;
}

data interpreted(const program &program, data memory) {
  for (std::size_t group = 0; group < program.launch.group_count(); ++group) interpreter(program, memory, group).run();
  return memory;
}

std::optional<std::string> difference(const program &program, const compilation &how, data memory, const data &expected,
                                      kernel_report *report) {
  std::string found;
  try {
    const jit::specialisation special = specialisation_of(launch_of(program.launch), program.launch.sub_group_size);
    const formed_kernel kernel(printer(program).kernel(), special, how.optimise, how.machine);
    if (report) *report = kernel.report();
    if (const auto crash = backend::crash_of([&] { run(kernel, program, memory); }))
      found = *crash;
    else
      found = compare(memory, expected);
  } catch (const std::exception &error) {
    found = error.what();
  }
  return found.empty() ? std::nullopt : std::optional(found);
}

program reduced(program whole, const std::function<bool(const program &)> &fails) {
  for (std::size_t number = 0;;) {
    program smaller = whole;
    if (!editor(number).edit(smaller)) return whole;
    if (fails(smaller))
      whole = std::move(smaller);
    else
      ++number;
  }
}

}  // namespace dpep::test::random_program
