#include "firmware/kernels/shared_jacobi/compiled_shared_jacobi.h"

#include "firmware/sparcle/big_endian_doubles.h"

namespace weir::firmware {

void CompiledSharedJacobi::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                                      ImageMemory& memory) {
    BigEndianDoubles doubles(memory);
    twin().prepare(machine, seed, doubles);
    const std::int64_t rows = twin().rows();
    for (std::int32_t index = 0; index < machine.node_count(); ++index) {
        const hw::NodeId node(index);
        std::vector<std::uint32_t> addresses;
        for (const std::int64_t parity : {0, 1}) {
            for (std::int64_t row = -1; row <= rows; ++row) {
                addresses.push_back(twin().row_at(parity, index * rows + row));
            }
        }
        const std::uint32_t table =
            memory.allot(node, addresses.size(), sizeof(std::uint32_t), "the rows' addresses");
        memory.write_words(node, table, addresses);
        memory.write_words(
            node, "weir_parameters",
            {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(workload().grid.value()),
             static_cast<std::uint32_t>(workload().iterations.value()),
             static_cast<std::uint32_t>(workload().prefetch_lines.value()), table});
    }
}

std::optional<std::string> CompiledSharedJacobi::check_answer(ImageMemory& memory) {
    BigEndianDoubles doubles(memory);
    return twin().check(doubles);
}

}  // namespace weir::firmware
