#include "firmware/kernels/remap/remap_bodies.h"

#include <algorithm>

#include "firmware/kernel.h"
#include "hw/random_stream.h"

namespace weir::firmware {

void RemapBodies::lay_out(const Layout& layout, const nodes::MachineShape& machine,
                          std::uint64_t seed, nodes::MemoryAccess& memory) {
    layout_ = layout;
    const std::int64_t stride = (layout.body_bytes + kAlignment - 1) / kAlignment * kAlignment;
    const std::int64_t buffers =
        layout.send_buffers + layout.reply_buffers + layout.receive_buffers;
    if (buffers * stride > machine.memory_bytes.count()) {
        const std::int64_t most = machine.memory_bytes.count() / buffers / kAlignment * kAlignment;
        const std::string shorter =
            most > 0 ? "bodies of at most " + std::to_string(most) + " bytes, " : "";
        throw InputFault("workload.body_bytes",
                         std::to_string(buffers) + " buffers of " + std::to_string(stride) +
                             " bytes do not fit into memory.bytes = " +
                             std::to_string(machine.memory_bytes.count()),
                         shorter + "fewer buffers, or memory.bytes of at least " +
                             std::to_string(buffers * stride));
    }
    stride_ = stride;
    seed_ = seed;
    memory_ = &memory;
    const std::size_t nodes = machine.node_count();
    held_.resize(nodes * layout.receive_buffers);
    received_.resize(nodes);
}

RemapBodies::Words RemapBodies::words(const Origin& origin) const {
    const auto asking = static_cast<std::uint64_t>(origin.asking);
    hw::RandomStream stream(seed_ ^ (asking << 32 | origin.iteration), hw::NodeId(origin.sender),
                            origin.is_reply() ? "remap reply's body" : "remap body");
    Words words(layout_.body_bytes / sizeof(std::uint64_t));
    std::generate(words.begin(), words.end(), [&stream] { return stream.next(); });
    return words;
}

void RemapBodies::fill(std::uint32_t buffer, const Origin& origin) {
    memory_->write<std::uint64_t>(hw::NodeId(origin.sender), buffer, words(origin));
}

std::uint32_t RemapBodies::begin_receive(std::int32_t node, const Origin& origin) {
    const std::size_t n = received_.at(node)++;
    look_at(node, n);
    held(node, n) = origin;
    return receive_buffer(n);
}

void RemapBodies::use(std::int32_t node, const Origin& origin) {
    for (std::int64_t n = 0; n < layout_.receive_buffers; ++n) {
        if (held(node, n) == origin) {
            look_at(node, n);
        }
    }
}

void RemapBodies::look_at(std::int32_t node, std::size_t n) {
    const std::optional<Origin> origin = held(node, n);
    if (!origin) {
        return;
    }
    held(node, n).reset();
    const Words sent = words(*origin);
    Words received(sent.size());
    memory_->read<std::uint64_t>(hw::NodeId(node), receive_buffer(n), received);
    const auto [in_sent, in_received] = std::mismatch(sent.begin(), sent.end(), received.begin());
    if (in_sent == sent.end()) {
        ++right_;
    } else {
        wrong_.note(origin->iteration, hw::NodeId(node),
                    std::string("the body of ") + (origin->is_reply() ? "the reply to " : "") +
                        "message " + std::to_string(origin->iteration) + " of node " +
                        std::to_string(origin->asking) + " is wrong in node " +
                        std::to_string(node) + "'s memory from byte " +
                        std::to_string((in_sent - sent.begin()) *
                                       static_cast<std::ptrdiff_t>(sizeof(std::uint64_t))) +
                        " on");
    }
}

std::optional<std::string> RemapBodies::fault(std::size_t expected_bodies) {
    for (std::size_t node = 0; node < received_.size(); ++node) {
        for (std::int64_t n = 0; n < layout_.receive_buffers; ++n) {
            look_at(static_cast<std::int32_t>(node), n);
        }
    }
    std::optional<std::string> wrong = wrong_.fault();
    if (!wrong && right_ != static_cast<std::int64_t>(expected_bodies)) {
        return std::to_string(right_) + " bodies arrived, " + std::to_string(expected_bodies) +
               " were sent";
    }
    return wrong;
}

}  // namespace weir::firmware
