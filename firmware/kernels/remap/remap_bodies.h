#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "firmware/shared_findings.h"
#include "hw/units.h"
#include "nodes/programming/machine_shape.h"
#include "nodes/programming/memory_access.h"

namespace weir::firmware {

/// Bodies of a remap's messages: their addresses in the nodes' memories, their contents, and the
/// comparison of received with sent contents.
///
/// Every node's memory holds the thread's send buffers, the handlers' send buffers (if they reply)
/// and the receive buffers, which are used in turn. A body's contents depend on the seed, its
/// sender, its iteration and whether it is a reply. Each received body is compared once, when the
/// program uses it and knows that it is in memory. Unused bodies are compared before the next body
/// is stored in their buffer, or after the run. Filling and comparing take no emulated time; a
/// program's own work on bodies is part of work_cycles and handler_work_cycles.
class RemapBodies {
  public:
    /// Identity of a body.
    struct Origin {
        std::int32_t sender = 0;
        std::uint32_t iteration = 0;  ///< iteration of the requesting node
        /// Node that sent the request; a reply's sender is the other node.
        std::int32_t asking = 0;

        [[nodiscard]] bool is_reply() const { return sender != asking; }
        bool operator==(const Origin& other) const {
            return sender == other.sender && iteration == other.iteration && asking == other.asking;
        }
    };

    struct Layout {
        std::int64_t body_bytes = 0;
        std::int64_t send_buffers = 0;
        std::int64_t reply_buffers = 0;
        std::int64_t receive_buffers = 0;
    };

    /// Address of a node's n-th body to send, to reply with, or to receive.
    [[nodiscard]] std::uint32_t send_buffer(std::size_t n) const {
        return address(n % layout_.send_buffers);
    }
    [[nodiscard]] std::uint32_t reply_buffer(std::size_t n) const {
        return address(layout_.send_buffers + n % layout_.reply_buffers);
    }
    [[nodiscard]] std::uint32_t receive_buffer(std::size_t n) const {
        return address(layout_.send_buffers + layout_.reply_buffers + n % layout_.receive_buffers);
    }

    /// Throws InputFault if the buffers do not fit into a node's memory.
    void lay_out(const Layout& layout, const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory);

    /// Writes a body to a buffer of its sender.
    void fill(std::uint32_t buffer, const Origin& origin);
    /// Buffer for a node's next body, whose reception is about to begin.
    [[nodiscard]] std::uint32_t begin_receive(std::int32_t node, const Origin& origin);
    /// Compares a received body with the sent one, when the node's program knows that the body is
    /// in memory and begins to use it. Does nothing if a later body has its buffer already.
    void use(std::int32_t node, const Origin& origin);

    /// Compares the remaining bodies after the run. Returns the first fault, a number of bodies
    /// other than expected_bodies included, or nothing.
    [[nodiscard]] std::optional<std::string> fault(std::size_t expected_bodies);

  private:
    // Every buffer is aligned for a burst of any dma.burst_bytes.
    static constexpr std::int64_t kAlignment = 256;
    using Words = std::vector<std::uint64_t>;

    [[nodiscard]] std::uint32_t address(std::size_t buffer) const {
        return static_cast<std::uint32_t>(buffer * stride_);
    }
    [[nodiscard]] std::optional<Origin>& held(std::int32_t node, std::size_t n) {
        return held_.at(node * layout_.receive_buffers + n % layout_.receive_buffers);
    }
    [[nodiscard]] Words words(const Origin& origin) const;
    void look_at(std::int32_t node, std::size_t n);

    Layout layout_;
    std::size_t stride_ = 0;
    std::uint64_t seed_ = 0;
    nodes::MemoryAccess* memory_ = nullptr;
    // By node and receive buffer: the body in it, if that has not been compared yet.
    std::vector<std::optional<Origin>> held_;
    // Number of bodies whose reception has begun, by node.
    std::vector<std::size_t> received_;
    SharedCount right_ = 0;
    SharedFault wrong_;
};

}  // namespace weir::firmware
