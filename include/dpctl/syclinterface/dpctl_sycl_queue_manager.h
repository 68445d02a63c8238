/* The functions of queues, under another name of their header. */
#ifndef DPCTL_SYCL_QUEUE_MANAGER_H
#define DPCTL_SYCL_QUEUE_MANAGER_H

#include "dpctl_sycl_queue_interface.h"

#endif
