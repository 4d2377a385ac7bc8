#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "network/testing/fabric_ends.h"
#include "network/topology/lattice.h"

namespace weir::network::testing {

/// A row of routers, one-cycle links: a header that is sent in cycle 0 from node 0 to 2 is in the
/// routers' buffers in 1, 2 and 3, and at the node in 4.
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
    /// What of these, all for node 2, arrives there.
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
