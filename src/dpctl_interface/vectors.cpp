// Vectors of dpctl's C interface, strings, arrays and the version.
#include <dpctl/syclinterface/dpctl_service.h>
#include <dpctl/syclinterface/dpctl_sycl_device_manager.h>
#include <dpctl/syclinterface/dpctl_sycl_event_interface.h>
#include <dpctl/syclinterface/dpctl_sycl_platform_manager.h>
#include <dpctl/syclinterface/dpctl_utils.h>

#include "dpctl_interface/references.hpp"

using namespace dpep;
using namespace dpep::dpctl_interface;

#define DPEP_VECTOR(name, element)                                                                                     \
  DPCTL##name##VectorRef DPCTL##name##Vector_Create(void) {                                                            \
    return guarded(__func__, [] { return make_vector<DPCTL##name##VectorRef>(std::vector<element>()); });              \
  }                                                                                                                    \
  DPCTL##name##VectorRef DPCTL##name##Vector_CreateFromArray(size_t count, DPCTLSycl##name##Ref *elements) {           \
    return guarded(__func__, [&] {                                                                                     \
      std::vector<element> all;                                                                                        \
      for (size_t i = 0; i < count; ++i) all.push_back(target(elements[i]));                                           \
      return make_vector<DPCTL##name##VectorRef>(std::move(all));                                                      \
    });                                                                                                                \
  }                                                                                                                    \
  static std::vector<element> &elements_of(DPCTL##name##VectorRef v) {                                                 \
    return *reinterpret_cast<std::vector<element> *>(v);                                                               \
  }                                                                                                                    \
  void DPCTL##name##Vector_Delete(DPCTL##name##VectorRef v) {                                                          \
    if (v) delete &elements_of(v);                                                                                     \
  }                                                                                                                    \
  void DPCTL##name##Vector_Clear(DPCTL##name##VectorRef v) {                                                           \
    if (v) elements_of(v).clear();                                                                                     \
  }                                                                                                                    \
  size_t DPCTL##name##Vector_Size(DPCTL##name##VectorRef v) { return v ? elements_of(v).size() : 0; }                  \
  DPCTLSycl##name##Ref DPCTL##name##Vector_GetAt(DPCTL##name##VectorRef v, size_t index) {                             \
    return guarded(__func__, [&] {                                                                                     \
      if (!v) throw exception(errc::invalid, "the vector is NULL");                                                    \
      return make_reference(elements_of(v).at(index));                                                                 \
    });                                                                                                                \
  }

DPEP_VECTOR(Device, device)
DPEP_VECTOR(Platform, platform)
DPEP_VECTOR(Event, event)

void DPCTLCString_Delete(const char *text) { delete[] text; }
void DPCTLSize_t_Array_Delete(size_t *array) { delete[] array; }

const char *DPCTLService_GetDPCPPVersion(void) { return "2022.0"; }
void DPCTLService_InitLogger(const char *, const char *) {}
void DPCTLService_ShutdownLogger(void) {}
