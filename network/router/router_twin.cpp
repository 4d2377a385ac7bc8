#include "network/router/router_twin.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>

#include "network/router/allocator.h"
#include "network/router/router.h"
#include "network/routing/routing_kind.h"
#include "network/topology/topology_family.h"

namespace weir::network {

namespace {

using hw::Fault;

constexpr int kBitsPerByte = 8;

// Number of the arbitration in arbiter.sv, if it is there.
std::optional<std::int64_t> number_of(Arbitration arbitration) {
    switch (arbitration) {
        case Arbitration::kRoundRobin:
            return 0;
        case Arbitration::kSkewedRoundRobin:
            return 1;
        case Arbitration::kFixed:
            return 2;
        default:
            return std::nullopt;
    }
}

// The parameter of routing, or of the network's shape, that no twin covers.
std::optional<Fault> uncovered_network(const NetworkParameters& parameters) {
    if (parameters.model.value() != NetworkModel::kWormhole) {
        return Fault{"network.model", "has no routers", R"("wormhole")"};
    }
    const std::optional<Lattice> lattice = parameters.topology.value()->lattice(parameters);
    if (!lattice || lattice->is_end_around || lattice->ports_a_dimension != 2) {
        return Fault{"network.topology", "is not a mesh", R"("mesh")"};
    }
    if (!parameters.routing.value()->is_topologys_own()) {
        return Fault{"network.routing", "is not dimension order", R"("dimension_order")"};
    }
    const std::vector<std::size_t> order = parameters.order();
    if (!std::is_sorted(order.begin(), order.end())) {
        return Fault{"network.routing_order", "does not begin with x", "x first, then y"};
    }
    if (parameters.copies.value() != 1) {
        return Fault{"network.copies", "is more than 1", "1"};
    }
    if (parameters.tag_bytes.value() != hw::Bytes(0)) {
        return Fault{"network.tag_bytes", "is not 0", "0"};
    }
    const auto bits = kBitsPerByte * static_cast<int>(parameters.flit_bytes.value().count());
    const int place = coordinate_bits(parameters) * static_cast<int>(parameters.extents().size());
    if (bits < place) {
        return Fault{"network.flit_bytes", "is too short for the destination in a header flit",
                     "at least " + std::to_string((place + kBitsPerByte - 1) / kBitsPerByte)};
    }
    return std::nullopt;
}

// The parameter of the routers that no twin covers.
std::optional<Fault> uncovered_router(const NetworkParameters& parameters) {
    if (parameters.router.value() != router_kinds().front()) {
        return Fault{"network.router", "has no twin", "\"" + router_kinds().front()->name() + "\""};
    }
    if (parameters.allocator.value() != allocator_kinds().front()) {
        return Fault{"network.allocator", "has no twin",
                     "\"" + allocator_kinds().front()->name() + "\""};
    }
    if (!number_of(parameters.arbitration.value())) {
        return Fault{"network.arbitration", "is by age, which flits do not carry",
                     R"("round_robin", "skewed_round_robin" or "fixed")"};
    }
    if (parameters.output_binding.value() != OutputBinding::kGranted) {
        return Fault{"network.output_binding", "has no twin", R"("granted")"};
    }
    if (parameters.switching.value() != Switching::kWormhole) {
        return Fault{"network.switching", "has no twin", R"("wormhole")"};
    }
    if (parameters.reallocation() == Reallocation::kWholeMessage) {
        return Fault{"network.vc_reallocation", "has no twin", R"("tail" or "tail_credit")"};
    }
    for (const auto* stage : {&parameters.routing_cycles, &parameters.vc_allocation_cycles}) {
        if (stage->value() != hw::Cycles(0)) {
            return Fault{"network." + stage->name(), "is a stage of its own", "0"};
        }
    }
    if (parameters.flit_cycles() != hw::Cycles(1)) {
        return Fault{"network.channel_bits_per_cycle", "is less than a flit",
                     "0, or the bits of a flit"};
    }
    return std::nullopt;
}

std::int64_t own_or(hw::Flits own, hw::Flits general) {
    return (own > hw::Flits(0) ? own : general).count();
}

}  // namespace

int coordinate_bits(const NetworkParameters& parameters) {
    int bits = 1;
    for (const std::int32_t extent : parameters.extents()) {
        bits = std::max(bits, static_cast<int>(std::bit_width(static_cast<unsigned>(extent - 1))));
    }
    return bits;
}

std::variant<hw::Twin, Fault> router_twin(const NetworkParameters& parameters) {
    if (const auto fault = uncovered_network(parameters)) {
        return *fault;
    }
    if (const auto fault = uncovered_router(parameters)) {
        return *fault;
    }
    const std::int64_t switch_cycles = parameters.switch_allocation_cycles.value().count();
    const hw::Flits buffer = parameters.buffer_flits.value();
    hw::Twin twin{
        "wormhole_router",
        {"network/fabric/flit_channel.sv", "network/fabric/channel_credits.sv",
         "network/router/arbiter.sv", "network/router/dimension_order.sv"},
        {{"DIMENSIONS", static_cast<std::int64_t>(parameters.extents().size())},
         {"COORDINATE_BITS", coordinate_bits(parameters)},
         {"FLIT_BITS", kBitsPerByte * parameters.flit_bytes.value().count()},
         {"BUFFER_FLITS", buffer.count()},
         {"HOP_CYCLES", parameters.hop_cycles.value().count() + switch_cycles},
         {"INJECTION_CYCLES", parameters.injection_cycles.value().count()},
         {"EJECTION_CYCLES", parameters.ejection_cycles.value().count() + switch_cycles}}};
    if (!parameters.is_plain_mesh()) {
        twin.module = "virtual_channel_router";
        twin.parameters.insert(
            twin.parameters.end(),
            {{"INJECTION_BUFFER_FLITS", own_or(parameters.injection_buffer_flits.value(), buffer)},
             {"EJECTION_BUFFER_FLITS", own_or(parameters.ejection_buffer_flits.value(), buffer)},
             {"CREDIT_CYCLES", parameters.credit_cycles.value().count()},
             {"VIRTUAL_CHANNELS", std::max<std::int64_t>(parameters.virtual_channels.value(), 1)},
             {"ARBITRATION", *number_of(parameters.arbitration.value())},
             {"NEEDS_TAIL_CREDIT",
              parameters.reallocation() == Reallocation::kTailCredit ? 1 : 0}});
    }
    twin.sources.push_back("network/router/" + twin.module + ".sv");
    return twin;
}

}  // namespace weir::network
