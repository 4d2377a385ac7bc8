#include "firmware/kernels/spmv/spmv.h"

#include <bit>
#include <limits>

namespace weir::firmware {

using nodes::Task;

class Spmv::Program final : public ActiveMessageProgram {
  public:
    Program(Spmv& spmv, nodes::Processor& processor, const ActiveMessages::Parameters& parameters)
        : ActiveMessageProgram(processor, parameters),
          spmv_(spmv),
          layout_(spmv.layout_.at(processor.node())),
          get_(messages().add_handler([this] { return get(); })),
          reply_(messages().add_handler([this] { return reply(); })) {}

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
                co_await processor().compute(spmv_.parameters_.arithmetic_cycles.value());
                sum += a * x;
                spmv_.count_nonzero();
            }
            co_await processor().store_real(layout_.y + row * kRealBytes, sum);
        }
        processor().trace_mark(kProductEnds, element);
        processor().trace_mark("steady state ends", 0);
    }

  private:
    // At the owner of an element of x: loads it and sends it back.
    Task get() {
        const std::uint32_t asking_node = co_await messages().argument(0);
        const std::uint32_t index = co_await messages().argument(1);
        const double x = co_await processor().load_real(layout_.x + index * kRealBytes);
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

void Spmv::place(const nodes::MachineShape& /*machine*/, nodes::MemoryAccess& memory) {
    layout_.resize(node_count());
    for (std::int32_t node = 0; node < node_count(); ++node) {
        place(node, memory);
    }
}

// What a node needs to know of an element of x elsewhere.
std::uint32_t Spmv::place_word(std::size_t column) const {
    const std::int64_t word =
        column_places().index(column) * node_count() + column_places().owner(column);
    if (word > std::numeric_limits<std::uint32_t>::max()) {
        throw InputFault("workload.distribution",
                         "a node has too many elements of x for a word to say which",
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

std::unique_ptr<nodes::NodeProgram> Spmv::program(nodes::Processor& processor,
                                                  const ActiveMessages::Parameters& parameters) {
    return std::make_unique<Program>(*this, processor, parameters);
}

std::vector<double> Spmv::y_of(std::int32_t node, nodes::MemoryAccess& memory) const {
    std::vector<double> y(rows_of(node));
    memory.read<double>(hw::NodeId(node), layout_[node].y, y);
    return y;
}

}  // namespace weir::firmware
