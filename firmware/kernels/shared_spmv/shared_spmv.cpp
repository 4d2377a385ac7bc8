#include "firmware/kernels/shared_spmv/shared_spmv.h"

#include <algorithm>
#include <limits>

namespace weir::firmware {

using nodes::Task;

class SharedSpmv::Program final : public ProgramOf<SharedSpmv> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        nodes::Processor& core = processor();
        const auto ahead =
            static_cast<std::uint32_t>(kernel_.parameters_.prefetch_nonzeros.value());
        core.trace_mark(kProgramBegins, 0);
        core.trace_mark(kProductBegins, 0);
        for (std::uint32_t i = 0; i < ahead; ++i) {
            co_await prefetch_element(i);
        }
        std::uint32_t element = 0;
        for (std::uint32_t row = 0; row < layout_.rows; ++row) {
            const std::uint32_t row_end = co_await core.load(layout_.row_end + row * kWordBytes);
            double sum = 0.0;
            for (; element < row_end; ++element) {
                if (ahead > 0) {
                    co_await prefetch_element(element + ahead);
                }
                const std::uint32_t at =
                    co_await core.load(layout_.addresses + element * kWordBytes);
                const double a = co_await core.load_real(layout_.values + element * kRealBytes);
                const double x = co_await core.load_real(at);
                co_await core.compute(kernel_.parameters_.arithmetic_cycles.value());
                sum += a * x;
                ++kernel_.done_;
            }
            co_await core.store_real(kernel_.y_address(core.node().index(), row), sum);
        }
        core.trace_mark(kProductEnds, element);
        core.trace_mark(kProgramEnds, 0);
    }

  private:
    Task prefetch_element(std::uint32_t element) {
        if (element < layout_.nonzeros) {
            const std::uint32_t at =
                co_await processor().load(layout_.addresses + element * kWordBytes);
            co_await processor().prefetch(at);
        }
    }

    const Layout layout_{kernel_.layout_.at(processor().node())};
};

std::uint32_t SharedSpmv::x_address(std::int32_t node, std::int64_t index) const {
    return machine_.shared_address(
        hw::NodeId(node), layout_[node].x + static_cast<std::uint32_t>(index) * kRealBytes);
}

std::uint32_t SharedSpmv::y_address(std::int32_t node, std::int64_t index) const {
    return machine_.shared_address(
        hw::NodeId(node), layout_[node].y + static_cast<std::uint32_t>(index) * kRealBytes);
}

// Numbers of rows differ, so each node gets the space that the largest part needs.
void SharedSpmv::place_shared(const std::vector<Part>& parts) {
    std::size_t most_x = 0;
    std::size_t most_y = 0;
    std::size_t most_private = 0;
    for (const Part& part : parts) {
        most_x = std::max(most_x, part.x.size() + part.x.size() % 2);
        most_y = std::max(most_y, part.row_end.size());
        most_private = std::max(most_private, part.values.size() * (kRealBytes + kWordBytes) +
                                                  part.row_end.size() * kWordBytes);
    }
    SharedAllocator allocator(machine_);
    const auto x_bytes = static_cast<std::uint32_t>(most_x) * kRealBytes;
    const auto y_bytes = static_cast<std::uint32_t>(most_y) * kRealBytes;
    for (std::int32_t node = 0; node < node_count_; ++node) {
        Layout& layout = layout_[node];
        layout.x =
            allocator.allocate(hw::NodeId(node), x_bytes + y_bytes, parameters_.placement.value(),
                               static_cast<std::uint32_t>(most_private));
        layout.y = layout.x + x_bytes;
    }
}

void SharedSpmv::place(const nodes::MachineShape& machine, nodes::MemoryAccess& memory) {
    start<Program>(*this, machine);
    machine_ = machine;
    layout_.assign(node_count_, {});
    std::vector<Part> parts;
    parts.reserve(node_count_);
    for (std::int32_t node = 0; node < node_count_; ++node) {
        parts.push_back(part_of(node));
    }
    place_shared(parts);
    for (std::int32_t node = 0; node < node_count_; ++node) {
        const hw::NodeId id(node);
        const Part& part = parts[node];
        std::vector<std::uint32_t> addresses;
        for (const std::size_t column : part.columns) {
            addresses.push_back(
                x_address(column_places().owner(column), column_places().index(column)));
        }
        Layout& layout = layout_[node];
        const std::size_t row_end = part.values.size() * kRealBytes;
        const std::size_t end = row_end + (part.row_end.size() + addresses.size()) * kWordBytes;
        if (end > std::numeric_limits<std::uint32_t>::max()) {
            throw InputFault("workload.matrix", "a node's part does not fit into 4 GiB");
        }
        layout.rows = static_cast<std::uint32_t>(part.row_end.size());
        layout.nonzeros = static_cast<std::uint32_t>(addresses.size());
        layout.row_end = static_cast<std::uint32_t>(row_end);
        layout.addresses = layout.row_end + layout.rows * kWordBytes;
        memory.write<double>(id, layout.values, part.values);
        memory.write<std::uint32_t>(id, layout.row_end, part.row_end);
        memory.write<std::uint32_t>(id, layout.addresses, addresses);
        std::int64_t index = 0;
        for (const double x : part.x) {
            memory.write<double>(id, x_address(node, index++), {&x, 1});
        }
        std::int64_t row = 0;
        for (const double y : unset(node)) {
            memory.write<double>(id, y_address(node, row++), {&y, 1});
        }
    }
}

std::vector<double> SharedSpmv::y_of(std::int32_t node, nodes::MemoryAccess& memory) const {
    std::vector<double> y(rows_of(node));
    std::int64_t index = 0;
    for (double& element : y) {
        memory.read<double>(hw::NodeId(node), y_address(node, index++), {&element, 1});
    }
    return y;
}

}  // namespace weir::firmware
