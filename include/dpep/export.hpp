// DPEP_API marks the symbols that libdpep.so exports. All others are hidden.
#pragma once

#define DPEP_API __attribute__((visibility("default")))
