// The state of random engines that is too large for a kernel's arguments. <oneapi/mkl/rng.hpp> has the engines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <dpep/queue.hpp>

namespace dpep::random_engines {

/// Words in the memory of the queue's device, freed with the last owner.
DPEP_API std::shared_ptr<std::uint32_t> allocate_words(const queue &, std::size_t count);
/// The 624 words of a Mersenne twister's state: one seed by its authors' init_genrand, others by init_by_array.
DPEP_API void seed_mersenne_twister(std::uint32_t *words, const std::uint32_t *seeds, std::size_t count) noexcept;

}  // namespace dpep::random_engines
