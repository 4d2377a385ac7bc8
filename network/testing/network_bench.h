#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/controller/controller.h"
#include "hw/messages/message_pool.h"
#include "hw/queues/byte_queue.h"
#include "hw/random_stream.h"
#include "hw/testing/scripted_part.h"
#include "network/router_network.h"

namespace weir::network::testing {

/// A node's two queues: a script fills the output queue, and arrived bytes are removed from the
/// input queue every `pause` cycles.
class QueueNode final : public hw::ClockedPart {
  public:
    QueueNode(hw::ClockDomain& domain, hw::NodeId node, hw::Bytes input_bytes, std::int64_t pause)
        : ClockedPart(domain),
          output_queue(node, hw::QueueKind::kOutput, hw::Bytes(1 << 24), nullptr),
          input_queue(node, hw::QueueKind::kInput, input_bytes, nullptr),
          sender(domain),
          pause_(pause) {
        wake_at(hw::Cycles(0));
    }
    void tick(hw::Cycles now) override {
        const std::int64_t late = now.count() % pause_;
        if (late != 0) {
            wake_at(now + hw::Cycles(pause_ - late));
            return;
        }
        const hw::Bytes arrived = input_queue.available(now);
        if (arrived > hw::Bytes(0)) {
            input_queue.pop(arrived, now);
        }
        input_queue.expect_bytes(*this, hw::Bytes(1), now);
    }
    hw::ByteQueue output_queue;
    hw::ByteQueue input_queue;
    hw::testing::ScriptedPart sender;

  private:
    std::int64_t pause_;
};

/// Counts of each channel up to and including cycle `through`, by name.
inline std::map<std::string, ChannelCount> counts_by_name(const Network& network,
                                                          hw::Cycles through) {
    const std::vector<std::string> names = network.channel_names();
    const std::vector<ChannelCount> counts = network.channel_counts(through);
    std::map<std::string, ChannelCount> by_name;
    for (std::size_t i = 0; i < names.size(); ++i) {
        by_name.emplace(names[i], counts.at(i));
    }
    return by_name;
}

/// A network between nodes with queues.
class NetworkBench {
  public:
    struct Ends {
        hw::Bytes input_bytes{1 << 24};
        std::int64_t pause = 1;
    };
    NetworkBench(hw::ClockDomain& domain, RouterNetwork& network, hw::MessagePool& messages)
        : NetworkBench(domain, network, messages, Ends{}) {}
    NetworkBench(hw::ClockDomain& domain, RouterNetwork& network, hw::MessagePool& messages,
                 const Ends& ends)
        : network_(network), messages_(messages) {
        for (std::int32_t i = 0; i < network.node_count(); ++i) {
            nodes_.push_back(
                std::make_unique<QueueNode>(domain, hw::NodeId(i), ends.input_bytes, ends.pause));
            network.interface(hw::NodeId(i))
                .attach(nodes_.back()->output_queue, nodes_.back()->input_queue,
                        [this](hw::Message& message, hw::Cycles now) {
                            message.times.header_arrival = now;
                            ++headers_told_;
                        });
        }
    }

    /// Puts a message into the output queue of `source` in cycle `cycle`.
    hw::MessageSlot send(std::int32_t source, std::int32_t destination, std::int64_t bytes,
                         std::int64_t cycle) {
        const hw::MessageSlot slot = messages_.allocate();
        hw::Message& message = messages_[slot];
        message.id = hw::MessageId{hw::NodeId(source), slot};
        message.source = hw::NodeId(source);
        message.destination = hw::NodeId(destination);
        message.bytes = hw::Bytes(bytes);
        message.times.launch = hw::Cycles(cycle);
        QueueNode& node = *nodes_[source];
        node.sender.at(cycle - 1, [&node, slot, bytes](hw::Cycles now) {
            node.output_queue.begin_message(slot, now);
            node.output_queue.push(hw::Bytes(bytes), now);
        });
        sent_.push_back(slot);
        return slot;
    }
    /// Sends messages of 8 to `most_bytes` bytes from each node to random other nodes.
    void send_at_random(std::uint64_t seed, std::int64_t messages, std::int64_t most_bytes,
                        std::int64_t mean_gap) {
        const auto nodes = static_cast<std::uint64_t>(network_.node_count());
        for (std::int32_t source = 0; source < network_.node_count(); ++source) {
            hw::RandomStream stream(seed, hw::NodeId(source), "messages");
            std::int64_t cycle = 1;
            for (std::int64_t i = 0; i < messages; ++i) {
                cycle += 1 + static_cast<std::int64_t>(
                                 stream.below(2 * static_cast<std::uint64_t>(mean_gap)));
                const auto others = static_cast<std::int32_t>(1 + stream.below(nodes - 1));
                const auto bytes = static_cast<std::int64_t>(
                    8 + stream.below(static_cast<std::uint64_t>(most_bytes - 7)));
                send(source, (source + others) % network_.node_count(), bytes, cycle);
            }
        }
    }

    [[nodiscard]] std::int64_t arrived() const {
        std::int64_t arrived = 0;
        for (const hw::MessageSlot slot : sent_) {
            arrived += messages_[slot].times.tail_arrival != hw::kNever ? 1 : 0;
        }
        return arrived;
    }
    [[nodiscard]] std::int64_t sent() const { return static_cast<std::int64_t>(sent_.size()); }
    /// Number of times that a node was notified of a message's header.
    [[nodiscard]] std::int64_t headers_told() const { return headers_told_; }
    /// Time stamps of each message, up to cycle `through`; later ones appear as never.
    [[nodiscard]] std::string text(hw::Cycles through = hw::kNever) const {
        std::ostringstream out;
        for (const hw::MessageSlot slot : sent_) {
            const hw::Message& message = messages_[slot];
            const hw::MessageTimes& times = message.times;
            out << message.source << "-" << message.destination << ":";
            for (const hw::Cycles time :
                 {times.network_entry, times.tail_entry, times.first_arrival, times.header_arrival,
                  times.tail_arrival}) {
                out << " " << (time <= through ? time : hw::kNever);
            }
            out << '\n';
        }
        return out.str();
    }
    [[nodiscard]] std::optional<std::string> conservation_fault(bool finished) const {
        hw::ConservationAccount account;
        network_.add_to(account);
        for (const auto& node : nodes_) {
            account.bytes_launched += node->output_queue.bytes_pushed();
            account.bytes_in_output_queues += node->output_queue.held().count();
            account.bytes_into_input_queues += node->input_queue.bytes_pushed();
        }
        return account.fault(finished);
    }

  private:
    RouterNetwork& network_;
    hw::MessagePool& messages_;
    std::vector<std::unique_ptr<QueueNode>> nodes_;
    std::vector<hw::MessageSlot> sent_;
    std::int64_t headers_told_ = 0;
};

}  // namespace weir::network::testing
