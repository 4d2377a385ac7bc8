#include "firmware/kernels/multithread/compiled_multithread.h"

namespace weir::firmware {

ElfImage CompiledMultithread::load_image() { return built_in_program("multithread"); }

void CompiledMultithread::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                                     ImageMemory& memory) {
    NoMemory nowhere;
    twin().prepare(machine, seed, nowhere);
    const auto threads = static_cast<std::uint32_t>(workload().threads.value());
    const auto reads = static_cast<std::uint32_t>(workload().reads.value());
    const auto work = static_cast<std::uint32_t>(workload().work_cycles.value().count());
    for (std::int32_t index = 0; index < machine.node_count(); ++index) {
        const hw::NodeId node(index);
        memory.write_words(node, "weir_parameters", {threads, reads / threads, work});
        const std::span<const std::uint32_t> elements = twin().elements(index);
        memory.write_words(node, "multithread_elements", {elements.begin(), elements.end()});
    }
}

std::optional<std::string> CompiledMultithread::check_answer(ImageMemory& memory) {
    const std::uint32_t sums = memory.image().address_of("multithread_sums");
    const std::size_t threads = workload().threads.value();
    for (std::int32_t node = 0; node < memory.node_count(); ++node) {
        auto fault = twin().check_sums(node, memory.read_words(hw::NodeId(node), sums, threads));
        if (fault) {
            return fault;
        }
    }
    return std::nullopt;
}

}  // namespace weir::firmware
