// Shapes and strides: the arithmetic of views.
#include "array/layout.hpp"
