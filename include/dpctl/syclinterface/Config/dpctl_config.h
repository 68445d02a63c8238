/* Which versions of dpctl's interface these headers are. */
#ifndef DPCTL_CONFIG_H
#define DPCTL_CONFIG_H

#define DPCTL_VERSION "0.20.2"

#endif
