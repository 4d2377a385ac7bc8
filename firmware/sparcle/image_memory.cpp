#include "firmware/sparcle/image_memory.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "firmware/kernel.h"

namespace weir::firmware {

namespace {

// Converts values to the big-endian format of memory, or back.
template <class T>
void swap_bytes(std::vector<T>& values) {
    if constexpr (std::endian::native == std::endian::little) {
        for (T& value : values) {
            auto* const bytes = reinterpret_cast<std::uint8_t*>(&value);
            std::reverse(bytes, bytes + sizeof(T));
        }
    }
}

}  // namespace

ImageMemory::ImageMemory(const ElfImage& image, const nodes::MachineShape& machine,
                         std::uint64_t reserved_bytes, nodes::MemoryAccess& memory)
    : image_(image),
      memory_(memory),
      memory_bytes_(static_cast<std::uint64_t>(machine.memory_bytes.count())),
      end_(memory_bytes_ - std::min(memory_bytes_, reserved_bytes)),
      next_(machine.node_count(), end_) {
    if (const auto* data = image.find_symbol("weir_data"); data != nullptr) {
        std::fill(next_.begin(), next_.end(), data->address);
    }
}

std::uint32_t ImageMemory::allot(hw::NodeId node, std::uint64_t count, std::uint32_t bytes,
                                 const std::string& what, std::uint32_t alignment) {
    std::uint64_t& next = next_.at(node);
    next = (next + alignment - 1) / alignment * alignment;
    const std::uint64_t address = next;
    next += count * bytes;
    if (next > end_) {
        throw InputFault(
            "memory.bytes",
            what + " of node " + std::to_string(node.index()) + " ends at byte " +
                std::to_string(next) +
                ", where its program has the stack and the buffer of overflow traps (from byte " +
                std::to_string(end_) + " on)",
            "at least " + std::to_string(next + (memory_bytes_ - end_)) +
                ", or a smaller workload");
    }
    return static_cast<std::uint32_t>(address);
}

std::uint32_t ImageMemory::allot_zeros(hw::NodeId node, std::uint64_t count, std::uint32_t bytes,
                                       const std::string& what) {
    const std::uint32_t address = allot(node, count, bytes, what);
    write_bytes(node, address, std::vector<std::uint8_t>(count * bytes, 0));
    return address;
}

template <class T>
void ImageMemory::write(hw::NodeId node, std::uint32_t address, std::span<const T> values) {
    std::vector<T> swapped(values.begin(), values.end());
    swap_bytes(swapped);
    memory_.write<T>(node, address, swapped);
}
template void ImageMemory::write(hw::NodeId, std::uint32_t, std::span<const std::uint16_t>);
template void ImageMemory::write(hw::NodeId, std::uint32_t, std::span<const std::uint32_t>);
template void ImageMemory::write(hw::NodeId, std::uint32_t, std::span<const double>);

template <class T>
std::vector<T> ImageMemory::read(hw::NodeId node, std::uint32_t address, std::size_t count) {
    std::vector<T> values(count);
    memory_.read<T>(node, address, values);
    swap_bytes(values);
    return values;
}
template std::vector<std::uint8_t> ImageMemory::read(hw::NodeId, std::uint32_t, std::size_t);
template std::vector<std::uint32_t> ImageMemory::read(hw::NodeId, std::uint32_t, std::size_t);
template std::vector<double> ImageMemory::read(hw::NodeId, std::uint32_t, std::size_t);

}  // namespace weir::firmware
