#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "firmware/testing/machine_bench.h"
#include "hw/controller/protocol_port.h"
#include "hw/random_stream.h"
#include "memory/coherence/packet.h"

namespace weir::nodes::testing {

/// Planted faults of the coherence protocol, or legal delays of packets. Stands between a node's
/// queues and its coherence controller.
class FaultyPort final : public hw::ProtocolPort {
  public:
    enum class Fault : std::uint8_t {
        kKeepsCopy,    ///< acknowledges an invalidation of a copy to read, but keeps the copy
        kDoesNotWait,  ///< grants a store while copies to read still have to be invalidated
        kFillsWords,   ///< drops full/empty bits from packets: all words of a line arrive full
        /// No fault: delays packets at random; only packets between the same two nodes keep their
        /// order.
        kDelays,
        kRefuses,  ///< answers all requests of node 2 with BUSY
    };
    static constexpr hw::NodeId kRefused{2};

    FaultyPort(Machine& machine, std::int32_t node, Fault fault)
        : machine_(machine),
          messages_(firmware::testing::controller(machine, node)),
          inner_(*machine.node(hw::NodeId(node)).coherence()),
          node_(node),
          fault_(fault),
          delays_(1, hw::NodeId(node), "delays of packets") {
        messages_.connect_protocol(*this);
    }

    [[nodiscard]] bool may_receive() const override { return inner_.may_receive(); }

    void receive(const hw::ProtocolPacket& packet) override {
        if (fault_ == Fault::kRefuses && packet.node == kRefused &&
            is_request(static_cast<memory::Packet>(packet.operation))) {
            own_.push_back({{.node = packet.node,
                             .operation = static_cast<std::uint32_t>(memory::Packet::kBusy),
                             .address = packet.address},
                            now() + hw::Cycles(1)});
            messages_.wake_at(now() + hw::Cycles(1));
            return;
        }
        if (fault_ == Fault::kKeepsCopy && is_invalidation(packet) &&
            inner_.state_of(packet.address) == memory::CacheState::kReadOnly) {
            own_.push_back({acknowledgement(packet), now() + hw::Cycles(1)});
            messages_.wake_at(now() + hw::Cycles(1));
            return;
        }
        if (fault_ == Fault::kDoesNotWait && is(packet, memory::Packet::kCopyGone) &&
            !is_home_of(packet)) {
            return;
        }
        if (fault_ == Fault::kDoesNotWait && is_grant(packet)) {
            hw::ProtocolPacket uncounted = packet;
            uncounted.operand.reset();
            inner_.receive(uncounted);
            return;
        }
        const auto early = acknowledged_early_.find({packet.node, packet.address});
        const bool is_answer =
            is(packet, memory::Packet::kAcknowledge) || is(packet, memory::Packet::kUpdate);
        if (early != acknowledged_early_.end() && is_answer) {
            acknowledged_early_.erase(early);
            return;
        }
        inner_.receive(packet);
    }

    // Makes the next packet in a const function, since the controller asks for it in its own tick.
    [[nodiscard]] const hw::ProtocolPacket* to_send() const override {
        return const_cast<FaultyPort*>(this)->next();
    }

    void sent() override {
        if (fault_ == Fault::kDelays) {
            own_.erase(std::ranges::find_if(own_, [this](const Own& own) { return is_due(own); }));
            return;
        }
        if (own_is_due()) {
            own_.pop_front();
            return;
        }
        inner_.sent();
    }

  private:
    static constexpr hw::Cycles kDelay{100};
    struct Own {
        hw::ProtocolPacket packet;
        hw::Cycles from;
    };

