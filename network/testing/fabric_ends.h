#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/per_node.h"
#include "hw/random_stream.h"
#include "network/fabric/fabric.h"
#include "network/topology/lattice.h"

namespace weir::network::testing {

struct FabricPacket {
    hw::MessageSlot message = 0;
    std::uint16_t destination = 0;
    std::int64_t flits = 1;
    hw::Cycles not_before{0};
};

struct FabricArrival {
    hw::MessageSlot message = 0;
    std::int64_t header_cycle = 0;
    std::int64_t tail_cycle = 0;
    bool operator==(const FabricArrival&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const FabricArrival& arrival) {
        return out << arrival.message << ": " << arrival.header_cycle << "-" << arrival.tail_cycle;
    }
};

/// An ideal node. Sends its packets in order, each on the next free virtual channel; flits of
/// different virtual channels alternate. Takes all flits that arrive, and checks their destination
/// and order.
class FabricEnd final : public hw::ClockedPart {
  public:
    FabricEnd(hw::ClockDomain& domain, Fabric& fabric, hw::NodeId node)
        : ClockedPart(domain),
          node_(node),
          flit_cycles_(fabric.design().router.flit_cycles),
          ends_(fabric.interface_channels(node)),
          sending_(ends_.injection.size()),
          arriving_(ends_.ejection.size()) {
        fabric.connect_end(node, *this);
    }

    void send(const FabricPacket& packet) {
        waiting_.push_back(packet);
        wake_at(std::max(waiting_.front().not_before, hw::Cycles(0)));
    }
    void tick(hw::Cycles now) override {
        inject(now);
        for (std::size_t vc = 0; vc < ends_.ejection.size(); ++vc) {
            if (ends_.ejection[vc]->has_flit(now) && now >= deaf_until) {
                take(vc, now);
            }
        }
        if (now < deaf_until) {
            wake_at(deaf_until);
        }
    }

    std::vector<FabricArrival> arrivals;
    std::int64_t flits_taken = 0;
    /// cycle before which the node takes no flit
    hw::Cycles deaf_until{0};

  private:
    struct Sending {
        FabricPacket packet;
        std::int64_t sent = 0;
    };

    void inject(hw::Cycles now) {
        for (std::optional<Sending>& vc : sending_) {
            if (!vc && !waiting_.empty() && waiting_.front().not_before <= now) {
                vc = Sending{waiting_.front(), 0};
                waiting_.pop_front();
            }
        }
        if (!waiting_.empty() && waiting_.front().not_before > now) {
            wake_at(waiting_.front().not_before);
        }
        bool is_busy = false;
        for (std::size_t i = 0; i < sending_.size(); ++i) {
            const std::size_t vc = (last_vc_ + 1 + i) % sending_.size();
            if (!sending_[vc]) {
                continue;
            }
            is_busy = true;
            if (now < free_from_) {
                break;
            }
            FlitChannel& channel = *ends_.injection[vc];
            if (!channel.has_or_expects_credit(now)) {
                continue;
            }
            send_flit(vc, channel, now);
            break;
        }
        if (is_busy) {
            wake_at(std::max(free_from_, now + hw::Cycles(1)));
        }
    }
    void send_flit(std::size_t vc, FlitChannel& channel, hw::Cycles now) {
        Sending& sending = *sending_[vc];
        const FabricPacket& packet = sending.packet;
        ++sending.sent;
        channel.send(
            sending.sent == 1
                ? Flit::header(packet.message, packet.destination, packet.flits)
                : Flit{packet.message, packet.destination, false, sending.sent == packet.flits},
            now);
        if (sending.sent == packet.flits) {
            sending_[vc].reset();
        }
        last_vc_ = vc;
        free_from_ = now + flit_cycles_;
    }
    void take(std::size_t vc, hw::Cycles now) {
        FlitChannel& channel = *ends_.ejection[vc];
        const Flit flit = channel.front();
        channel.take(now);
        ++flits_taken;
        EXPECT_EQ(flit.destination, node_.index());
        EXPECT_EQ(flit.is_header, !arriving_[vc].has_value());
        if (!arriving_[vc]) {
            arriving_[vc] = FabricArrival{flit.message, now.count(), 0};
        }
        EXPECT_EQ(arriving_[vc]->message, flit.message);
        if (flit.is_tail) {
            arriving_[vc]->tail_cycle = now.count();
            arrivals.push_back(*arriving_[vc]);
            arriving_[vc].reset();
        }
        if (channel.has_flit(now)) {
            wake_at(now + hw::Cycles(1));
        }
    }

