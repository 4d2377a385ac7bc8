#include "nodes/programming/plain_memory.h"

#include <algorithm>

#include "memory/coherence/address_map.h"
#include "nodes/programming/processor.h"

namespace weir::nodes {

PlainMemory::PlainMemory(std::int64_t nodes, hw::Bytes bytes_of_each,
                         hw::Bytes shared_bytes_of_each)
    : bytes_(static_cast<std::uint64_t>(bytes_of_each.count())),
      shared_end_(memory::kSharedBase +
                  static_cast<std::uint64_t>(nodes * shared_bytes_of_each.count())),
      nodes_(nodes) {}

template <class Each>
void PlainMemory::walk(hw::NodeId node, std::uint32_t address, std::size_t bytes, Each each) {
    require_node(node, static_cast<std::int32_t>(nodes_.size()), {});
    const bool is_shared = address >= memory::kSharedBase && address < shared_end_;
    if (std::uint64_t{address} + bytes > (is_shared ? shared_end_ : bytes_)) {
        throw ProgramFault("data outside memory");
    }
    Pages& pages = is_shared ? shared_ : nodes_.at(node);
    for (std::size_t offset = 0; offset < bytes;) {
        const std::uint32_t in_page = (address + offset) % kPageBytes;
        const std::size_t part = std::min<std::size_t>(kPageBytes - in_page, bytes - offset);
        Page& page = pages[static_cast<std::uint32_t>((address + offset) / kPageBytes)];
        each(std::span(page).subspan(in_page, part), offset);
        offset += part;
    }
}

void PlainMemory::write_memory(hw::NodeId node, std::uint32_t address,
                               std::span<const std::uint8_t> data) {
    walk(node, address, data.size(), [&](std::span<std::uint8_t> part, std::size_t offset) {
        std::ranges::copy(data.subspan(offset, part.size()), part.begin());
    });
}

void PlainMemory::read_memory(hw::NodeId node, std::uint32_t address,
                              std::span<std::uint8_t> data) {
    walk(node, address, data.size(), [&](std::span<const std::uint8_t> part, std::size_t offset) {
        std::ranges::copy(part, data.begin() + static_cast<std::ptrdiff_t>(offset));
    });
}

}  // namespace weir::nodes
