#include "firmware/kernels/shared_wavefront/compiled_shared_wavefront.h"

#include "firmware/sparcle/big_endian_doubles.h"

namespace weir::firmware {

void CompiledSharedWavefront::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                                         ImageMemory& memory) {
    BigEndianDoubles doubles(memory);
    twin().prepare(machine, seed, doubles);
    for (std::int32_t index = 0; index < machine.node_count(); ++index) {
        const hw::NodeId node(index);
        const bool is_first = index == 0;
        const bool is_last = index + 1 == machine.node_count();
        memory.write_words(node, "weir_parameters",
                           {static_cast<std::uint32_t>(workload().grid.value()),
                            static_cast<std::uint32_t>(twin().rows()),
                            static_cast<std::uint32_t>(workload().iterations.value()),
                            static_cast<std::uint32_t>(workload().synchronization.value()),
                            static_cast<std::uint32_t>(workload().block.value()),
                            static_cast<std::uint32_t>(twin().spacing()), twin().strip_of(node),
                            twin().handed(node, true), twin().handed(node, false),
                            is_first ? 0 : twin().handed(hw::NodeId(index - 1), true),
                            is_last ? 0 : twin().handed(hw::NodeId(index + 1), false)});
    }
}

std::optional<std::string> CompiledSharedWavefront::check_answer(ImageMemory& memory) {
    BigEndianDoubles doubles(memory);
    return twin().check(doubles);
}

}  // namespace weir::firmware
