#include "firmware/kernels/shared_em3d/shared_em3d.h"

#include <algorithm>
#include <bit>

namespace weir::firmware {

using nodes::Task;

namespace {

constexpr std::int64_t kLineValues = kSharedLine / kWordBytes;

}  // namespace

class SharedEm3d::Program final : public ProgramOf<SharedEm3d> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        std::uint32_t meeting = 0;
        processor().trace_mark(kProgramBegins, 0);
        for (std::int64_t i = 0; i < kernel_.parameters_.iterations.value(); ++i) {
            for (const Kind kind : kKinds) {
                co_await compute(kind);
                co_await kernel_.barrier_->meet(processor(), ++meeting);
            }
            ++kernel_.done_;
        }
        processor().trace_mark(kProgramEnds, 0);
    }

  private:
    Task compute(Kind kind) {
        nodes::Processor& core = processor();
        const std::int32_t self = core.node().index();
        const EdgeTables& tables = kernel_.tables_[kind];
        const hw::Cycles arithmetic = kernel_.parameters_.arithmetic_cycles.value();
        const std::int64_t ahead = kernel_.parameters_.prefetch_edges.value();
        std::uint32_t edge = 0;
        if (ahead > 0) {
            co_await core.prefetch_to_write(kernel_.address(kind, self, 0));
            for (std::int64_t i = 0; i < ahead; ++i) {
                co_await prefetch_neighbour(kind, i);
            }
        }
        for (std::int64_t i = 0; i < kernel_.values_each(); ++i) {
            if (ahead > 0 && i % kLineValues == 0 && i + kLineValues < kernel_.values_each()) {
                co_await core.prefetch_to_write(kernel_.address(kind, self, i + kLineValues));
            }
            const std::uint32_t address = kernel_.address(kind, self, i);
            auto value = std::bit_cast<float>(co_await core.load(address));
            for (std::int64_t j = 0; j < kernel_.parameters_.degree.value();
                 ++j, edge += kWordBytes) {
                if (ahead > 0) {
                    co_await prefetch_neighbour(kind, edge / kWordBytes + ahead);
                }
                const std::uint32_t at = co_await core.load(tables.neighbours + edge);
                const std::uint32_t weight = co_await core.load(tables.weights + edge);
                const std::uint32_t neighbour = co_await core.load(at);
                co_await core.compute(arithmetic);
                value =
                    updated(value, std::bit_cast<float>(weight), std::bit_cast<float>(neighbour));
            }
            co_await core.store(address, std::bit_cast<std::uint32_t>(value));
        }
    }

    Task prefetch_neighbour(Kind kind, std::int64_t edge) {
        if (edge < static_cast<std::int64_t>(kernel_.edges_each())) {
            const std::uint32_t at = co_await processor().load(
                kernel_.tables_[kind].neighbours + static_cast<std::uint32_t>(edge) * kWordBytes);
            co_await processor().prefetch(at);
        }
    }
};

std::uint32_t SharedEm3d::address(Kind kind, std::int32_t processor, std::int64_t index) const {
    return machine_.shared_address(
        hw::NodeId(processor),
        offsets_[processor][kind] + static_cast<std::uint32_t>(index) * kWordBytes);
}

void SharedEm3d::place(const nodes::MachineShape& machine, std::uint64_t /*seed*/,
                       nodes::MemoryAccess& memory) {
    start<Program>(*this, machine);
    machine_ = machine;
    const auto table_bytes = static_cast<std::uint32_t>(edges_each()) * kWordBytes;
    tables_ = {{{0, table_bytes}, {2 * table_bytes, 3 * table_bytes}}};
    SharedAllocator allocator(machine);
    barrier_.emplace(allocator, node_count_);
    offsets_.clear();
    const auto value_bytes = static_cast<std::uint32_t>((values_each() + kLineValues - 1) /
                                                        kLineValues * kLineValues * kWordBytes);
    for (std::int32_t processor = 0; processor < node_count_; ++processor) {
        const std::uint32_t offset = allocator.allocate(
            hw::NodeId(processor), 2 * value_bytes, parameters_.placement.value(), 4 * table_bytes);
        offsets_.push_back({offset, offset + value_bytes});
    }
    for (std::int32_t processor = 0; processor < node_count_; ++processor) {
        const hw::NodeId node(processor);
        for (const Kind kind : kKinds) {
            std::vector<std::uint32_t> neighbours;
            std::vector<float> weights;
            for (const Edge& edge : edges_of(kind, processor)) {
                const Kind other = kind == kElectric ? kMagnetic : kElectric;
                neighbours.push_back(address(other, edge.processor, edge.index));
                weights.push_back(edge.weight);
            }
            memory.write<std::uint32_t>(node, tables_[kind].neighbours, neighbours);
            memory.write<float>(node, tables_[kind].weights, weights);
            std::int64_t index = 0;
            for (const float value : start_of(kind, processor)) {
                memory.write<float>(node, address(kind, processor, index++), {&value, 1});
            }
        }
    }
}

std::vector<float> SharedEm3d::values_of(Kind kind, std::int32_t processor,
                                         nodes::MemoryAccess& memory) const {
    std::vector<float> values(values_each());
    std::int64_t index = 0;
    for (float& value : values) {
        memory.read<float>(hw::NodeId(processor), address(kind, processor, index++), {&value, 1});
    }
    return values;
}

}  // namespace weir::firmware
