#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "experiments/bench/traffic.h"
#include "hw/clock/clock_tiles.h"
#include "hw/messages/message_pool.h"
#include "hw/queues/byte_queue.h"
#include "network/network_parameters.h"
#include "network/router_network.h"

namespace weir::experiments::bench {

/// Weir's network of routers alone. Each node has a source and a sink. The source puts the node's
/// traffic into an unlimited output queue. The sink empties an unlimited input queue.
class EmulatedNetwork final : public sc_core::sc_module {
  public:
    EmulatedNetwork(const sc_core::sc_module_name& name,
                    const network::NetworkParameters& parameters, Traffic& traffic);
    ~EmulatedNetwork() override;

    /// Simulates all cycles up to and including `last`.
    void run_through(std::int64_t last);

    [[nodiscard]] const DeliveryLog& deliveries() const { return deliveries_; }
    [[nodiscard]] std::int64_t flit_hops() const { return network_->flit_hops(); }

  private:
    class Source;
    class Sink;

    hw::ClockDomainParameters clock_parameters_;
    hw::ClockTiles clock_;
    hw::MessagePool messages_;
    std::unique_ptr<network::RouterNetwork> network_;
    std::vector<std::unique_ptr<Source>> sources_;
    std::vector<std::unique_ptr<Sink>> sinks_;
    DeliveryLog deliveries_;
};

}  // namespace weir::experiments::bench