    hw::NodeId node_;
    hw::Cycles flit_cycles_;
    Fabric::InterfaceChannels ends_;
    std::deque<FabricPacket> waiting_;
    std::vector<std::optional<Sending>> sending_;
    std::vector<std::optional<FabricArrival>> arriving_;
    std::size_t last_vc_ = 0;
    hw::Cycles free_from_{0};
};

/// A fabric between ideal nodes.
class FabricBench {
  public:
    FabricBench(hw::ClockDomain& clock, const Routing& routing, const Fabric::Design& design)
        : domain(clock), fabric("fabric", clock, routing, design) {
        for (std::int32_t node = 0; node < fabric.node_count(); ++node) {
            ends_.push_back(std::make_unique<FabricEnd>(clock, fabric, hw::NodeId(node)));
        }
    }
    FabricEnd& end(std::int32_t node) { return *ends_[node]; }

    /// Sends a packet of a new message; returns the message's number.
    hw::MessageSlot send(std::int32_t source, std::int32_t destination, std::int64_t flits,
                         std::int64_t cycle) {
        const hw::MessageSlot message = messages_++;
        end(source).send(
            {message, static_cast<std::uint16_t>(destination), flits, hw::Cycles(cycle)});
        flits_ += flits;
        return message;
    }
    /// Sends packets from each node to random other nodes.
    void send_at_random(std::uint64_t seed, std::int64_t packets, std::int64_t most_flits,
                        std::int64_t mean_gap) {
        const auto nodes = static_cast<std::uint64_t>(fabric.node_count());
        for (std::int32_t source = 0; source < fabric.node_count(); ++source) {
            hw::RandomStream stream(seed, hw::NodeId(source), "packets");
            std::int64_t cycle = 0;
            for (std::int64_t i = 0; i < packets; ++i) {
                cycle += static_cast<std::int64_t>(
                    stream.below(2 * static_cast<std::uint64_t>(mean_gap) + 1));
                const auto others = static_cast<std::int32_t>(1 + stream.below(nodes - 1));
                const auto flits = static_cast<std::int64_t>(
                    1 + stream.below(static_cast<std::uint64_t>(most_flits)));
                send(source, (source + others) % fabric.node_count(), flits, cycle);
            }
        }
    }
    void run(std::int64_t end = 100'000'000) { domain.run_until(hw::Cycles(end)); }

    [[nodiscard]] std::int64_t arrived() const {
        std::int64_t arrived = 0;
        for (const auto& end : ends_) {
            arrived += static_cast<std::int64_t>(end->arrivals.size());
        }
        return arrived;
    }
    [[nodiscard]] std::int64_t sent() const { return messages_; }
    [[nodiscard]] std::int64_t flits_missing() const {
        std::int64_t missing = flits_;
        for (const auto& end : ends_) {
            missing -= end->flits_taken;
        }
        return missing;
    }
    /// All arrivals as text, node by node.
    [[nodiscard]] std::string text() const {
        std::ostringstream out;
        for (const auto& end : ends_) {
            for (const FabricArrival& arrival : end->arrivals) {
                out << arrival << '\n';
            }
        }
        return out.str();
    }

    hw::ClockDomain& domain;
    Fabric fabric;

  private:
    hw::PerNode<std::unique_ptr<FabricEnd>> ends_;
    hw::MessageSlot messages_ = 0;
    std::int64_t flits_ = 0;
};

/// A row of routers with one-cycle links. A header from node 0 to node 2, sent
/// in cycle 0, is in the routers' buffers in 1, 2 and 3. It is at the node in 4.
class RouterRowTest : public ::testing::Test {
  public:
    struct Row {
        std::int32_t routers = 3;
        int virtual_channels = 1;
    };
    FabricBench& row(Row shape = {3, 1}) {
        mesh.emplace(mesh_topology({shape.routers}));
        routing = dimension_order_routing(*mesh, {0});
        if (shape.virtual_channels > 1) {
            routing = spread_over(std::move(routing), shape.virtual_channels);
        }
        bench = std::make_unique<FabricBench>(domain, *routing, design);
        return *bench;
    }
    struct Sent {
        std::int32_t source;
        std::int64_t flits;
        std::int64_t cycle;
    };
    /// Sends the packets to node 2, and returns the arrivals there.
    const std::vector<FabricArrival>& arrivals(const std::vector<Sent>& packets,
                                               Row shape = {3, 1}) {
        row(shape);
        for (const Sent& packet : packets) {
            bench->send(packet.source, 2, packet.flits, packet.cycle);
        }
        bench->run();
        return bench->end(2).arrivals;
    }

    hw::ClockDomainParameters clock_parameters;
    hw::ClockDomain domain{"clock", clock_parameters};
    std::optional<Topology> mesh;
    Fabric::Design design;
    std::unique_ptr<Routing> routing;
    std::unique_ptr<FabricBench> bench;
};

}  // namespace weir::network::testing
