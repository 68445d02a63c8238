// Marks what libdpep.so exports; everything else in it is hidden.
#pragma once

#define DPEP_API __attribute__((visibility("default")))
