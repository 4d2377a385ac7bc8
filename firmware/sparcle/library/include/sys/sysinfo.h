#ifndef WEIR_FIRMWARE_SPARCLE_LIBRARY_SYSINFO_H
#define WEIR_FIRMWARE_SPARCLE_LIBRARY_SYSINFO_H

#ifdef __cplusplus
extern "C" {
#endif

/* Number of nodes that run the program's threads; 1 without threads. */
int get_nprocs(void);
int get_nprocs_conf(void);

#ifdef __cplusplus
}
#endif

#endif
