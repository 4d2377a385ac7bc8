#ifndef WEIR_FIRMWARE_SPARCLE_LIBRARY_UTSNAME_H
#define WEIR_FIRMWARE_SPARCLE_LIBRARY_UTSNAME_H

#ifdef __cplusplus
extern "C" {
#endif

struct utsname {
    char sysname[32];
    char nodename[32]; /* such as "node-3" */
    char release[32];
    char version[32];
    char machine[32];
};

int uname(struct utsname* names);

#ifdef __cplusplus
}
#endif

#endif
