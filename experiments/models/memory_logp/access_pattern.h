#pragma once

#include <cstdint>
#include <vector>

/// Memory references of a copying loop: loads and stores of the four transfers that Memory logP
/// measures, in the order of a load/store machine.
///
/// Source: Cameron and Sun, "Quantifying Locality Effect in Data Access Delay: Memory logP" (2003):
/// Figure 3 is the unpacking loop. By section 6, direct copy, pack and unpack differ in which of
/// the two arrays is contiguous. The paper does not say how a direct copy of non-contiguous data
/// (section 7) lies; here both arrays have the stride. Virtual addresses equal physical ones
/// (footnote 3).
///
/// Bytes and counts are whole numbers up to 1e15. Anything else is a ModelError.
namespace weir::experiments::models {

enum class TransferKind {
    kCopy,    ///< loads and stores both at the stride
    kPack,    ///< loads at the stride, contiguous stores
    kUnpack,  ///< contiguous loads, stores at the stride (Figure 3)
    kRead,    ///< loads at the stride, no stores
};

struct AccessPattern {
    TransferKind kind = TransferKind::kCopy;
    std::int64_t element_bytes = 0;   ///< w_m: 4 for integers, 8 for floating point
    std::int64_t stride_bytes = 0;    ///< d: distance of adjacent elements' first bytes
    std::int64_t elements = 0;        ///< elements in a repetition; s is elements * element_bytes
    std::int64_t repetitions = 1;     ///< successive passes over the same data
    std::int64_t source_address = 0;  ///< address of the first element loaded
    std::int64_t destination_address =
        0;  ///< address of the first element stored; not used by kRead
};

/// Throws ModelError unless element_bytes, elements and repetitions are 1 or more and the stride is
/// at least one element. Addresses of all accessed bytes must be 0 to 1e15.
void require_access_pattern(const AccessPattern& pattern);

/// The stride at which the source is read.
[[nodiscard]] std::int64_t source_stride_bytes(const AccessPattern& pattern);
/// The stride at which the destination is written.
[[nodiscard]] std::int64_t destination_stride_bytes(const AccessPattern& pattern);
[[nodiscard]] inline bool stores_elements(const AccessPattern& pattern) {
    return pattern.kind != TransferKind::kRead;
}

/// Bytes of memory that the source array spans, from its first byte to the end of its last element.
[[nodiscard]] std::int64_t source_extent_bytes(const AccessPattern& pattern);

/// The same transfer with contiguous arrays, Memory logP's ideal distribution, whose cost is o.
[[nodiscard]] AccessPattern contiguous(AccessPattern pattern);

struct MemoryReference {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    bool is_store = false;
};

/// Loads and stores of one repetition in program order: each element's load, then its store.
[[nodiscard]] std::vector<MemoryReference> references_of_a_repetition(const AccessPattern& pattern);

}  // namespace weir::experiments::models
