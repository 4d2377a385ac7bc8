#include "firmware/kernels/spmv/spmv.h"

#include <bit>
#include <limits>

namespace weir::firmware {

using nodes::Task;

class Spmv::Program final : public ProgramOf<Spmv> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        const auto self = static_cast<std::uint32_t>(processor().node().index());
        const auto node_count = static_cast<std::uint32_t>(processor().node_count());
        processor().trace_mark(kProductBegins, 0);
        std::uint32_t element = 0;
        for (std::uint32_t row = 0; row < layout_.local_rows; ++row) {
            const std::uint32_t row_end =
                co_await processor().load(layout_.row_end + row * kWordBytes);
            double sum = 0.0;
            for (; element < row_end; ++element) {
                const std::uint32_t column =
                    co_await processor().load(layout_.columns + element * kWordBytes);
                const double a =
                    co_await processor().load_real(layout_.values + element * kRealBytes);
                const std::uint32_t owner = column % node_count;
                std::uint32_t address = layout_.x + column / node_count * kRealBytes;
                if (owner != self) {
                    replied_ = false;
                    co_await messages().send(hw::NodeId(static_cast<std::int32_t>(owner)), get_,
                                             {self, column / node_count});
                    co_await processor().wait_for(replied_);
                    address = layout_.reply;
                }
                const double x = co_await processor().load_real(address);
                co_await processor().compute(kernel_.parameters_.arithmetic_cycles.value());
                sum += a * x;
                ++kernel_.done_;
            }
            co_await processor().store_real(layout_.y + row * kRealBytes, sum);
        }
        processor().trace_mark(kProductEnds, element);
        processor().trace_mark("steady state ends", 0);
    }

  private:
    // Handler at the owner of an element of x: loads the element and sends it back.
    Task get() {
        const std::uint32_t asking_node = co_await messages().argument(0);
        const std::uint32_t index = co_await messages().argument(1);
        const double x = co_await processor().load_real(layout_.x + index * kRealBytes);
        co_await processor().compute(kernel_.parameters_.request_handler_work_cycles.value());
        const auto bits = std::bit_cast<std::uint64_t>(x);
        co_await messages().send(
            hw::NodeId(static_cast<std::int32_t>(asking_node)), reply_,
            {static_cast<std::uint32_t>(bits >> 32), static_cast<std::uint32_t>(bits)});
    }

    Task reply() {
        const std::uint64_t high = co_await messages().argument(0);
        const std::uint64_t low = co_await messages().argument(1);
        co_await processor().store_real(layout_.reply, std::bit_cast<double>(high << 32 | low));
        co_await processor().compute(kernel_.parameters_.reply_handler_work_cycles.value());
        replied_ = true;
    }

    const Layout layout_{kernel_.layout_.at(processor().node())};
    ActiveMessages::HandlerAddress get_ = messages().add_handler([this] { return get(); });
    ActiveMessages::HandlerAddress reply_ = messages().add_handler([this] { return reply(); });
    bool replied_ = false;
};

void Spmv::place(const nodes::MachineShape& machine, nodes::MemoryAccess& memory) {
    start<Program>(*this, machine);
    layout_.resize(node_count_);
    for (std::int32_t node = 0; node < node_count_; ++node) {
        place(node, memory);
    }
}

// Word that stores a column: index * P + owner of its element of x, for P nodes.
std::uint32_t Spmv::place_word(std::size_t column) const {
    const std::int64_t word =
        column_places().index(column) * node_count_ + column_places().owner(column);
    if (word > std::numeric_limits<std::uint32_t>::max()) {
        throw InputFault("workload.distribution",
                         "a node has too many elements of x for their index in a word",
                         "a matrix of fewer columns, or fewer nodes");
    }
    return static_cast<std::uint32_t>(word);
}

void Spmv::place(std::int32_t node, nodes::MemoryAccess& memory) {
    const Part part = part_of(node);
    std::vector<std::uint32_t> columns;
    for (const std::size_t column : part.columns) {
        columns.push_back(place_word(column));
    }
    Layout& layout = layout_[node];
    std::uint64_t next = 0;
    const auto allot = [&next](std::size_t count, std::uint32_t bytes) {
        const std::uint64_t address = next;
        next += (count * bytes + kRealBytes - 1) / kRealBytes * kRealBytes;
        if (next > std::numeric_limits<std::uint32_t>::max()) {
            throw InputFault("workload.matrix", "a node's part does not fit into 4 GiB");
        }
        return static_cast<std::uint32_t>(address);
    };
    layout.local_rows = static_cast<std::uint32_t>(part.row_end.size());
    layout.reply = allot(1, kRealBytes);
    layout.x = allot(part.x.size(), kRealBytes);
    layout.y = allot(part.row_end.size(), kRealBytes);
    layout.row_end = allot(part.row_end.size(), kWordBytes);
    layout.columns = allot(columns.size(), kWordBytes);
    layout.values = allot(part.values.size(), kRealBytes);
    const hw::NodeId id(node);
    memory.write<double>(id, layout.x, part.x);
    memory.write<std::uint32_t>(id, layout.row_end, part.row_end);
    memory.write<std::uint32_t>(id, layout.columns, columns);
    memory.write<double>(id, layout.values, part.values);
    memory.write<double>(id, layout.y, unset(node));
}

std::vector<double> Spmv::y_of(std::int32_t node, nodes::MemoryAccess& memory) const {
    std::vector<double> y(rows_of(node));
    memory.read<double>(hw::NodeId(node), layout_[node].y, y);
    return y;
}

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
