#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "firmware/sparcle/elf_image.h"
#include "hw/per_node.h"
#include "hw/units.h"
#include "nodes/programming/machine_shape.h"
#include "nodes/programming/memory_access.h"

namespace weir::firmware {

/// The nodes' memories as seen by the loader of a Sparcle program. Words are big-endian, and
/// variables have names. Data may be allotted from the program's symbol weir_data up to the buffer
/// for saved messages and the stack. Without that symbol no data can be allotted.
class ImageMemory {
  public:
    /// Alignment with which a memory burst of any length begins at a burst boundary.
    static constexpr std::uint32_t kBurstAlignment = 256;

    ImageMemory(const ElfImage& image, const nodes::MachineShape& machine,
                std::uint64_t reserved_bytes, nodes::MemoryAccess& memory);

    [[nodiscard]] const ElfImage& image() const { return image_; }
    [[nodiscard]] std::int32_t node_count() const {
        return static_cast<std::int32_t>(next_.size());
    }

    /// Allots `count` items of `bytes` bytes in a node's memory; returns their address, a multiple
    /// of `alignment`. `what` names the items in a fault. Throws InputFault if the memory is too
    /// small.
    std::uint32_t allot(hw::NodeId node, std::uint64_t count, std::uint32_t bytes,
                        const std::string& what, std::uint32_t alignment = 8);
    /// Allots memory for flags and counts, and fills the memory with zeros.
    std::uint32_t allot_zeros(hw::NodeId node, std::uint64_t count, std::uint32_t bytes,
                              const std::string& what);

    void write_bytes(hw::NodeId node, std::uint32_t address, std::span<const std::uint8_t> bytes) {
        memory_.write_memory(node, address, bytes);
    }
    void write_halfwords(hw::NodeId node, std::uint32_t address,
                         std::span<const std::uint16_t> values) {
        write(node, address, values);
    }
    void write_words(hw::NodeId node, std::uint32_t address,
                     std::span<const std::uint32_t> values) {
        write(node, address, values);
    }
    void write_doubles(hw::NodeId node, std::uint32_t address, std::span<const double> values) {
        write(node, address, values);
    }
    /// Writes to the variable with this name.
    void write_words(hw::NodeId node, std::string_view symbol,
                     const std::vector<std::uint32_t>& values) {
        write<std::uint32_t>(node, image_.address_of(symbol), values);
    }

    [[nodiscard]] std::vector<std::uint8_t> read_bytes(hw::NodeId node, std::uint32_t address,
                                                       std::size_t count) {
        return read<std::uint8_t>(node, address, count);
    }
    [[nodiscard]] std::vector<std::uint32_t> read_words(hw::NodeId node, std::uint32_t address,
                                                        std::size_t count) {
        return read<std::uint32_t>(node, address, count);
    }
    [[nodiscard]] std::vector<double> read_doubles(hw::NodeId node, std::uint32_t address,
                                                   std::size_t count) {
        return read<double>(node, address, count);
    }
    [[nodiscard]] std::uint32_t read_word(hw::NodeId node, std::string_view symbol) {
        return read<std::uint32_t>(node, image_.address_of(symbol), 1).front();
    }

  private:
    template <class T>
    void write(hw::NodeId node, std::uint32_t address, std::span<const T> values);
    template <class T>
    [[nodiscard]] std::vector<T> read(hw::NodeId node, std::uint32_t address, std::size_t count);

    const ElfImage& image_;
    nodes::MemoryAccess& memory_;
    std::uint64_t memory_bytes_;
    std::uint64_t end_;
    hw::PerNode<std::uint64_t> next_;  // first free byte of each node
};

}  // namespace weir::firmware
