/* Anonymous mappings, which are zeroed memory of the heap; files cannot be mapped. */
#ifndef WEIR_FIRMWARE_SPARCLE_LIBRARY_MMAN_H
#define WEIR_FIRMWARE_SPARCLE_LIBRARY_MMAN_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 0x10
#define MAP_ANONYMOUS 0x20
#define MAP_ANON MAP_ANONYMOUS
#define MAP_NORESERVE 0x4000
#define MAP_POPULATE 0x8000
#define MAP_FAILED ((void*)-1)

/* Fails with ENODEV for a file, EINVAL for MAP_FIXED, and ENOMEM. */
void* mmap(void* address, size_t bytes, int protection, int flags, int file, off_t offset);
/* `address` must be a result of mmap(); the whole mapping ends. */
int munmap(void* address, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
