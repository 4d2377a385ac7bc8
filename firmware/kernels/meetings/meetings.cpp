#include "firmware/kernels/meetings/meetings.h"

#include "firmware/collectives.h"
#include "firmware/hardware_barrier.h"
#include "hw/random_stream.h"

namespace weir::firmware {

using nodes::Task;

class Meetings::Program final : public ProgramOf<Meetings> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override {
        const auto most_work =
            static_cast<std::uint64_t>(kernel_.parameters_.work_cycles.value().count());
        processor().trace_mark(kProgramBegins, 0);
        for (std::int64_t i = 0; i < kernel_.parameters_.meetings.value(); ++i) {
            const auto cycles = static_cast<std::int64_t>(work_.below(most_work + 1));
            co_await processor().compute(hw::Cycles(cycles));
            kernel_.comes(i);
            co_await meet(static_cast<std::uint32_t>(i + 1));
            kernel_.leaves(processor().node(), i);
        }
        processor().trace_mark(kProgramEnds, 0);
    }

  private:
    Task meet(std::uint32_t meeting) {
        switch (kernel_.parameters_.barrier.value()) {
            case Barrier::kSharedTree:
                return kernel_.tree_->meet(processor(), meeting);
            case Barrier::kMessages:
                return by_messages_.barrier();
            case Barrier::kHardware:
                break;
        }
        return by_hardware_.meet();
    }

    Collectives by_messages_{processor(), messages()};
    HardwareBarrier by_hardware_{processor()};
    hw::RandomStream work_{kernel_.seed_, processor().node(), "meetings work"};
};

void Meetings::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                       nodes::MemoryAccess& /*memory*/) {
    start<Program>(*this, machine, seed);
    come_ = std::vector<SharedCount>(parameters_.meetings.value());
    if (shares_memory()) {
        SharedAllocator allocator(machine);
        tree_.emplace(allocator, node_count_);
    }
}

void Meetings::leaves(hw::NodeId node, std::int64_t meeting) {
    ++done_;
    if (come_.at(meeting) < node_count_) {
        left_early_.note(
            meeting, node,
            "a node left meeting " + std::to_string(meeting) + " before all nodes had arrived");
    }
}

std::optional<std::string> Meetings::check(nodes::MemoryAccess& /*memory*/) {
    if (auto early = left_early_.fault()) {
        return early;
    }
    const std::int64_t all = parameters_.meetings.value() * node_count_;
    if (done_ != all) {
        return "nodes have left " + std::to_string(done_) + " times, and should have " +
               std::to_string(all);
    }
    return std::nullopt;
}

}  // namespace weir::firmware
