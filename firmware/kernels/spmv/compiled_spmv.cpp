#include "firmware/kernels/spmv/compiled_spmv.h"

#include <limits>

namespace weir::firmware {

namespace {

constexpr std::uint32_t kDoubleBytes = 8;

}  // namespace

ElfImage CompiledSpmv::load_image() { return built_in_program("spmv"); }

void CompiledSpmv::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                              ImageMemory& memory) {
    NoMemory nowhere;
    twin().prepare(machine, seed, nowhere);
    const SparseMatrix& matrix = twin().matrix();
    const auto nodes = static_cast<std::size_t>(machine.node_count());
    y_.clear();
    for (std::size_t index = 0; index < nodes; ++index) {
        std::vector<std::uint32_t> row_end;
        std::vector<std::uint32_t> columns;
        std::vector<double> values;
        std::vector<double> x;
        const hw::NodeId node(static_cast<std::int32_t>(index));
        for (const std::int32_t own_row : twin().row_places().elements_of(node.index())) {
            const auto row = static_cast<std::size_t>(own_row);
            for (auto i = static_cast<std::size_t>(matrix.row_begin[row]);
                 i < static_cast<std::size_t>(matrix.row_begin[row + 1]); ++i) {
                const auto column = static_cast<std::size_t>(matrix.column[i]);
                const ElementPlaces& places = twin().column_places();
                columns.push_back(static_cast<std::uint32_t>(places.owner(column)));
                columns.push_back(static_cast<std::uint32_t>(places.index(column)));
                values.push_back(matrix.value[i]);
            }
            row_end.push_back(static_cast<std::uint32_t>(values.size()));
        }
        for (const std::int32_t element : twin().column_places().elements_of(node.index())) {
            x.push_back(twin().x()[static_cast<std::size_t>(element)]);
        }
        const std::uint32_t x_at = memory.allot(node, x.size(), kDoubleBytes, "x");
        y_.push_back(memory.allot(node, row_end.size(), kDoubleBytes, "y"));
        const std::uint32_t row_end_at =
            memory.allot(node, row_end.size(), WEIR_WORD_BYTES, "the matrix");
        const std::uint32_t columns_at =
            memory.allot(node, columns.size(), WEIR_WORD_BYTES, "the matrix");
        const std::uint32_t values_at =
            memory.allot(node, values.size(), kDoubleBytes, "the matrix");
        memory.write_doubles(node, x_at, x);
        // What a node has not computed must not look like an answer.
        const std::vector<double> unset(row_end.size(), std::numeric_limits<double>::quiet_NaN());
        memory.write_doubles(node, y_.back(), unset);
        memory.write_words(node, row_end_at, row_end);
        memory.write_words(node, columns_at, columns);
        memory.write_doubles(node, values_at, values);
        memory.write_words(node, "weir_parameters",
                           {static_cast<std::uint32_t>(row_end.size()), row_end_at, columns_at,
                            values_at, x_at, y_.back()});
        memory.write_words(node, "spmv_x", {x_at});
    }
}

std::optional<std::string> CompiledSpmv::check_answer(ImageMemory& memory) {
    for (std::size_t index = 0; index < y_.size(); ++index) {
        const hw::NodeId node(static_cast<std::int32_t>(index));
        const std::vector<std::int32_t>& rows = twin().row_places().elements_of(node.index());
        const std::vector<double> y = memory.read_doubles(node, y_[index], rows.size());
        for (std::size_t i = 0; i < y.size(); ++i) {
            if (auto wrong = twin().fault_of(static_cast<std::size_t>(rows[i]), y[i])) {
                return wrong;
            }
        }
    }
    return std::nullopt;
}

}  // namespace weir::firmware
