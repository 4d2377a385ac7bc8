#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "firmware/kernels/built_in_kernel.h"
#include "firmware/shared_memory.h"
#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// Every node repeatedly adds to one counter, under a lock or by fetch-and-add at the counter's
/// home. Lock and counter are in shared memory, at different homes.
///
/// The check: the counter is the sum of all nodes' additions.
class SharedLockKernel final : public BuiltInKernel {
  public:
    enum class Method : std::uint8_t {
        kLock,         ///< acquire, load, store, release
        kFetchAndAdd,  ///< one operation at the counter's home
    };

    struct Parameters : hw::ParameterGroup {
        Parameters()
            : ParameterGroup("workload",
                             "shared-lock: additions to a counter under a lock, by shared memory") {
        }

        hw::Choice<Method> method{
            *this,
            "method",
            Method::kLock,
            {{Method::kLock, "lock"}, {Method::kFetchAndAdd, "fetch_and_add"}},
            "Method of addition to the counter. lock: a thread takes the lock and adds. "
            "fetch_and_add: the counter's home adds, without a lock (needs "
            "coherence.fetch_and_op)"};
        hw::Choice<LockKind> lock{*this,
                                  "lock",
                                  LockKind::kTestAndTestAndSet,
                                  {{LockKind::kTestAndSet, "test_and_set"},
                                   {LockKind::kTestAndTestAndSet, "test_and_test_and_set"},
                                   {LockKind::kQueue, "queue"}},
                                  "Kind of lock. test_and_set: exchange until the lock was free. "
                                  "test_and_test_and_set: load until the lock is free, then "
                                  "exchange. queue: each thread of a queue spins on its own line",
                                  hw::when("workload.method").is("lock")};
        hw::Parameter<std::int64_t> acquisitions{
            *this, "acquisitions", 50, {1, 1'000'000}, "Number of additions by each thread"};
        hw::Parameter<std::int64_t> threads{
            *this,
            "threads",
            1,
            {1, 4},
            "Number of threads of each node, each in its own hardware context (core.contexts)"};
        hw::Parameter<hw::Cycles> inside_cycles{*this,
                                                "inside_cycles",
                                                20,
                                                {0, 1'000'000},
                                                "Computation of a thread while it holds the lock",
                                                hw::when("workload.method").is("lock")};
        hw::Parameter<hw::Cycles> outside_cycles{*this,
                                                 "outside_cycles",
                                                 100,
                                                 {0, 1'000'000},
                                                 "Computation of a thread after each addition"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    void prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                 nodes::MemoryAccess& memory) override;
    std::optional<std::string> check(nodes::MemoryAccess& memory) override;
    [[nodiscard]] bool shares_memory() const override { return true; }
    [[nodiscard]] bool fetches_at_homes() const override {
        return parameters_.method.value() == Method::kFetchAndAdd;
    }
    /// Fault in the final value of the counter, or nothing.
    [[nodiscard]] std::optional<std::string> fault_of(std::uint32_t counted) const;
    /// Address of the counter.
    [[nodiscard]] std::uint32_t counter() const { return counter_; }
    [[nodiscard]] std::int64_t threads_per_node() const override {
        return parameters_.threads.value();
    }
    [[nodiscard]] MessagePattern message_pattern() const override {
        return {.operations_per_node =
                    static_cast<double>(parameters_.acquisitions.value() * threads_per_node())};
    }
    [[nodiscard]] double work() const override { return static_cast<double>(all_additions()); }

  private:
    class Program;
    [[nodiscard]] std::int64_t all_additions() const {
        return parameters_.acquisitions.value() * threads_per_node() * node_count_;
    }

    Parameters parameters_;
    std::optional<SharedLock> lock_;
    std::uint32_t counter_ = 0;  // address of the counter
};

/// shared_lock.c on Sparcle nodes, with its twin's check. Several threads of a node run in its
/// hardware contexts.
class CompiledSharedLock final : public TwinKernel<SharedLockKernel> {
  protected:
    [[nodiscard]] ElfImage load_image() override;
    void write_data(const nodes::MachineShape& machine, std::uint64_t seed,
                    ImageMemory& memory) override;
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& memory) override;
};

}  // namespace weir::firmware
