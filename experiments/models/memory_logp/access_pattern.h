#pragma once

#include <cstdint>
#include <vector>

/// What a copying loop does to memory: the loads and stores of the four transfers that Memory logP
/// measures, in the order a load/store machine makes them.
///
/// Source: Cameron and Sun, "Quantifying Locality Effect in Data Access Delay: Memory logP" (2003):
/// Figure 3 is the unpacking loop, section 6 says that which of the two arrays is contiguous was
/// varied to get direct copy, pack and unpack. That a direct copy of non-contiguous data (section
/// 7) has both arrays at the stride is this file's reading. Virtual addresses are physical ones
/// (footnote 3).
///
/// Bytes and counts are whole numbers up to 1e15. Anything else is a ModelError.
namespace weir::experiments::models {

enum class TransferKind {
    kCopy,    ///< loads at the stride, stores at the stride
    kPack,    ///< loads at the stride, stores contiguous
    kUnpack,  ///< loads contiguous, stores at the stride (Figure 3)
    kRead,    ///< loads at the stride, nothing stored
};

struct AccessPattern {
    TransferKind kind = TransferKind::kCopy;
    std::int64_t element_bytes = 0;        ///< w_m: 4 for integers, 8 for floating point
    std::int64_t stride_bytes = 0;         ///< d: from one element's first byte to the next one's
    std::int64_t elements = 0;             ///< moved in a repetition; s is elements * element_bytes
    std::int64_t repetitions = 1;          ///< passes over the same data, one after the other
    std::int64_t source_address = 0;       ///< of the first element loaded
    std::int64_t destination_address = 0;  ///< of the first element stored; not used by kRead
};

/// ModelError unless element_bytes, elements and repetitions are 1 or more, the stride is at least
/// an element, and every byte touched has an address from 0 to 1e15.
void require_access_pattern(const AccessPattern& pattern);

/// The stride at which the source is read.
[[nodiscard]] std::int64_t source_stride_bytes(const AccessPattern& pattern);
/// The stride at which the destination is written.
[[nodiscard]] std::int64_t destination_stride_bytes(const AccessPattern& pattern);
[[nodiscard]] inline bool stores_elements(const AccessPattern& pattern) {
    return pattern.kind != TransferKind::kRead;
}

/// From the first byte of the source array to the first one behind it.
[[nodiscard]] std::int64_t source_extent_bytes(const AccessPattern& pattern);

/// The same transfer of as many elements, ideally distributed: what Memory logP calls o.
[[nodiscard]] AccessPattern contiguous(AccessPattern pattern);

struct MemoryReference {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    bool is_store = false;
};

/// The loads and stores of one repetition in program order: for each element its load, then its
/// store.
[[nodiscard]] std::vector<MemoryReference> references_of_a_repetition(const AccessPattern& pattern);

}  // namespace weir::experiments::models
