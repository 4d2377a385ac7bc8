#include "hw/dma/dma_memory.h"

#include "hw/controller/controller_registers.h"

namespace weir::hw {

std::optional<std::string> DmaMemory::fault(std::uint32_t address, Bytes bytes) const {
    if (bytes == Bytes(0)) {
        return "a DMA of no bytes";
    }
    const std::string what = "a DMA of " + std::to_string(bytes.count()) + " bytes at address " +
                             std::to_string(address);
    if (address % WEIR_DMA_ALIGNMENT != 0 || bytes.count() % WEIR_DMA_ALIGNMENT != 0) {
        return what + "; accepted: multiples of " + std::to_string(WEIR_DMA_ALIGNMENT);
    }
    if (is_shared(address)) {
        const auto absent = shared_->absent(address, bytes);
        return absent ? std::optional(what + ": " + *absent) : std::nullopt;
    }
    if (Bytes(std::int64_t{address}) + bytes > own_) {
        return what + ", beyond the memory of " + std::to_string(own_.count()) + " bytes";
    }
    return std::nullopt;
}

}  // namespace weir::hw
