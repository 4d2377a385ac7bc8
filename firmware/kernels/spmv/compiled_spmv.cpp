#include "firmware/kernels/spmv/compiled_spmv.h"

namespace weir::firmware {

namespace {

constexpr std::uint32_t kDoubleBytes = 8;

}  // namespace

ElfImage CompiledSpmv::load_image() { return built_in_program("spmv"); }

void CompiledSpmv::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                              ImageMemory& memory) {
    NoMemory nowhere;
    twin().prepare(machine, seed, nowhere);
    const ElementPlaces& places = twin().column_places();
    y_.clear();
    for (std::int32_t index = 0; index < machine.node_count(); ++index) {
        const SparseProduct::Part part = twin().part_of(index);
        std::vector<std::uint32_t> columns;
        for (const std::size_t column : part.columns) {
            columns.push_back(static_cast<std::uint32_t>(places.owner(column)));
            columns.push_back(static_cast<std::uint32_t>(places.index(column)));
        }
        const hw::NodeId node(index);
        const std::uint32_t x_at = memory.allot(node, part.x.size(), kDoubleBytes, "x");
        y_.push_back(memory.allot(node, part.row_end.size(), kDoubleBytes, "y"));
        const std::uint32_t row_end_at =
            memory.allot(node, part.row_end.size(), WEIR_WORD_BYTES, "the matrix");
        const std::uint32_t columns_at =
            memory.allot(node, columns.size(), WEIR_WORD_BYTES, "the matrix");
        const std::uint32_t values_at =
            memory.allot(node, part.values.size(), kDoubleBytes, "the matrix");
        memory.write_doubles(node, x_at, part.x);
        memory.write_doubles(node, y_.back(), twin().unset(index));
        memory.write_words(node, row_end_at, part.row_end);
        memory.write_words(node, columns_at, columns);
        memory.write_doubles(node, values_at, part.values);
        memory.write_words(node, "weir_parameters",
                           {static_cast<std::uint32_t>(part.row_end.size()), row_end_at, columns_at,
                            values_at, x_at, y_.back()});
        memory.write_words(node, "spmv_x", {x_at});
    }
}

std::optional<std::string> CompiledSpmv::check_answer(ImageMemory& memory) {
    for (std::int32_t index = 0; index < static_cast<std::int32_t>(y_.size()); ++index) {
        const std::vector<double> y =
            memory.read_doubles(hw::NodeId(index), y_[index], twin().rows_of(index));
        if (auto wrong = twin().fault_of(index, y)) {
            return wrong;
        }
    }
    return std::nullopt;
}

}  // namespace weir::firmware