    [[nodiscard]] hw::Cycles now() const { return machine_.now(); }
    [[nodiscard]] bool own_is_due() const { return !own_.empty() && own_.front().from <= now(); }
    static bool is(const hw::ProtocolPacket& packet, memory::Packet which) {
        return packet.operation == static_cast<std::uint32_t>(which);
    }
    // True if this node is the home of the packet's line; grants of a home to itself do not pass
    // this port.
    [[nodiscard]] bool is_home_of(const hw::ProtocolPacket& packet) const {
        return inner_.map().home_of(packet.address).index() == node_;
    }
    static bool is_invalidation(const hw::ProtocolPacket& packet) {
        return is(packet, memory::Packet::kInvalidate) ||
               is(packet, memory::Packet::kInvalidateFor);
    }
    static bool is_grant(const hw::ProtocolPacket& packet) {
        return is(packet, memory::Packet::kWriteData) || is(packet, memory::Packet::kModifyGrant);
    }
    static hw::ProtocolPacket acknowledgement(const hw::ProtocolPacket& packet) {
        if (is(packet, memory::Packet::kInvalidateFor)) {
            return {.node = hw::NodeId(*packet.operand),
                    .operation = static_cast<std::uint32_t>(memory::Packet::kCopyGone),
                    .address = packet.address};
        }
        return {.node = packet.node,
                .operation = static_cast<std::uint32_t>(memory::Packet::kAcknowledge),
                .address = packet.address};
    }

    [[nodiscard]] bool is_due(const Own& own) const { return own.from <= now(); }
    // Returns the first delayed packet that is due.
    const hw::ProtocolPacket* next_of_delayed() {
        constexpr std::uint64_t kMostCycles = 200;
        while (const hw::ProtocolPacket* packet = inner_.to_send()) {
            const bool is_prompt = delays_.below(4) != 0;
            hw::Cycles& last = last_due_[packet->node];
            last = std::max(last, now() + hw::Cycles(is_prompt ? 0
                                                               : static_cast<std::int64_t>(
                                                                     delays_.below(kMostCycles))));
            own_.push_back({*packet, last});
            messages_.wake_at(std::max(last, now() + hw::Cycles(1)));
            inner_.sent();
        }
        const auto due = std::ranges::find_if(own_, [this](const Own& own) { return is_due(own); });
        return due == own_.end() ? nullptr : &due->packet;
    }
    const hw::ProtocolPacket* next() {
        if (fault_ == Fault::kDelays) {
            return next_of_delayed();
        }
        const hw::ProtocolPacket* packet = inner_.to_send();
        if (fault_ == Fault::kDoesNotWait && packet != nullptr && inner_.may_receive() &&
            is(*packet, memory::Packet::kInvalidate) && is_for_a_writer(packet->address)) {
            put_off(*packet);
            acknowledge_early(*packet);
            packet = nullptr;
        }
        if (fault_ == Fault::kDoesNotWait && packet != nullptr &&
            is(*packet, memory::Packet::kInvalidateFor) && *packet->operand != node_) {
            put_off(*packet);
            inner_.sent();
            packet = nullptr;
        }
        if (fault_ == Fault::kFillsWords && packet != nullptr) {
            filled_ = *packet;
            filled_.empty_words = 0;
            packet = &filled_;
        }
        return own_is_due() ? &own_.front().packet : packet;
    }

    [[nodiscard]] bool is_for_a_writer(std::uint32_t line) const {
        return inner_.directory().entries().at(line).state == memory::HomeState::kWriteTransaction;
    }

    void put_off(hw::ProtocolPacket invalidation) {
        own_.push_back({invalidation, now() + kDelay});
        messages_.wake_at(now() + hw::Cycles(1));
        messages_.wake_at(now() + kDelay);
    }
    void acknowledge_early(hw::ProtocolPacket invalidation) {
        acknowledged_early_.emplace(invalidation.node, invalidation.address);
        inner_.sent();
        inner_.receive(acknowledgement(invalidation));
    }

    Machine& machine_;
    hw::MessageController& messages_;
    memory::CoherenceController& inner_;
    std::int32_t node_;
    Fault fault_;
    hw::RandomStream delays_;
    std::map<hw::NodeId, hw::Cycles> last_due_;
    std::deque<Own> own_;
    hw::ProtocolPacket filled_;
    std::multiset<std::pair<hw::NodeId, std::uint32_t>> acknowledged_early_;
};

}  // namespace weir::nodes::testing
