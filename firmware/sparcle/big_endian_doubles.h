#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "firmware/sparcle/image_memory.h"
#include "nodes/programming/memory_access.h"

namespace weir::firmware {

/// View of a node's memory for a kernel's twin: converts the twin's doubles to and from the
/// big-endian format.
class BigEndianDoubles final : public nodes::MemoryAccess {
  public:
    explicit BigEndianDoubles(ImageMemory& memory) : memory_(memory) {}

    void write_memory(hw::NodeId node, std::uint32_t address,
                      std::span<const std::uint8_t> data) override {
        std::vector<double> values(data.size() / sizeof(double));
        std::memcpy(values.data(), data.data(), data.size());
        memory_.write_doubles(node, address, values);
    }
    void read_memory(hw::NodeId node, std::uint32_t address,
                     std::span<std::uint8_t> data) override {
        const std::vector<double> values =
            memory_.read_doubles(node, address, data.size() / sizeof(double));
        std::memcpy(data.data(), values.data(), data.size());
    }

  private:
    ImageMemory& memory_;
};

}  // namespace weir::firmware
