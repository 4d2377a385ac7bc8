#include "firmware/kernels/spmv/spmv.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

namespace {

constexpr std::uint32_t kWord = 4;
constexpr std::uint32_t kReal = 8;

}  // namespace

std::optional<hw::ParameterGroup::Fault> Spmv::Parameters::check() const {
    const std::int64_t places = places_in(pattern.value(), rows.value(), half_band.value());
    if (matrix.value().empty() && nonzeros.value() > places) {
        const bool is_uniform = pattern.value() == MatrixPattern::kUniform;
        return Fault{
            "nonzeros",
            is_uniform ? "exceeds the places of the matrix" : "exceeds the places of the pattern",
            "at most " + (is_uniform ? "rows x rows" : std::to_string(places))};
    }
    return std::nullopt;
}

class Spmv::Program final : public ActiveMessageProgram {
  public:
    Program(Spmv& spmv, nodes::Processor& processor, const ActiveMessages::Parameters& parameters)
        : ActiveMessageProgram(processor, parameters),
          spmv_(spmv),
          layout_(spmv.layout_.at(static_cast<std::size_t>(processor.node().index()))),
          get_(messages().add_handler([this] { return get(); })),
          reply_(messages().add_handler([this] { return reply(); })) {}

    Task thread() override {
        const auto self = static_cast<std::uint32_t>(processor().node().index());
        const auto node_count = static_cast<std::uint32_t>(processor().node_count());
        processor().trace_mark("product begins", 0);
        std::uint32_t element = 0;
        for (std::uint32_t row = 0; row < layout_.local_rows; ++row) {
            const std::uint32_t row_end = co_await processor().load(layout_.row_end + row * kWord);
            double sum = 0.0;
            for (; element < row_end; ++element) {
                const std::uint32_t column =
                    co_await processor().load(layout_.columns + element * kWord);
                const double a = co_await processor().load_real(layout_.values + element * kReal);
                const std::uint32_t owner = column % node_count;
                std::uint32_t address = layout_.x + column / node_count * kReal;
                if (owner != self) {
                    replied_ = false;
                    co_await messages().send(hw::NodeId(static_cast<std::int32_t>(owner)), get_,
                                             {self, column / node_count});
                    co_await processor().wait_for(replied_);
                    address = layout_.reply;
                }
                const double x = co_await processor().load_real(address);
                co_await processor().compute(spmv_.parameters_.arithmetic_cycles.value());
                sum += a * x;
                ++spmv_.done_;
            }
            co_await processor().store_real(layout_.y + row * kReal, sum);
        }
        processor().trace_mark("product ends", element);
        processor().trace_mark("steady state ends", 0);
    }

  private:
    // At the owner of an element of x: loads it and sends it back.
    Task get() {
        const std::uint32_t asking_node = co_await messages().argument(0);
        const std::uint32_t index = co_await messages().argument(1);
        const double x = co_await processor().load_real(layout_.x + index * kReal);
        co_await processor().compute(spmv_.parameters_.request_handler_work_cycles.value());
        const auto bits = std::bit_cast<std::uint64_t>(x);
        co_await messages().send(
            hw::NodeId(static_cast<std::int32_t>(asking_node)), reply_,
            {static_cast<std::uint32_t>(bits >> 32), static_cast<std::uint32_t>(bits)});
    }

    Task reply() {
        const std::uint64_t high = co_await messages().argument(0);
        const std::uint64_t low = co_await messages().argument(1);
        co_await processor().store_real(layout_.reply, std::bit_cast<double>(high << 32 | low));
        co_await processor().compute(spmv_.parameters_.reply_handler_work_cycles.value());
        replied_ = true;
    }

    Spmv& spmv_;
    const Layout layout_;
    ActiveMessages::HandlerAddress get_;
    ActiveMessages::HandlerAddress reply_;
    bool replied_ = false;
};

void Spmv::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                   nodes::MemoryAccess& memory) {
    node_count_ = machine.node_count();
    const std::string path = parameters_.matrix.value();
    const auto size = static_cast<std::int32_t>(parameters_.rows.value());
    matrix_ = path.empty()
                  ? random_matrix(size, size, parameters_.nonzeros.value(), seed,
                                  parameters_.pattern.value(), parameters_.half_band.value())
                  : read_matrix_market(path);
    const RowDistribution distribution = parameters_.distribution.value();
    row_places_ = place_rows(distribution, matrix_, node_count_, seed);
    column_places_ = place_columns(distribution, matrix_, row_places_, node_count_, seed);
    hw::RandomStream elements(seed, hw::NodeId(0), "vector x");
    x_.resize(static_cast<std::size_t>(matrix_.columns));
    std::generate(x_.begin(), x_.end(), [&] { return 2.0 * elements.unit() - 1.0; });

    product_.assign(static_cast<std::size_t>(matrix_.rows), 0.0);
    for (std::size_t row = 0; row < product_.size(); ++row) {
        for (auto i = static_cast<std::size_t>(matrix_.row_begin[row]);
             i < static_cast<std::size_t>(matrix_.row_begin[row + 1]); ++i) {
            product_[row] += matrix_.value[i] * x_[static_cast<std::size_t>(matrix_.column[i])];
        }
    }
    layout_.resize(static_cast<std::size_t>(node_count_));
    remote_ = 0;
    most_nonzeros_ = 0;
    for (std::int32_t node = 0; node < node_count_; ++node) {
        place(node, memory);
    }
}

