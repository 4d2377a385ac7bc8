/* Order of bytes: a Sparcle node is big-endian. */
#ifndef WEIR_FIRMWARE_SPARCLE_LIBRARY_ENDIAN_H
#define WEIR_FIRMWARE_SPARCLE_LIBRARY_ENDIAN_H

#include <machine/endian.h>

#define __BYTE_ORDER BYTE_ORDER
#define __LITTLE_ENDIAN LITTLE_ENDIAN
#define __BIG_ENDIAN BIG_ENDIAN

#define htobe16(value) ((uint16_t)(value))
#define be16toh(value) ((uint16_t)(value))
#define htole16(value) __builtin_bswap16(value)
#define le16toh(value) __builtin_bswap16(value)
#define htobe32(value) ((uint32_t)(value))
#define be32toh(value) ((uint32_t)(value))
#define htole32(value) __builtin_bswap32(value)
#define le32toh(value) __builtin_bswap32(value)
#define htobe64(value) ((uint64_t)(value))
#define be64toh(value) ((uint64_t)(value))
#define htole64(value) __builtin_bswap64(value)
#define le64toh(value) __builtin_bswap64(value)

#include <stdint.h>

#endif
