// Descriptions of kernel functions in a program's bitcode, for programs that are compiled from source text.
//
// dpcxx -fdpep-program states them behind the functions; src/program/lower/sycl_kernels.cpp reads them. A description
// is the function's address and text, a line each: the kernel's symbol, the registered name, the parameters as written,
// and for each parameter its kind, bytes, alignment, offset, bytes of an element, number of dimensions, and type.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <sycl/ext/oneapi/experimental/free_function_kernels.hpp>

#ifdef __SYCL_DEVICE_ONLY__
extern "C" void __dpep_describe_kernel(const char *text, std::size_t bytes, const void *function);

namespace sycl::detail {

template <class T> constexpr std::string_view type_text() {
  constexpr std::string_view all = __PRETTY_FUNCTION__;  // … [T = float *]
  const std::size_t begin = all.rfind("T = ") + 4;
  return all.substr(begin, all.size() - 1 - begin);
}

/// Writes text; counts only, if there is no memory.
struct text_writer {
  char *to = nullptr;
  std::size_t size = 0;

  constexpr void add(std::string_view text) {
    for (const char c : text) {
      if (to) to[size] = c;
      ++size;
    }
  }
  constexpr void add(std::size_t number) {
    if (number >= 10) add(number / 10);
    const char digit = static_cast<char>('0' + number % 10);
    add(std::string_view(&digit, 1));
  }
};

/// `Text` has the constants `name` and `parameters`.
template <auto *Function, class Text, class Signature = std::remove_pointer_t<decltype(Function)>>
struct kernel_description;
template <auto *Function, class Text, class... A, bool NoThrow>
struct kernel_description<Function, Text, void(A...) noexcept(NoThrow)> {
  static constexpr void write(text_writer &w) {
    for (const std::string_view line : {
             std::string_view(__builtin_sycl_unique_stable_name(free_function_kernel<Function>)),
             std::string_view(Text::name),
             std::string_view(Text::parameters),
         }) {
      w.add(line);
      w.add("\n");
    }
    const std::array<std::string_view, sizeof...(A)> types{type_text<A>()...};
    for (std::size_t i = 0; i < types.size(); ++i) {
      const argument_place &p = free_function<Function>::places[i];
      for (const std::size_t number :
           {static_cast<std::size_t>(p.kind), p.bytes, p.alignment, p.offset, p.element_bytes, p.dimensions}) {
        w.add(number);
        w.add(" ");
      }
      w.add(types[i]);
      w.add("\n");
    }
  }
};
template <class Description> constexpr std::size_t description_size() {
  text_writer counter;
  Description::write(counter);
  return counter.size;
}
template <class Description> constexpr auto description_text() {
  std::array<char, description_size<Description>()> text{};
  text_writer w{text.data()};
  Description::write(w);
  return text;
}
template <class Description> inline constexpr auto description_of = description_text<Description>();

template <auto *Function, class Text>
[[clang::sycl_kernel_entry_point(kernel_description<Function, Text>)]] void describe(const char *) {
  constexpr const auto &text = description_of<kernel_description<Function, Text>>;
  __dpep_describe_kernel(text.data(), text.size(), reinterpret_cast<const void *>(Function));
}

/// Puts the kernel and its description into the program.
template <auto *Function, class Text> bool describe_kernel() {
  define_kernel<Function>();
  describe<Function, Text>(nullptr);
  return true;
}

}  // namespace sycl::detail
#endif