// What a node needs to know of an element of x elsewhere.
std::uint32_t Spmv::place_word(std::size_t column) const {
    const std::int64_t word =
        column_places_.index(column) * node_count_ + column_places_.owner(column);
    if (word > std::numeric_limits<std::uint32_t>::max()) {
        throw InputFault("workload.distribution",
                         "a node has too many elements of x for a word to say which",
                         "a matrix of fewer columns, or fewer nodes");
    }
    return static_cast<std::uint32_t>(word);
}

void Spmv::place(std::int32_t node, nodes::MemoryAccess& memory) {
    std::vector<std::uint32_t> row_end;
    std::vector<std::uint32_t> columns;
    std::vector<double> values;
    std::vector<double> local_x;
    for (const std::int32_t own_row : row_places_.elements_of(node)) {
        const auto row = static_cast<std::size_t>(own_row);
        for (auto i = static_cast<std::size_t>(matrix_.row_begin[row]);
             i < static_cast<std::size_t>(matrix_.row_begin[row + 1]); ++i) {
            const auto column = static_cast<std::size_t>(matrix_.column[i]);
            const std::int32_t owner = column_places_.owner(column);
            columns.push_back(place_word(column));
            values.push_back(matrix_.value[i]);
            remote_ += owner == node ? 0 : 1;
        }
        row_end.push_back(static_cast<std::uint32_t>(values.size()));
    }
    for (const std::int32_t element : column_places_.elements_of(node)) {
        local_x.push_back(x_[static_cast<std::size_t>(element)]);
    }
    most_nonzeros_ = std::max(most_nonzeros_, static_cast<std::int64_t>(values.size()));

    Layout& layout = layout_[static_cast<std::size_t>(node)];
    std::uint64_t next = 0;
    const auto allot = [&next](std::size_t count, std::uint32_t bytes) {
        const std::uint64_t address = next;
        next += (count * bytes + kReal - 1) / kReal * kReal;
        if (next > std::numeric_limits<std::uint32_t>::max()) {
            throw InputFault("workload.matrix", "a node's part does not fit into 4 GiB");
        }
        return static_cast<std::uint32_t>(address);
    };
    layout.local_rows = static_cast<std::uint32_t>(row_end.size());
    layout.reply = allot(1, kReal);
    layout.x = allot(local_x.size(), kReal);
    layout.y = allot(row_end.size(), kReal);
    layout.row_end = allot(row_end.size(), kWord);
    layout.columns = allot(columns.size(), kWord);
    layout.values = allot(values.size(), kReal);
    const hw::NodeId id(node);
    memory.write<double>(id, layout.x, local_x);
    memory.write<std::uint32_t>(id, layout.row_end, row_end);
    memory.write<std::uint32_t>(id, layout.columns, columns);
    memory.write<double>(id, layout.values, values);
    // What a node has not computed must not look like an answer.
    const std::vector<double> unset(row_end.size(), std::numeric_limits<double>::quiet_NaN());
    memory.write<double>(id, layout.y, unset);
}

std::unique_ptr<nodes::NodeProgram> Spmv::program(nodes::Processor& processor,
                                                  const ActiveMessages::Parameters& parameters) {
    return std::make_unique<Program>(*this, processor, parameters);
}

std::optional<std::string> Spmv::check(nodes::MemoryAccess& memory) {
    for (std::int32_t node = 0; node < node_count_; ++node) {
        const Layout& layout = layout_[static_cast<std::size_t>(node)];
        std::vector<double> y(layout.local_rows);
        memory.read<double>(hw::NodeId(node), layout.y, y);
        const std::vector<std::int32_t>& rows = row_places_.elements_of(node);
        for (std::size_t i = 0; i < y.size(); ++i) {
            if (auto wrong = fault_of(static_cast<std::size_t>(rows[i]), y[i])) {
                return wrong;
            }
        }
    }
    return std::nullopt;
}

// The plain product adds in the same order, so the answers are the same to the bit.
std::optional<std::string> Spmv::fault_of(std::size_t row, double y) const {
    if (y == product_[row]) {
        return std::nullopt;
    }
    return "y[" + std::to_string(row) + "] is " + std::to_string(y) + ", the plain product gives " +
           std::to_string(product_[row]);
}

Spmv::Facts Spmv::facts() const {
    return {static_cast<double>(matrix_.rows), static_cast<double>(matrix_.nonzeros()),
            static_cast<double>(remote_), static_cast<double>(most_nonzeros_)};
}

double Spmv::progress() const {
    return static_cast<double>(done_) / static_cast<double>(matrix_.nonzeros());
}

}  // namespace weir::firmware
