#include "firmware/kernels/shared_lock/compiled_shared_lock.h"

namespace weir::firmware {

ElfImage CompiledSharedLock::load_image() {
    return built_in_program(threads_per_node() > 1 ? "shared-lock-contexts" : "shared-lock");
}

void CompiledSharedLock::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                                    ImageMemory& memory) {
    NoMemory nowhere;
    twin().prepare(machine, seed, nowhere);
    for (std::int32_t node = 0; node < machine.node_count(); ++node) {
        memory.write_words(
            hw::NodeId(node), "weir_parameters",
            {static_cast<std::uint32_t>(workload().lock.value()), fetches_at_homes() ? 1U : 0U,
             static_cast<std::uint32_t>(workload().acquisitions.value()),
             static_cast<std::uint32_t>(threads_per_node()),
             static_cast<std::uint32_t>(workload().inside_cycles.value().count()),
             static_cast<std::uint32_t>(workload().outside_cycles.value().count())});
    }
}

std::optional<std::string> CompiledSharedLock::check_answer(ImageMemory& memory) {
    return twin().fault_of(memory.read_words(hw::NodeId(0), twin().counter(), 1).front());
}

}  // namespace weir::firmware
