#include "memory/coherence/shared_contents.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/testing/separate_run.h"
#include "memory/coherence/packet.h"
#include "memory/coherence/testing/coherence_bench.h"

namespace weir::memory {
namespace {

using hw::Cycles;
using hw::NodeId;
using testing::CacheBench;
using testing::CoherenceBench;

// Four nodes, which a test looks at after every cycle. All shared memory is compared with the
// golden memory each time.
class SharedContentsTest : public ::testing::TestWithParam<const char*> {
  protected:
    SharedContentsTest() { bench.golden = &golden; }

    static std::uint64_t shared(std::int64_t node, std::int64_t offset = 0) {
        return CoherenceBench::shared(node, offset);
    }
    SharedContents& contents() {
        if (!contents_) {
            hw::PerNode<CoherenceController*> nodes;
            for (std::int32_t node = 0; node < bench.node_count; ++node) {
                nodes.push_back(&bench.node(node).coherence);
            }
            contents_ = std::make_unique<SharedContents>(
                nodes, bench.messages, &golden,
                [this](NodeId node, std::uint64_t offset, std::span<std::uint8_t> bytes,
                       bool is_write) { move_in_dram(node, offset, bytes, is_write); });
        }
        return *contents_;
    }
    void move_in_dram(NodeId node, std::uint64_t offset, std::span<std::uint8_t> bytes,
                      bool is_write) {
        tlm::tlm_generic_payload payload;
        payload.set_command(is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload.set_address(CoherenceBench::kPrivateBytes + offset);
        payload.set_data_ptr(bytes.data());
        payload.set_data_length(static_cast<unsigned>(bytes.size()));
        EXPECT_EQ(bench.node(node.index()).caches.dram_socket->transport_dbg(payload),
                  bytes.size());
    }
    std::uint32_t word(std::uint64_t address) {
        std::uint32_t word = 0;
        contents().read(address, bytes_of(word));
        return word;
    }
    std::uint32_t word_in_dram(std::int32_t home, std::int64_t offset) {
        std::uint32_t word = 0;
        move_in_dram(NodeId(home), static_cast<std::uint64_t>(offset), bytes_of(word), false);
        return word;
    }
    static std::span<std::uint8_t> bytes_of(std::uint32_t& word) {
        return {reinterpret_cast<std::uint8_t*>(&word), sizeof word};
    }
    std::string written(std::uint64_t address, std::uint32_t word) {
        return contents().write(address, bytes_of(word)).value_or("");
    }
    bool has_only_copy(std::uint64_t address) {
        bool has = false;
        for (std::int32_t node = 0; node < bench.node_count; ++node) {
            has = has || bench.node(node).coherence.state_of(address) == CacheState::kReadWrite;
        }
        return has;
    }
    // Number of packets of this kind in queues and on the wire.
    int in_flight(Packet packet) {
        int count = 0;
        bench.messages.for_each([&](const hw::Message& message) {
            count += (WEIR_HEADER_OPERATION(message.words[0]) & ~WEIR_PROTOCOL_OPERATION) ==
                             static_cast<std::uint32_t>(packet)
                         ? 1
                         : 0;
        });
        return count;
    }
    // Runs a cycle after the other up to `end`, and calls `look` after each.
    void run_until(Cycles end, const std::function<void(Cycles)>& look) {
        bench.node(0);
        for (Cycles cycle = bench.domain.now() + Cycles(1); cycle <= end; cycle += Cycles(1)) {
            bench.domain.run_until(cycle);
            for (std::int32_t node = 0; node < bench.node_count; ++node) {
                if (const auto fault = bench.node(node).coherence.fault()) {
                    std::rethrow_exception(fault);
                }
                std::array<std::uint8_t, 64> bytes{};
                contents().read(shared(node), bytes);
                golden.check_load(NodeId(node), cycle, shared(node), bytes);
            }
            look(cycle);
        }
    }

    GoldenMemory golden;
    CoherenceBench bench{4};

  private:
    std::unique_ptr<SharedContents> contents_;
};

TEST_F(SharedContentsTest, ALineThatNobodyHasRequestedIsInTheHomesMemory) {
    std::vector<std::uint8_t> bytes(2 * CoherenceBench::kSharedBytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
    }
    EXPECT_EQ(contents().write(shared(1, 5), bytes), std::nullopt);
    std::vector<std::uint8_t> found(bytes.size());
    contents().read(shared(1, 5), found);
    EXPECT_EQ(found, bytes);
    EXPECT_EQ(word_in_dram(2, 0) & 0xff, bytes[CoherenceBench::kSharedBytes - 5]);
    EXPECT_EQ(word(shared(1)) & 0xff, 0U) << "bytes before the written ones";
    for (std::int32_t node = 0; node < 4; ++node) {
        EXPECT_TRUE(bench.node(node).coherence.directory().entries().empty());
    }
    const auto& loaded = bench.load(3, shared(2, 4));
    bench.run();
    EXPECT_TRUE(loaded.ok());
}

// The only copy goes from node 0 to its home, node 1, since node 2 loads it.
TEST_P(SharedContentsTest, FollowsALineOnItsWay) {
    CacheBench::set(bench.coherence.protocol, std::string(GetParam()));
    bench.store(0, shared(1, 4), 0x66);
    bench.load(2, shared(1, 4));
    int only_copy = 0;
    int on_its_way = 0;
    int at_home = 0;
    run_until(bench.turn() + Cycles(500), [&](Cycles) {
        const bool is_stale = word_in_dram(1, 4) != word(shared(1, 4));
        only_copy += is_stale && has_only_copy(shared(1)) ? 1 : 0;
        on_its_way += is_stale && (in_flight(Packet::kUpdate) + in_flight(Packet::kShare)) > 0;
        at_home += is_stale && !has_only_copy(shared(1)) && in_flight(Packet::kUpdate) == 0 &&
                   in_flight(Packet::kShare) == 0;
    });
    EXPECT_GT(only_copy, 500);
    EXPECT_GE(on_its_way, CoherenceBench::kWire);
    EXPECT_GE(at_home, 1) << "at the sender, or at its home's memory port";
    EXPECT_EQ(word_in_dram(1, 4), 0x66U);
}

// A private line pushes the shared one out of the direct-mapped cache.
TEST_P(SharedContentsTest, FollowsALineThatIsReplaced) {
    CacheBench::set(bench.coherence.protocol, std::string(GetParam()));
    bench.store(0, shared(1), 0x55);
    bench.load(0, shared(1) % (1 << 16));
    int on_its_way = 0;
    run_until(bench.turn() + Cycles(500), [&](Cycles) {
        on_its_way +=
            in_flight(Packet::kReplaceModified) > 0 && word_in_dram(1, 0) != word(shared(1)) ? 1
                                                                                             : 0;
    });
    EXPECT_GE(on_its_way, CoherenceBench::kWire);
    EXPECT_EQ(word_in_dram(1, 0), 0x55U);
    EXPECT_FALSE(has_only_copy(shared(1)));
}

// The owner sends the only copy to the next writer, and its home never has it.
TEST_F(SharedContentsTest, FollowsALineFromOwnerToOwner) {
    CacheBench::set(bench.coherence.protocol, std::string("forwarding"));
    bench.store(0, shared(1), 0x55);
    bench.store(2, shared(1, 4), 0x66);
    int on_its_way = 0;
    run_until(bench.turn() + Cycles(500), [&](Cycles) {
        on_its_way += in_flight(Packet::kWriteData) > 0 && word(shared(1)) == 0x55 ? 1 : 0;
    });
    EXPECT_GE(on_its_way, CoherenceBench::kWire);
    EXPECT_EQ(word(shared(1)), 0x55U);
    EXPECT_EQ(word(shared(1, 4)), 0x66U);
    EXPECT_EQ(word_in_dram(1, 0), 0U);
}

// In each cycle of a few accesses, a run of its own writes to the line from outside. The check of
// loads ends a run whose loads do not see it.
TEST_P(SharedContentsTest, AWriteIsSeenByAllNodesInWhateverCycleItIs) {
    const std::string protocol = GetParam();
    constexpr std::uint32_t kWritten = 0x01020304;
    std::int64_t step = 7;  // no divisor of the accesses' distance
    for (std::int64_t offset = 0; offset < 160; offset += step) {
        const std::string fault = hw::testing::result_of_separate_run([&]() -> std::string {
            CacheBench::set(bench.coherence.protocol, protocol);
            // Copies to read, a new owner, a reader that takes from it, and a replaced line.
            bench.load(0, shared(1));
            bench.load(3, shared(1));
            bench.store(2, shared(1, 4), 0x66);
            bench.load(0, shared(1, 4));
            bench.store(3, shared(1, 12), 0x77);
            bench.load(3, shared(1) % (1 << 16));
            const Cycles end = bench.turn();
            std::uint32_t word_written = kWritten;
            run_until(end, [&](Cycles now) {
                if (now > Cycles(1000) && now.count() % 1000 == offset) {
                    word_written += 1;
                    EXPECT_EQ(written(shared(1, 8), word_written), "");
                    EXPECT_EQ(word(shared(1, 8)), word_written);
                }
            });
            std::vector<const hw::testing::BusAccess*> loads;
            for (std::int32_t node = 0; node < 4; ++node) {
                loads.push_back(&bench.load(node, shared(1, 8)));
            }
            const Cycles last = bench.turn() + Cycles(1000);
            run_until(last, [](Cycles) {});
            std::string text;
            for (const auto* load : loads) {
                text += load->ok() && load->data == word_written ? "" : "wrong ";
            }
            text += word(shared(1, 4)) == 0x66 && word(shared(1, 12)) == 0x77 ? "" : "lost";
            return text + (::testing::Test::HasFailure() ? "failed" : "");
        });
        EXPECT_EQ(fault, "") << offset;
    }
}

TEST_F(SharedContentsTest, AnAccessLeavesFullEmptyBitsAsTheyAre) {
    hw::AccessTag empties;
    empties.full_empty = {.is_used = true, .leaves = hw::FullEmptyUse::Leaves::kEmpty};
    bench.store(0, shared(1), 0x55, &empties);
    bench.run();
    EXPECT_EQ(word(shared(1)), 0x55U);
    EXPECT_EQ(written(shared(1), 0x56), "");
    hw::AccessTag found;
    found.full_empty = {.is_used = true};
    const auto& load = bench.load(2, shared(1), &found);
    bench.run();
    EXPECT_EQ(load.data, 0x56U);
    EXPECT_FALSE(found.full_empty.was_full);
}

// Protocols whose packets need no software here.
INSTANTIATE_TEST_SUITE_P(Protocols, SharedContentsTest,
                         ::testing::Values("limitless", "full_map", "limited", "forwarding"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace weir::memory
