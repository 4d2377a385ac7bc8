#include "firmware/collectives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "firmware/testing/machine_bench.h"

namespace weir::firmware {
namespace {

using nodes::Processor;
using nodes::Task;

/// Every node's thread runs `script`, which calls the collectives.
class CollectivesTest : public ::testing::TestWithParam<std::int64_t> {
  protected:
    using Script = std::function<Task(Processor&, Collectives&)>;

    class Program final : public ActiveMessageProgram {
      public:
        Program(Processor& node_processor, const ActiveMessages::Parameters& parameters,
                const Script& script)
            : ActiveMessageProgram(node_processor, parameters),
              collectives_(node_processor, messages()),
              script_(script) {}
        Task thread() override { return script_(processor(), collectives_); }

      private:
        Collectives collectives_;
        const Script& script_;
    };

    void run(const Script& script) {
        bench_.set_dimensions({GetParam()});
        bench_.build().load([&](Processor& processor) {
            return std::make_unique<Program>(processor, bench_.firmware_parameters, script);
        });
        ASSERT_EQ(bench_.machine().run({}), nodes::RunEnd::kFinished);
    }
    std::uint32_t word(std::int32_t node, std::uint32_t address) {
        std::uint32_t found = 0;
        bench_.machine().read<std::uint32_t>(hw::NodeId(node), address, {&found, 1});
        return found;
    }
    static std::uint32_t index_of(const Processor& processor) {
        return static_cast<std::uint32_t>(processor.node().index());
    }
    firmware::testing::MachineBench bench_;
};

TEST_P(CollectivesTest, NobodyLeavesABarrierBeforeTheLastHasCome) {
    hw::Cycles last_arrival;
    hw::Cycles first_leave = hw::kNever;
    run([&](Processor& processor, Collectives& collectives) -> Task {
        co_await collectives.barrier();
        co_await processor.compute(hw::Cycles(1000 * processor.node().index()));
        last_arrival = std::max(last_arrival, processor.now());
        co_await collectives.barrier();
        first_leave = std::min(first_leave, processor.now());
    });
    EXPECT_GE(first_leave, last_arrival);
    EXPECT_GE(last_arrival, hw::Cycles(1000 * (GetParam() - 1)));
}

TEST_P(CollectivesTest, ABroadcastHasAllWordsOfItsRoot) {
    const auto root = static_cast<std::int32_t>(GetParam() - 1);
    run([root](Processor& processor, Collectives& collectives) -> Task {
        for (std::uint32_t i = 0; i < 9; ++i) {
            co_await processor.store(i * 4, 100 * index_of(processor) + i);
        }
        co_await collectives.barrier();
        co_await collectives.broadcast(0, 9, hw::NodeId(root));
    });
    for (std::int32_t node = 0; node < GetParam(); ++node) {
        for (std::uint32_t i = 0; i < 9; ++i) {
            EXPECT_EQ(word(node, i * 4), 100 * static_cast<std::uint32_t>(root) + i) << node;
        }
    }
}

TEST_P(CollectivesTest, AReductionCombinesAllNodesWordsTwice) {
    run([](Processor& processor, Collectives& collectives) -> Task {
        co_await processor.store(0, index_of(processor) + 1);
        co_await processor.store(4, 1);
        for (int i = 0; i < 2; ++i) {
            co_await collectives.reduce(0, 2, 64, std::plus<>(), hw::Cycles(1));
        }
    });
    const auto count = static_cast<std::uint32_t>(GetParam());
    for (std::int32_t node = 0; node < GetParam(); ++node) {
        EXPECT_EQ(word(node, 0), count * count * (count + 1) / 2);
        EXPECT_EQ(word(node, 4), count * count);
    }
}

// Node i sends i + j words to node j: no words from node 0 to itself.
TEST_P(CollectivesTest, AllToAllBringsEachItsPiece) {
    constexpr std::uint32_t kReceived = 4096;
    run([](Processor& processor, Collectives& collectives) -> Task {
        const std::uint32_t self = index_of(processor);
        for (std::uint32_t i = 0; i < 32; ++i) {
            co_await processor.store(i * 4, 1000 * self + i);
        }
        co_await collectives.all_to_all([self](hw::NodeId to) {
            return Collectives::Piece{0, kReceived + self * 128,
                                      self + static_cast<std::uint32_t>(to.index())};
        });
    });
    for (std::uint32_t to = 0; to < GetParam(); ++to) {
        for (std::uint32_t from = 0; from < GetParam(); ++from) {
            for (std::uint32_t i = 0; i < 32; ++i) {
                const std::uint32_t expected = i < from + to ? 1000 * from + i : 0;
                EXPECT_EQ(word(static_cast<std::int32_t>(to), kReceived + from * 128 + i * 4),
                          expected)
                    << from << " to " << to << ", word " << i;
            }
        }
    }
}

// Odd nodes form a group and reduce twice; the other nodes pass through and meet the group
// afterwards.
TEST_P(CollectivesTest, AGroupReducesAndBroadcastsToItself) {
    const Collectives::Group group{1, 2, static_cast<std::int32_t>(GetParam()) / 2};
    const std::int32_t root = group.node(group.count - 1);
    run([group, root](Processor& processor, Collectives& collectives) -> Task {
        co_await processor.store(0, 10 + index_of(processor));
        co_await processor.store(4, index_of(processor));
        co_await collectives.reduce_record(
            0, 2, 64,
            [](std::span<std::uint32_t> own, std::span<const std::uint32_t> other) {
                if (other[0] > own[0]) {
                    std::copy(other.begin(), other.end(), own.begin());
                }
            },
            hw::Cycles(1), group);
        co_await processor.store(8, index_of(processor));
        co_await collectives.broadcast(8, 1, hw::NodeId(root), group);
        co_await collectives.barrier();
    });
    for (std::int32_t node = 0; node < GetParam(); ++node) {
        const bool is_member = group.contains(node);
        const auto self = static_cast<std::uint32_t>(node);
        const auto largest = static_cast<std::uint32_t>(root);
        EXPECT_EQ(is_member, node % 2 == 1);
        EXPECT_EQ(word(node, 0), 10 + (is_member ? largest : self)) << node;
        EXPECT_EQ(word(node, 4), is_member ? largest : self) << node;
        EXPECT_EQ(word(node, 8), is_member ? largest : self) << node;
    }
}

// Broadcasts first more words than there are members, then fewer, so that some members have no
// share.
TEST_P(CollectivesTest, AScatteredBroadcastHasAllWordsOfItsRoot) {
    constexpr std::uint32_t kFew = 1024;
    run([](Processor& processor, Collectives& collectives) -> Task {
        for (std::uint32_t i = 0; i < 37; ++i) {
            co_await processor.store(i * 4, 100 * index_of(processor) + i);
            co_await processor.store(kFew + i * 4, 100 * index_of(processor) + i);
        }
        co_await collectives.barrier();
        co_await collectives.scattered_broadcast(0, 37, hw::NodeId(1), collectives.all());
        co_await collectives.scattered_broadcast(kFew, 3, hw::NodeId(1), collectives.all());
    });
    for (std::int32_t node = 0; node < GetParam(); ++node) {
        for (std::uint32_t i = 0; i < 37; ++i) {
            EXPECT_EQ(word(node, i * 4), 100 + i) << node;
            const std::uint32_t sender = i < 3 ? 1 : static_cast<std::uint32_t>(node);
            EXPECT_EQ(word(node, kFew + i * 4), 100 * sender + i) << node;
        }
    }
}

// Each node but the last sends two words to the next node; node 0 expects and receives none.
TEST_P(CollectivesTest, AnExchangeBringsWhatWasSent) {
    run([](Processor& processor, Collectives& collectives) -> Task {
        const std::uint32_t self = index_of(processor);
        co_await processor.store(0, 7 * self);
        co_await processor.store(4, 9 * self);
        std::vector<Collectives::Parcel> parcels;
        if (static_cast<std::int32_t>(self) + 1 < processor.node_count()) {
            parcels.push_back({hw::NodeId(static_cast<std::int32_t>(self) + 1), {0, 64, 2}});
        }
        co_await collectives.exchange(parcels, self == 0 ? 0 : 1);
        const std::uint32_t first = co_await processor.load(64);
        // exchange() returns only after the word has arrived.
        co_await processor.store(128, first + 1);
    });
    for (std::int32_t node = 1; node < GetParam(); ++node) {
        const auto before = static_cast<std::uint32_t>(node - 1);
        EXPECT_EQ(word(node, 128), 7 * before + 1) << node;
        EXPECT_EQ(word(node, 68), 9 * before) << node;
    }
}

INSTANTIATE_TEST_SUITE_P(Nodes, CollectivesTest, ::testing::Values(2, 5, 8));

}  // namespace
}  // namespace weir::firmware
