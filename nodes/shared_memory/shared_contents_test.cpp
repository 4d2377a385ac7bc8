// Shared memory as the host and debuggers see it (Machine::read_memory and write_memory).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "firmware/testing/machine_bench.h"
#include "hw/random_stream.h"
#include "hw/testing/names.h"
#include "hw/testing/separate_run.h"
#include "nodes/shared_memory/testing/shared_bench.h"

namespace weir::nodes {
namespace {

using firmware::ActiveMessages;
using hw::Cycles;
using hw::NodeId;
using memory::CoherenceController;
using testing::kSharedBytes;
using testing::SharedBench;
using weir::testing::Names;

// --- Before the run -----------------------------------------------------------------------------

class SharedSegmentTest : public SharedBench, public ::testing::TestWithParam<const char*> {};

// As a loader writes a segment: from any node, over lines, homes and the end of the last line.
TEST_P(SharedSegmentTest, BytesWrittenBeforeTheRunAreLoadedByAllNodes) {
    set(configuration.coherence, "home", std::string(GetParam()));
    constexpr std::size_t kWords = 3 * kSharedBytes / 4;
    constexpr std::uint32_t kBegin = memory::kSharedBase + 8;
    std::vector<std::uint32_t> wrong(8);
    thread = [&](Processor& processor, ActiveMessages&) -> Task {
        const auto node = static_cast<std::uint32_t>(processor.node().index());
        for (std::uint32_t i = 0; i < kWords; ++i) {
            const std::uint32_t loaded = co_await processor.load(kBegin + 4 * i);
            wrong[node] += loaded == i * 2'654'435'761U ? 0 : 1;
        }
        co_await processor.store(kBegin + 4 * node, node);
    };
    build().load([this](Processor& processor) {
        return std::make_unique<firmware::testing::ScriptedProgram>(
            processor, firmware_parameters, thread, handlers, further_threads);
    });
    std::vector<std::uint32_t> words(kWords);
    for (std::uint32_t i = 0; i < kWords; ++i) {
        words[i] = i * 2'654'435'761U;
    }
    machine().write<std::uint32_t>(NodeId(5), kBegin, words);
    std::vector<std::uint32_t> found(kWords);
    machine().read<std::uint32_t>(NodeId(2), kBegin, found);
    EXPECT_EQ(found, words);
    EXPECT_EQ(machine().run({}), RunEnd::kFinished);
    EXPECT_THAT(wrong, ::testing::Each(0U));
    machine().read<std::uint32_t>(NodeId(7), kBegin, found);
    for (std::uint32_t node = 0; node < 8; ++node) {
        EXPECT_EQ(found[node], node);
    }
    EXPECT_EQ(found.back(), words.back());
}

INSTANTIATE_TEST_SUITE_P(Homes, SharedSegmentTest, ::testing::Values("segment", "line", "hash"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST_F(SharedSegmentTest, BytesBehindSharedMemoryAreRefusedAndNoneIsWritten) {
    Machine& machine = build();
    const std::uint32_t last = SharedBench::shared(8, -4);
    const std::array<std::uint32_t, 2> words{1, 2};
    EXPECT_THAT([&] { machine.write<std::uint32_t>(NodeId(0), last, words); },
                ::testing::ThrowsMessage<ProgramFault>(
                    Names("shared memory", std::to_string(last + 7), "coherence.shared_bytes")));
    std::array<std::uint32_t, 1> word{9};
    machine.read<std::uint32_t>(NodeId(0), last, word);
    EXPECT_EQ(word[0], 0U);
}

// --- In every cycle of a run --------------------------------------------------------------------

struct WatchedShape {
    const char* name = "";
    const char* protocol = "limitless";
    std::int64_t contexts = 1;
    std::int64_t cache_bytes = 64;
    std::int64_t queue_bytes = 256;
    std::int64_t buffers = 16;
    const char* receive = "interrupt";
    std::int64_t homes = 3;
    std::int64_t lines = 2;
    bool has_saved_packets = false;  // true if overflow traps must have saved lines
};
std::ostream& operator<<(std::ostream& out, const WatchedShape& shape) { return out << shape.name; }

/// Reads shared lines in every cycle, before, between or after the ticks of the nodes, and writes
/// to a word at random now and then. The machine compares all that is read, and all loads. A cycle
/// reads at most kLooks lines, and the next cycle goes on with the lines after them.
class Onlooker final : public hw::ClockedPart {
  public:
    Onlooker(Machine& machine, std::vector<std::uint32_t> lines, bool writes)
        : ClockedPart(machine.domain()),
          machine_(machine),
          lines_(std::move(lines)),
          writes_(writes),
          random_(1, NodeId(0), "onlooker") {
        wake_at(Cycles(1));
    }

    void tick(Cycles now) override {
        if (machine_.threads_running() == 0) {
            return;
        }
        wake_at(now + Cycles(1));
        for (std::size_t i = 0; i < std::min(lines_.size(), kLooks); ++i) {
            std::array<std::uint8_t, 16> bytes{};
            look(lines_[next_++ % lines_.size()], bytes);
        }
        if (writes_ && random_.below(40) == 0) {
            write(now);
        }
    }

    [[nodiscard]] const std::string& fault() const { return fault_; }
    [[nodiscard]] int stale() const { return stale_; }
    [[nodiscard]] int saved() const { return saved_; }
    [[nodiscard]] int written() const { return written_; }
    [[nodiscard]] int refused() const { return refused_; }

  private:
    void look(std::uint32_t line, std::span<std::uint8_t> bytes) {
        try {
            machine_.read_memory(NodeId(0), line, bytes);
        } catch (const memory::CoherenceViolation& violation) {
            fault_ = fault_.empty() ? violation.what() : fault_;
        }
        bool is_in_a_cache = false;
        for (std::int32_t node = 0; node < machine_.node_count(); ++node) {
            CoherenceController& coherence = *machine_.node(NodeId(node)).coherence();
            is_in_a_cache =
                is_in_a_cache || coherence.state_of(line) == memory::CacheState::kReadWrite;
            saved_ += coherence.has_saved(line) ? 1 : 0;
        }
        stale_ += !is_in_a_cache && differs_from_dram(line, bytes) ? 1 : 0;
    }
    bool differs_from_dram(std::uint32_t line, std::span<const std::uint8_t> bytes) {
        const memory::AddressMap& map = machine_.node(NodeId(0)).coherence()->map();
        std::array<std::uint8_t, 16> in_dram{};
        tlm::tlm_generic_payload payload;
        payload.set_command(tlm::TLM_READ_COMMAND);
        payload.set_address(static_cast<std::uint64_t>(machine_.shape().memory_bytes.count()) +
                            map.offset_of(line));
        payload.set_data_ptr(in_dram.data());
        payload.set_data_length(in_dram.size());
        machine_.node(map.home_of(line)).core.bus_socket->transport_dbg(payload);
        return !std::equal(bytes.begin(), bytes.end(), in_dram.begin());
    }
    void write(Cycles now) {
        const std::uint32_t line = lines_[random_.below(lines_.size())];
        const auto word = static_cast<std::uint32_t>(random_.below(4)) * 4;
        const auto value = static_cast<std::uint32_t>(now.count());
        std::array<std::uint8_t, 4> bytes{};
        std::memcpy(bytes.data(), &value, sizeof value);
        try {
            machine_.write_memory(NodeId(0), line + word, bytes);
            ++written_;
        } catch (const ProgramFault& refusal) {
            fault_ += std::string(refusal.what()).find("overflow trap") == std::string::npos
                          ? refusal.what()
                          : "";
            ++refused_;
        }
    }

    static constexpr std::size_t kLooks = 6;

    Machine& machine_;
    std::vector<std::uint32_t> lines_;
    std::size_t next_ = 0;
    bool writes_;
    hw::RandomStream random_;
    std::string fault_;
    int stale_ = 0;
    int saved_ = 0;
    int written_ = 0;
    int refused_ = 0;
};

class WatchedSharingTest : public ::testing::TestWithParam<WatchedShape> {
  protected:
    static std::uint32_t line_at(std::int64_t home, std::int64_t line) {
        return SharedBench::shared(home, line * 1024 % 4096 + line / 4 * 16);
    }
    // Returns the faults of a run in which all nodes load, store and exchange a few words at
    // random.
    static std::string faults_of(const WatchedShape& shape, bool writes, const char* order) {
        return hw::testing::result_of_separate_run([&] {
            SharedBench bench;
            set_up(bench, shape);
            bench.set_ticks(order);
            Machine& machine = bench.build();
            machine.load([&](Processor& processor) {
                return std::make_unique<firmware::testing::ScriptedProgram>(
                    processor, bench.firmware_parameters, bench.thread, bench.handlers,
                    bench.further_threads);
            });
            std::vector<std::uint32_t> lines;
            for (std::int64_t home = 0; home < shape.homes; ++home) {
                for (std::int64_t line = 0; line < shape.lines; ++line) {
                    lines.push_back(line_at(home, line));
                }
            }
            Onlooker onlooker(machine, lines, writes);
            std::string text = onlooker.fault();
            try {
                const RunEnd end = machine.run({.watchdog_cycles = Cycles(50'000)});
                text += end == RunEnd::kFinished ? "" : "not finished: " + machine.explain_waits();
            } catch (const std::exception& fault) {
                text += fault.what();
            }
            text += onlooker.fault();
            text += onlooker.stale() > 0 ? "" : "; no line was seen on its way";
            text +=
                onlooker.saved() > 0 || !shape.has_saved_packets ? "" : "; no line was ever saved";
            text += onlooker.written() > 0 || !writes ? "" : "; nothing was written";
            text += onlooker.refused() == 0 || shape.has_saved_packets ? "" : "; refused";
            return text;
        });
    }

  private:
    static void set_up(SharedBench& bench, const WatchedShape& shape) {
        MachineConfiguration& machine = bench.configuration;
        bench.set(machine.coherence, "protocol", std::string(shape.protocol));
        if (std::string(shape.protocol) == "limitless" ||
            std::string(shape.protocol) == "limited") {
            bench.set(machine.coherence, "pointers", std::int64_t{1});
        }
        bench.set(machine.coherence, "transaction_buffers", shape.buffers);
        bench.set(machine.core, "contexts", shape.contexts);
        bench.set(machine.core, "receive_mode", std::string(shape.receive));
        bench.set(machine.caches.levels.front(), "bytes", shape.cache_bytes);
        bench.set(machine.controller, "input_queue_bytes", shape.queue_bytes);
        bench.set(machine.controller, "output_queue_bytes", shape.queue_bytes);
        bench.set(machine.controller, "overflow_trap", true);
        bench.set(machine.controller, "overflow_timeout_cycles", std::int64_t{64});
        const auto script = [shape](std::int64_t context) {
            return [shape, context](Processor& processor, ActiveMessages&) {
                return access(processor, context, shape);
            };
        };
        bench.thread = script(0);
        for (std::int64_t context = 1; context < shape.contexts; ++context) {
            bench.further_threads.emplace_back(script(context));
        }
    }
    static Task access(Processor& processor, std::int64_t context, WatchedShape shape) {
        hw::RandomStream random(1, processor.node(), "accesses " + std::to_string(context));
        for (int i = 0; i < 200; ++i) {
            const auto home =
                static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(shape.homes)));
            const auto line =
                static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(shape.lines)));
            const std::uint32_t address =
                line_at(home, line) + 4 * static_cast<std::uint32_t>(random.below(4));
            const auto value = static_cast<std::uint32_t>(random.next());
            switch (random.below(4)) {
                case 0:
                    co_await processor.store(address, value);
                    break;
                case 1:
                    co_await processor.exchange(address, value);
                    break;
                default:
                    co_await processor.load(address);
                    break;
            }
        }
    }
};

TEST_P(WatchedSharingTest, ReadsFromOutsideSeeWhatWasStoredLastInEveryCycle) {
    EXPECT_EQ(faults_of(GetParam(), false, "wake"), "");
}

TEST_P(WatchedSharingTest, WritesFromOutsideAreSeenByAllNodes) {
    for (const char* order : {"wake", "reversed"}) {
        EXPECT_EQ(faults_of(GetParam(), true, order), "") << order;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Machines, WatchedSharingTest,
    ::testing::Values(
        WatchedShape{.name = "limitless"}, WatchedShape{.name = "full_map", .protocol = "full_map"},
        WatchedShape{.name = "limited", .protocol = "limited"},
        WatchedShape{.name = "software", .protocol = "software"},
        WatchedShape{.name = "forwarding", .protocol = "forwarding"},
        WatchedShape{.name = "four_contexts", .contexts = 4, .buffers = 2},
        WatchedShape{.name = "forwarding_four_contexts", .protocol = "forwarding", .contexts = 4},
        WatchedShape{.name = "full_queues",
                     .protocol = "full_map",
                     .contexts = 4,
                     .queue_bytes = 64,
                     .homes = 2,
                     .lines = 30,
                     .has_saved_packets = true},
        WatchedShape{.name = "forwarding_full_queues",
                     .protocol = "forwarding",
                     .contexts = 4,
                     .queue_bytes = 64,
                     .receive = "protocol_processor",
                     .homes = 2,
                     .lines = 30,
                     .has_saved_packets = true}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace weir::nodes
