/* The version of dpctl's interface that these headers implement. */
#ifndef DPCTL_CONFIG_H
#define DPCTL_CONFIG_H

#define DPCTL_VERSION "0.20.2"

#endif
