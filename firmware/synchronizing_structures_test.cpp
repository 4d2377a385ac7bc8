#include "firmware/synchronizing_structures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "hw/testing/names.h"
#include "nodes/shared_memory/testing/shared_bench.h"

namespace weir::firmware {

namespace {

using hw::Cycles;
using nodes::Processor;
using nodes::ProgramFault;
using nodes::RunEnd;
using nodes::Task;
using nodes::testing::SharedBench;
using weir::testing::Names;

/// Eight nodes that share a J-structure at node 3 and an element of an L-structure at node 5.
class SynchronizingStructuresTest : public ::testing::Test {
  protected:
    using Script = std::function<Task(Processor&)>;

    RunEnd run(const Script& script) {
        bench_.thread = [script](Processor& processor, ActiveMessages&) -> Task {
            co_await script(processor);
        };
        return bench_.run({.watchdog_cycles = Cycles(20'000)});
    }
    // Layout as in the machine: each home has a contiguous range of addresses.
    static nodes::MachineShape shape() {
        return {.mesh_extents = {4, 2},
                .memory_bytes = hw::Bytes(1 << 22),
                .shared_bytes = hw::Bytes(nodes::testing::kSharedBytes),
                .shared_address_of = [](hw::NodeId home, std::uint32_t offset) {
                    return SharedBench::shared(home.index(), offset);
                }};
    }

    SharedBench bench_;
    nodes::MachineShape shape_ = shape();
    SharedAllocator allocator_{shape_};
    JStructure values_{allocator_, shape_, hw::NodeId(3), 4, 8};
    LElement counter_{allocator_.line(hw::NodeId(5))};
};

TEST_F(SynchronizingStructuresTest, WhoReadsAnElementWaitsUntilItIsWritten) {
    std::vector<double> read;
    std::vector<std::int64_t> cycles;
    EXPECT_EQ(run([&](Processor& p) -> Task {
                  if (p.node().index() == 0) {
                      co_await values_.reset(p, 2);
                      co_await p.wait_until(Cycles(3000));
                      co_await values_.write(p, 2, 1.5);
                      co_return;
                  }
                  co_await p.wait_until(Cycles(1000));
                  read.push_back(co_await values_.read(p, 2));
                  cycles.push_back(p.now().count());
              }),
              RunEnd::kFinished);
    EXPECT_EQ(read, std::vector<double>(7, 1.5));
    EXPECT_THAT(cycles, ::testing::Each(::testing::Gt(3000)));
}

TEST_F(SynchronizingStructuresTest, ASecondWriteIsAFault) {
    EXPECT_THAT(
        [&] {
            run([&](Processor& p) -> Task {
                if (p.node().index() == 0) {
                    co_await values_.reset(p, 1);
                    co_await values_.write(p, 1, 1.0);
                    co_await values_.write(p, 1, 2.0);
                }
            });
        },
        ::testing::Throws<ProgramFault>(::testing::Property(
            &ProgramFault::what, Names("second", "write", "element 1", "J-structure"))));
}

TEST_F(SynchronizingStructuresTest, WhoTakesAnElementHasItAlone) {
    constexpr std::uint32_t kTurns = 20;
    std::uint32_t last = 0;
    EXPECT_EQ(run([&](Processor& p) -> Task {
                  for (std::uint32_t i = 0; i < kTurns; ++i) {
                      const std::uint32_t before = co_await counter_.take(p);
                      co_await p.compute(Cycles(7));
                      co_await counter_.put(p, before + 1);
                  }
                  last = std::max(last, co_await counter_.look(p));
              }),
              RunEnd::kFinished);
    EXPECT_EQ(last, 8 * kTurns);
}

TEST_F(SynchronizingStructuresTest, WhoPutsWhatNobodyHasTakenIsAtFault) {
    EXPECT_THAT([&] { run([&](Processor& p) -> Task { co_await counter_.put(p, 1); }); },
                ::testing::Throws<ProgramFault>(::testing::Property(
                    &ProgramFault::what, Names("put", "L-structure", "taken"))));
}

}  // namespace

}  // namespace weir::firmware
