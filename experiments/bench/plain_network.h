#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "experiments/bench/traffic.h"
#include "network/topology/mesh.h"

namespace weir::experiments::bench {

/// Delays and buffer slots of a mesh network, as in table [network] of an experiment file.
struct PlainNetworkTiming {
    std::int64_t injection_cycles = 2;
    std::int64_t ejection_cycles = 2;
    std::int64_t hop_cycles = 1;
    std::int32_t buffer_flits = 4;
};

/// Wormhole mesh as one plain loop over arrays, without modules, wake-ups, names or statistics but
/// two counters. The loop delivers the same messages in the same cycles as network::WormNetwork
/// with input queues that never fill. The loop is the reference for speed, and an independent
/// implementation of the router's rules that checks the emulated network.
class PlainNetwork {
  public:
    PlainNetwork(const network::Mesh& mesh, const PlainNetworkTiming& timing, Traffic& traffic);

    /// Simulates all cycles up to and including `last`.
    void run_through(std::int64_t last);

    [[nodiscard]] const DeliveryLog& deliveries() const { return deliveries_; }
    /// Passages of flits through routers, those of source and destination included.
    [[nodiscard]] std::int64_t flit_hops() const { return flit_hops_; }
    /// Router-cycles that began with a flit in the router or on a link towards it.
    [[nodiscard]] std::int64_t active_router_cycles() const { return active_router_cycles_; }

  private:
    static constexpr std::int32_t kNone = -1;
    static constexpr std::size_t kMostPorts = 25;  // ports of a router in twelve dimensions

    struct Flit {
        std::int64_t arrival;
        std::int32_t source;
        std::int32_t destination;
        std::int64_t sequence;
        bool is_header;
        bool is_tail;
    };
    /// Link and the buffer at its end.
    struct Channel {
        std::vector<Flit> ring;
        std::int32_t head = 0;
        std::int32_t count = 0;
        std::int32_t room = 0;  // free slots that the sender sees: freed ones count a cycle later
        std::int64_t link_cycles = 1;
        std::int32_t receiver = kNone;  // receiving router; kNone for an ejection channel
    };
    struct Port {
        std::int32_t in = kNone;   // input channel
        std::int32_t out = kNone;  // output channel
        std::int32_t held_output = kNone;
        std::int32_t owner = kNone;
        std::int32_t last_winner = 0;
    };
    struct Sender {
        std::deque<Departure> waiting;
        Departure next;
        bool has_next = false;
        std::int64_t launched = 0;
        std::int32_t flits_sent = 0;
    };

    [[nodiscard]] bool has_flit(const Channel& channel) const {
        return channel.count > 0 && channel.ring[channel.head].arrival <= now_;
    }
    std::int32_t add_channel(std::int64_t link_cycles, std::int32_t buffer_flits,
                             std::int32_t receiver);
    void put(std::int32_t channel, Flit flit);
    Flit take(std::int32_t channel);
    void inject(std::size_t node);
    void eject(std::size_t node);
    void route(std::size_t router);

    std::size_t ports_;
    std::vector<Channel> channels_;
    std::vector<Port> router_ports_;  // index: router * ports_ + port
    std::vector<std::vector<std::uint8_t>> routes_;
    std::vector<std::int32_t> flits_at_;  // by router: flits in its input channels
    std::vector<Sender> senders_;
    std::vector<std::int32_t> taken_;    // channels that a flit left in this cycle
    std::vector<std::int32_t> sent_to_;  // routers that a flit was sent to in this cycle
    std::int64_t now_ = -1;
    DeliveryLog deliveries_;
    std::int64_t flit_hops_ = 0;
    std::int64_t active_router_cycles_ = 0;
    Traffic& traffic_;
};

}  // namespace weir::experiments::bench
