#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hw/units.h"

namespace weir::hw {

/// What of shared memory a node's DMA engines get at: the lines that lie at the node.
class SharedSegment {
  public:
    SharedSegment() = default;
    SharedSegment(const SharedSegment&) = delete;
    SharedSegment& operator=(const SharedSegment&) = delete;
    virtual ~SharedSegment() = default;

    /// Whether the address is one of shared memory, wherever that lies.
    [[nodiscard]] virtual bool is_shared(std::uint32_t address) const = 0;
    /// The first of so many bytes, from a shared address on, that does not lie at this node, or
    /// lies beyond shared memory; in words. Nothing where all are here.
    [[nodiscard]] virtual std::optional<std::string> absent(std::uint32_t address,
                                                            Bytes bytes) const = 0;
    /// Where a byte that lies at this node is in its DRAM.
    [[nodiscard]] virtual std::uint64_t dram_address(std::uint32_t address) const = 0;
};

/// The memory that a node's DMA engines get at: so many bytes of the node's own, and its lines of
/// shared memory, if there is any.
class DmaMemory {
  public:
    explicit DmaMemory(Bytes own = Bytes(0)) : own_(own) {}
    void connect(const SharedSegment& shared) { shared_ = &shared; }

    /// Why an engine can't move so many bytes from the address on, or nothing: both are multiples
    /// of WEIR_DMA_ALIGNMENT, and all bytes are there.
    [[nodiscard]] std::optional<std::string> fault(std::uint32_t address, Bytes bytes) const;
    /// Where the byte lies, for the memory port.
    [[nodiscard]] std::uint64_t dram_address(std::uint32_t address) const {
        return is_shared(address) ? shared_->dram_address(address) : address;
    }

  private:
    [[nodiscard]] bool is_shared(std::uint32_t address) const {
        return shared_ != nullptr && shared_->is_shared(address);
    }

    Bytes own_;
    const SharedSegment* shared_ = nullptr;
};

}  // namespace weir::hw
