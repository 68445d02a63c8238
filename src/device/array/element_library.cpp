// Registers the bitcode of this folder with the JIT's linker. Each file has its own image, since the time to open an
// image grows with its size.
#include <dpep/kernel.hpp>

namespace dpep::device_images {
namespace {

#pragma clang diagnostic ignored "-Wc23-extensions"  // #embed, in C++20

alignas(16) constexpr unsigned char reductions[] = {
#embed DPEP_ARRAY_REDUCTIONS
};
alignas(16) constexpr unsigned char casts[] = {
#embed DPEP_ARRAY_CASTS
};
alignas(16) constexpr unsigned char elements[] = {
#embed DPEP_ARRAY_ELEMENTS
};
alignas(16) constexpr unsigned char results[] = {
#embed DPEP_ARRAY_RESULTS
};
alignas(16) constexpr unsigned char scan_columns[] = {
#embed DPEP_ARRAY_SCAN_COLUMNS
};
alignas(16) constexpr unsigned char scan_tiles[] = {
#embed DPEP_ARRAY_SCAN_TILES
};
alignas(16) constexpr unsigned char masks[] = {
#embed DPEP_ARRAY_MASKS
};
alignas(16) constexpr unsigned char products[] = {
#embed DPEP_ARRAY_PRODUCTS
};
alignas(16) constexpr unsigned char small_products[] = {
#embed DPEP_ARRAY_SMALL_PRODUCTS
};
alignas(16) constexpr unsigned char counts[] = {
#embed DPEP_ARRAY_COUNTS
};
alignas(16) constexpr unsigned char distances[] = {
#embed DPEP_ARRAY_DISTANCES
};
alignas(16) constexpr unsigned char filters[] = {
#embed DPEP_ARRAY_FILTERS
};
alignas(16) constexpr unsigned char keys[] = {
#embed DPEP_ARRAY_KEYS
};
alignas(16) constexpr unsigned char permutations[] = {
#embed DPEP_ARRAY_PERMUTATIONS
};
alignas(16) constexpr unsigned char searches[] = {
#embed DPEP_ARRAY_SEARCHES
};
alignas(16) constexpr unsigned char sort[] = {
#embed DPEP_ARRAY_SORT
};
alignas(16) constexpr unsigned char sparse[] = {
#embed DPEP_ARRAY_SPARSE
};
alignas(16) constexpr unsigned char fourier[] = {
#embed DPEP_ARRAY_FOURIER
};
alignas(16) constexpr unsigned char random[] = {
#embed DPEP_ARRAY_RANDOM
};
alignas(16) constexpr unsigned char random_integers[] = {
#embed DPEP_ARRAY_RANDOM_INTEGERS
};
const device_image images[] = {{reductions, sizeof reductions},
                               {casts, sizeof casts},
                               {elements, sizeof elements},
                               {results, sizeof results},
                               {scan_columns, sizeof scan_columns},
                               {scan_tiles, sizeof scan_tiles},
                               {masks, sizeof masks},
                               {counts, sizeof counts},
                               {distances, sizeof distances},
                               {filters, sizeof filters},
                               {keys, sizeof keys},
                               {permutations, sizeof permutations},
                               {searches, sizeof searches},
                               {products, sizeof products},
                               {small_products, sizeof small_products},
                               {sort, sizeof sort},
                               {sparse, sizeof sparse},
                               {fourier, sizeof fourier},
                               {random, sizeof random},
                               {random_integers, sizeof random_integers}};

}  // namespace
}  // namespace dpep::device_images
