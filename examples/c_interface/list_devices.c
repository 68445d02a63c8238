/* Lists platforms and devices from C, with dpctl's C interface, and sums numbers on the default device.
 *
 *     gcc list_devices.c $(python -m dpctl --includes) $(python -m dpctl --library) -o list_devices
 */
#include <stdio.h>
#include <stdlib.h>

#include "dpctl_sycl_interface.h"

static void list_platforms(void) {
  DPCTLPlatformVectorRef platforms = DPCTLPlatform_GetPlatforms();
  for (size_t i = 0; i < DPCTLPlatformVector_Size(platforms); ++i) {
    DPCTLSyclPlatformRef platform = DPCTLPlatformVector_GetAt(platforms, i);
    const char *name = DPCTLPlatform_GetName(platform);
    printf("platform %zu: %s\n", i, name);
    DPCTLCString_Delete(name);

    DPCTLDeviceVectorRef devices = DPCTLPlatform_GetDevices(platform, DPCTL_ALL);
    for (size_t k = 0; k < DPCTLDeviceVector_Size(devices); ++k) {
      DPCTLSyclDeviceRef device = DPCTLDeviceVector_GetAt(devices, k);
      const char *device_name = DPCTLDevice_GetName(device);
      printf("  device %zu: %s, %u compute units\n", k, device_name, (unsigned)DPCTLDevice_GetMaxComputeUnits(device));
      DPCTLCString_Delete(device_name);
      DPCTLDevice_Delete(device);
    }
    DPCTLDeviceVector_Delete(devices);
    DPCTLPlatform_Delete(platform);
  }
  DPCTLPlatformVector_Delete(platforms);
}

/* Fills memory of the device, copies it back, and adds. */
static long sum_on_device(void) {
  enum { count = 1000 };
  DPCTLSyclDeviceRef device = DPCTLDevice_Create();
  DPCTLSyclQueueRef queue = DPCTLQueue_CreateForDevice(device, NULL, DPCTL_IN_ORDER);
  DPCTLSyclUSMRef memory = DPCTLmalloc_device(count * sizeof(int), queue);
  DPCTLSyclEventRef filled = DPCTLQueue_Fill32(queue, memory, 7, count);
  int values[count];
  DPCTLSyclEventRef copied = DPCTLQueue_MemcpyWithEvents(queue, values, memory, sizeof values, &filled, 1);
  DPCTLEvent_Wait(copied);
  long sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i];
  DPCTLEvent_Delete(filled);
  DPCTLEvent_Delete(copied);
  DPCTLfree_with_queue(memory, queue);
  DPCTLQueue_Delete(queue);
  DPCTLDevice_Delete(device);
  return sum;
}

int main(void) {
  list_platforms();
  printf("sum %ld\n", sum_on_device());
  return EXIT_SUCCESS;
}
