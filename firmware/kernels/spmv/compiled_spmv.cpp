#include "firmware/kernels/spmv/compiled_spmv.h"

#include <limits>

namespace weir::firmware {

namespace {

constexpr std::uint32_t kDoubleBytes = 8;

}  // namespace

ElfImage CompiledSpmv::load_image() { return built_in_program("spmv"); }

void CompiledSpmv::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                              ImageMemory& memory) {
    refuse_if_set(workload(), workload().arithmetic_cycles);
    refuse_if_set(workload(), workload().request_handler_work_cycles);
    refuse_if_set(workload(), workload().reply_handler_work_cycles);
    NoMemory nowhere;
    twin().prepare(machine, seed, nowhere);
    const SparseMatrix& matrix = twin().matrix();
    const auto nodes = static_cast<std::size_t>(machine.node_count());
    remote_nonzeros_ = 0.0;
    y_.clear();
    for (std::size_t index = 0; index < nodes; ++index) {
        std::vector<std::uint32_t> row_end;
        std::vector<std::uint32_t> columns;
        std::vector<double> values;
        std::vector<double> x;
        for (std::size_t row = index; row < static_cast<std::size_t>(matrix.rows); row += nodes) {
            for (auto i = static_cast<std::size_t>(matrix.row_begin[row]);
                 i < static_cast<std::size_t>(matrix.row_begin[row + 1]); ++i) {
                const auto column = static_cast<std::size_t>(matrix.column[i]);
                columns.push_back(static_cast<std::uint32_t>(column % nodes));
                columns.push_back(static_cast<std::uint32_t>(column / nodes));
                values.push_back(matrix.value[i]);
                remote_nonzeros_ += column % nodes != index ? 1.0 : 0.0;
            }
            row_end.push_back(static_cast<std::uint32_t>(values.size()));
        }
        for (std::size_t i = index; i < twin().x().size(); i += nodes) {
            x.push_back(twin().x()[i]);
        }
        const hw::NodeId node(static_cast<std::int32_t>(index));
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
    const auto rows = static_cast<std::size_t>(twin().matrix().rows);
    for (std::size_t index = 0; index < y_.size(); ++index) {
        const std::size_t local_rows = rows > index ? (rows - index - 1) / y_.size() + 1 : 0;
        const std::vector<double> y = memory.read_doubles(
            hw::NodeId(static_cast<std::int32_t>(index)), y_[index], local_rows);
        for (std::size_t i = 0; i < y.size(); ++i) {
            if (auto wrong = twin().fault_of(i * y_.size() + index, y[i])) {
                return wrong;
            }
        }
    }
    return std::nullopt;
}

std::vector<std::pair<std::string, double>> CompiledSpmv::facts() const {
    std::vector<std::pair<std::string, double>> facts = TwinKernel<Spmv>::facts();
    for (auto& [name, value] : facts) {
        value = name == "remote_nonzeros" ? remote_nonzeros_ : value;
    }
    return facts;
}

}  // namespace weir::firmware
