#include "firmware/kernels/jacobi/compiled_jacobi.h"

namespace weir::firmware {

void CompiledJacobi::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                                ImageMemory& memory) {
    if (twin().sends_bodies() && body_send() == kInterrupt) {
        throw InputFault("firmware.body_send",
                         R"(found "interrupt", which the compiled jacobi does not wait by)",
                         R"("blocking" or "status")");
    }
    NoMemory nowhere;
    twin().prepare(machine, seed, nowhere);
    for (std::int32_t index = 0; index < machine.node_count(); ++index) {
        const hw::NodeId node(index);
        const auto [north, south] = twin().neighbours(index);
        const auto neighbours = static_cast<std::uint32_t>(north.has_value()) +
                                static_cast<std::uint32_t>(south.has_value());
        const auto columns = static_cast<std::uint32_t>(workload().grid.value());
        data_at_ = memory.allot(node, twin().data_values(), Jacobi::kValueBytes, "the grid");
        memory.write_doubles(node, data_at_, twin().initial_data(index));
        memory.write_words(node, "values_to_come", {neighbours * columns, neighbours * columns});
        memory.write_words(
            node, "weir_parameters",
            {static_cast<std::uint32_t>(twin().rows()), columns,
             static_cast<std::uint32_t>(workload().iterations.value()),
             static_cast<std::uint32_t>(north.has_value()),
             static_cast<std::uint32_t>(south.has_value()),
             static_cast<std::uint32_t>(twin().sends_bodies()), body_send(), body_receive(),
             data_at_ + twin().offset(0, 0, 0), data_at_ + twin().offset(1, 0, 0)});
    }
}

std::optional<std::string> CompiledJacobi::check_answer(ImageMemory& memory) {
    for (std::int32_t node = 0; node < memory.node_count(); ++node) {
        const std::vector<double> data =
            memory.read_doubles(hw::NodeId(node), data_at_, twin().data_values());
        if (auto wrong = twin().fault_of(node, data)) {
            return wrong;
        }
    }
    return std::nullopt;
}

}  // namespace weir::firmware
