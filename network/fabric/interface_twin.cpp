#include "network/fabric/interface_twin.h"

#include <bit>
#include <cstdint>
#include <optional>

#include "hw/controller/controller_registers.h"

namespace weir::network {

namespace {

std::optional<hw::Fault> uncovered(const NetworkParameters& parameters) {
    if (parameters.model.value() != NetworkModel::kWormhole) {
        return hw::Fault{"network.model", "has no network interfaces of flits", R"("wormhole")"};
    }
    if (parameters.copies.value() != 1) {
        return hw::Fault{"network.copies", "is more than 1", "1"};
    }
    if (parameters.tag_bytes.value() != hw::Bytes(0)) {
        return hw::Fault{"network.tag_bytes", "is not 0", "0"};
    }
    if (parameters.flit_cycles() != hw::Cycles(1)) {
        return hw::Fault{"network.channel_bits_per_cycle", "is less than a flit",
                         "0, or the bits of a flit"};
    }
    // Headers and arguments are words.
    if (WEIR_HEADER_BYTES % parameters.flit_bytes.value().count() != 0) {
        return hw::Fault{"network.flit_bytes", "does not divide a message's header",
                         "1, 2, 4 or 8"};
    }
    return std::nullopt;
}

template <class Unit>
std::int64_t own_or(Unit own, Unit general) {
    return (own > Unit(0) ? own : general).count();
}

}  // namespace

std::variant<hw::Twin, hw::Fault> interface_twin(const NetworkParameters& parameters,
                                                 hw::Bytes largest_queue) {
    if (const auto fault = uncovered(parameters)) {
        return *fault;
    }
    const hw::Flits buffer = parameters.buffer_flits.value();
    return hw::Twin{
        "flit_interface",
        {"network/fabric/flit_channel.sv", "network/fabric/channel_credits.sv",
         "network/fabric/flit_interface.sv"},
        {{"FLIT_BYTES", parameters.flit_bytes.value().count()},
         {"INJECTION_CYCLES", parameters.injection_cycles.value().count()},
         {"EJECTION_CYCLES",
          (parameters.ejection_cycles.value() + parameters.switch_allocation_cycles.value())
              .count()},
         {"INJECTION_BUFFER_FLITS", own_or(parameters.injection_buffer_flits.value(), buffer)},
         {"EJECTION_BUFFER_FLITS", own_or(parameters.ejection_buffer_flits.value(), buffer)},
         {"CREDIT_CYCLES",
          own_or(parameters.injection_credit_cycles.value(), parameters.credit_cycles.value())},
         {"HEADER_BYTES", WEIR_HEADER_BYTES},
         {"QUEUE_BITS", std::bit_width(static_cast<std::uint64_t>(largest_queue.count()))}}};
}

}  // namespace weir::network
