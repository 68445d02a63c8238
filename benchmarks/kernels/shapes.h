/* The compile-time shapes and constants of the kernels, for C++, OpenCL C and Python (problems.py
   reads the lines). GROUP is a work-group's size; PER_ITEM is the number of elements that a work-item processes. */
#define KDE_DIMENSIONS 7
#define KDE_POINTS 17
#define KDE_GROUP 256
#define KDE_SAMPLES_PER_ITEM 16
#define KDE_EXPONENT -200.0f /* -1 / (2 h^2) for h = 0.05 */

#define NBODY_SOFTENING 1e-3f

#define OPTION_RATE 0.02f
#define OPTION_VOLATILITY 0.30f

#define MANDELBROT_LIMIT 256

#define MATMUL_TILE 16
#define MATMUL_ROWS_PER_ITEM 4

#define REDUCE_GROUP 256
#define REDUCE_PER_ITEM 8

#define SCAN_GROUP 256

#define HISTOGRAM_BINS 256 /* also the work-group's size */
#define HISTOGRAM_PER_ITEM 64

#define STENCIL_RADIUS 2
#define STENCIL_WIDTH 32
#define STENCIL_HEIGHT 8

#define BINOMIAL_STEPS 255 /* a work-group has a work-item for each leaf: one more than steps */

#define BITONIC_SEGMENT 512 /* also the work-group's size */

#define CRC_MESSAGE_BYTES 256
