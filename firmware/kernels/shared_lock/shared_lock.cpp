#include "firmware/kernels/shared_lock/shared_lock.h"

#include <array>

#include "firmware/kernels/shared_lock/counter_check.h"

namespace weir::firmware {

using nodes::Task;

class SharedLockKernel::Program final : public ProgramOf<SharedLockKernel> {
  public:
    using ProgramOf::ProgramOf;

    Task thread() override { return add(0); }
    [[nodiscard]] std::int32_t thread_count() const override {
        return static_cast<std::int32_t>(kernel_.threads_per_node());
    }
    Task thread_of_context(std::int32_t context) override { return add(context); }

  private:
    Task add(std::int32_t thread) {
        const Parameters& parameters = kernel_.parameters_;
        nodes::Processor& core = processor();
        const Spinner spinner{core, thread, thread_count() > 1};
        core.trace_mark(kProgramBegins, 0);
        for (std::int64_t i = 0; i < parameters.acquisitions.value(); ++i) {
            if (kernel_.fetches_at_homes()) {
                co_await core.fetch_and_add(kernel_.counter_, 1);
            } else {
                co_await add_under_lock(spinner);
            }
            co_await core.compute(parameters.outside_cycles.value());
            ++kernel_.done_;
        }
        core.trace_mark(kProgramEnds, 0);
    }

    Task add_under_lock(Spinner spinner) {
        nodes::Processor& core = processor();
        co_await kernel_.lock_->acquire(spinner);
        const std::uint32_t count = co_await core.load(kernel_.counter_);
        co_await core.compute(kernel_.parameters_.inside_cycles.value());
        co_await core.store(kernel_.counter_, count + 1);
        co_await kernel_.lock_->release(spinner);
    }
};

void SharedLockKernel::prepare(const nodes::MachineShape& machine, std::uint64_t /*seed*/,
                               nodes::MemoryAccess& /*memory*/) {
    start<Program>(*this, machine);
    SharedAllocator allocator(machine);
    lock_.emplace(parameters_.lock.value(), allocator, hw::NodeId(0), node_count_,
                  static_cast<std::int32_t>(threads_per_node()));
    counter_ = allocator.line(hw::NodeId(node_count_ - 1));
}

std::optional<std::string> SharedLockKernel::check(nodes::MemoryAccess& memory) {
    std::array<std::uint32_t, 1> counted{};
    memory.read<std::uint32_t>(hw::NodeId(0), counter_, counted);
    return fault_of(counted[0]);
}

std::optional<std::string> SharedLockKernel::fault_of(std::uint32_t counted) const {
    return counter_fault(counted, all_additions());
}

ElfImage CompiledSharedLock::load_image() {
    return built_in_program(threads_per_node() > 1 ? "shared-lock-contexts" : "shared-lock");
}

void CompiledSharedLock::write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                                    ImageMemory& memory) {
    NoMemory nowhere;
    twin().prepare(machine, seed, nowhere);
    for (std::int32_t node = 0; node < machine.node_count(); ++node) {
        memory.write_words(
            hw::NodeId(node), "weir_parameters",
            {static_cast<std::uint32_t>(workload().lock.value()), fetches_at_homes() ? 1U : 0U,
             static_cast<std::uint32_t>(workload().acquisitions.value()),
             static_cast<std::uint32_t>(threads_per_node()),
             static_cast<std::uint32_t>(workload().inside_cycles.value().count()),
             static_cast<std::uint32_t>(workload().outside_cycles.value().count())});
    }
}

std::optional<std::string> CompiledSharedLock::check_answer(ImageMemory& memory) {
    return twin().fault_of(memory.read_words(hw::NodeId(0), twin().counter(), 1).front());
}

}  // namespace weir::firmware
