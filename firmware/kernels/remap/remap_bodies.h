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

/// The bodies of a remap's messages: where they lie in the nodes' memories, what is in them, and
/// whether that is what came out at the other end.
///
/// In every node's memory stand the thread's send buffers, the handlers' (where they reply) and the
/// receive buffers, which are used in turn. What a body holds depends on the seed, its sender, its
/// iteration and whether it is a reply. A receive buffer is looked at when the program has been
/// told that its body is in memory and uses it, or else when the next body is about to be stored
/// there, or after the run: every body once. Filling and looking take no time; a program's own work
/// on them is part of the kernel's work_cycles and handler_work_cycles.
class RemapBodies {
  public:
    /// Which body.
    struct Origin {
        std::int32_t sender = 0;
        std::uint32_t iteration = 0;  ///< of the node whose request or message it is
        std::int32_t asking = 0;      ///< that node; another one than the sender for a reply

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

    /// Where a node's n-th body to send, to reply with, or to receive lies.
    [[nodiscard]] std::uint32_t send_buffer(std::size_t n) const {
        return address(n % layout_.send_buffers);
    }
    [[nodiscard]] std::uint32_t reply_buffer(std::size_t n) const {
        return address(layout_.send_buffers + n % layout_.reply_buffers);
    }
    [[nodiscard]] std::uint32_t receive_buffer(std::size_t n) const {
        return address(layout_.send_buffers + layout_.reply_buffers + n % layout_.receive_buffers);
    }

    /// Throws InputFault when the buffers don't fit into a node's memory.
    void lay_out(const Layout& layout, const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory);

    /// Writes a body into a buffer of its sender.
    void fill(std::uint32_t buffer, const Origin& origin);
    /// The buffer for a node's next body, which is about to be stored there.
    [[nodiscard]] std::uint32_t begin_receive(std::int32_t node, const Origin& origin);
    /// The node's program uses the body, which it takes to be in memory by now; nothing happens
    /// when a later one has its buffer already.
    void use(std::int32_t node, const Origin& origin);

    /// After the run: looks at what has not been used yet. What is wrong with the bodies, of which
    /// there were to be so many, or nothing.
    [[nodiscard]] std::optional<std::string> fault(std::size_t expected_bodies);

  private:
    // Every buffer begins where a burst may, whatever dma.burst_bytes is.
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
    std::vector<std::optional<Origin>> held_;  // by node and receive buffer: not looked at yet
    std::vector<std::size_t> received_;        // by node: bodies begun
    SharedCount right_ = 0;
    SharedFault wrong_;
};

}  // namespace weir::firmware
