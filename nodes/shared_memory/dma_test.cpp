// DMA engines and the coherence protocol on the same line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "hw/testing/every_order.h"
#include "hw/testing/names.h"
#include "memory/coherence/sequential_consistency.h"
#include "nodes/shared_memory/testing/shared_bench.h"

namespace weir::nodes {
namespace {

using firmware::ActiveMessages;
using hw::Cycles;
using ::testing::HasSubstr;
using testing::SharedBench;
using weir::testing::Names;
using weir::testing::NamesMatcher;

constexpr std::int64_t kHome = 1;
constexpr std::uint32_t kPrivate = 0x4000;
constexpr std::uint32_t kBodyBytes = 32;

// Programs of all nodes. The home can send a body from its shared memory to node 0, or receive a
// body from kPrivate of node 0. Received words are noted.
class SharedDma {
  public:
    using Script = std::function<Task(Processor&, ActiveMessages&)>;

    SharedDma() {
        bench.traced.shared_accesses = true;
        bench.handlers = {[this](Processor& processor, ActiveMessages& messages) -> Task {
            const bool is_home = processor.node().index() == kHome;
            co_await messages.receive_body(is_home ? to : kPrivate, stored);
        }};
        bench.thread = [this](Processor& processor, ActiveMessages& messages) -> Task {
            const auto node = static_cast<std::size_t>(processor.node().index());
            if (node < programs.size() && programs[node]) {
                co_await programs[node](processor, messages);
            }
        };
    }
    // Fills word i with 10 * tens + i.
    static Task fill(Processor& processor, std::uint32_t address, std::uint32_t tens) {
        for (std::uint32_t word = 0; word < kBodyBytes / 4; ++word) {
            co_await processor.store(address + 4 * word, 10 * tens + word);
        }
    }
    Task note(Processor& processor, std::uint32_t address, std::uint32_t bytes = kBodyBytes) {
        for (std::uint32_t offset = 0; offset < bytes; offset += 4) {
            found += std::to_string(co_await processor.load(address + offset)) + " ";
        }
        found += "; ";
    }
    Script sends_home(Cycles at, std::uint32_t bytes = kBodyBytes) {
        return [at, bytes](Processor& processor, ActiveMessages& messages) -> Task {
            co_await fill(processor, kPrivate, 5);
            co_await processor.wait_until(at);
            const ActiveMessages::Body body{kPrivate, bytes};
            co_await messages.send_body(hw::NodeId(kHome), 0, {}, body);
        };
    }
    Task send_from_home(ActiveMessages& messages, std::uint32_t from) {
        const ActiveMessages::Body body{from, kBodyBytes};
        co_await messages.send_body(hw::NodeId(0), 0, {}, body);
        co_await messages.wait_body_sent();
    }
    Script notes_what_comes() {
        return [this](Processor& processor, ActiveMessages& messages) -> Task {
            co_await messages.wait_stored(stored);
            co_await note(processor, kPrivate);
        };
    }
    // Runs the programs, and returns the noted words and the faults.
    std::string run() {
        try {
            if (bench.run({.watchdog_cycles = Cycles(20'000)}) != RunEnd::kFinished) {
                return "not finished";
            }
        } catch (const ProgramFault& fault) {
            return fault.what();
        } catch (const memory::CoherenceViolation& violation) {
            return violation.what();
        }
        return found + bench.machine().account().fault(true).value_or("") +
               memory::check_order(bench.trace.shared_accesses).fault;
    }

    SharedBench bench;
    std::vector<Script> programs{8};
    std::uint32_t to = SharedBench::shared(kHome, 0);
    bool stored = false;
    std::string found;
};

constexpr const char* kFives = "50 51 52 53 54 55 56 57 ; ";

// The home's memory still holds zeros; the newer words are in its cache.
TEST(SharedDmaTest, ABodyHasWhatIsNewerInTheNodesOwnCache) {
    SharedDma dma;
    const std::uint32_t from = SharedBench::shared(kHome, 64);
    dma.programs[0] = dma.notes_what_comes();
    dma.programs[kHome] = [&](Processor& processor, ActiveMessages& messages) -> Task {
        co_await SharedDma::fill(processor, from, 5);
        co_await dma.send_from_home(messages, from);
    };
    EXPECT_EQ(dma.run(), kFives);
    EXPECT_EQ(dma.bench.sum(&memory::CoherenceController::Statistics::dma_bursts), 1);
    EXPECT_EQ(dma.bench.sum(&memory::CoherenceController::Statistics::lines_sent_home), 0);
}

TEST(SharedDmaTest, ABodyOfLinesThatNobodyOrManyHaveToReadComesFromMemory) {
    SharedDma dma;
    const std::uint32_t from = SharedBench::shared(kHome, 0);
    dma.programs[0] = dma.notes_what_comes();
    dma.programs[2] = [&](Processor& processor, ActiveMessages&) -> Task {
        co_await processor.load(from + 16);
    };
    dma.programs[kHome] = [&](Processor& processor, ActiveMessages& messages) -> Task {
        co_await processor.wait_until(Cycles(1000));
        co_await dma.send_from_home(messages, from);
    };
    EXPECT_EQ(dma.run(), "0 0 0 0 0 0 0 0 ; ");
}

// The home has a read-only copy of the first line, and the only copy of the second; both stay.
TEST(SharedDmaTest, WhatABodyBringsTheHomeSeesInItsCopiesAndOthersByTheProtocol) {
    SharedDma dma;
    dma.programs[0] = dma.sends_home(Cycles(1000));
    dma.programs[kHome] = [&](Processor& processor, ActiveMessages& messages) -> Task {
        co_await processor.load(dma.to);
        co_await processor.store(dma.to + 16, 99);
        co_await messages.wait_stored(dma.stored);
        const Cycles since = processor.now();
        co_await processor.load(dma.to);
        co_await processor.load(dma.to + 28);
        dma.found = std::to_string((processor.now() - since).count()) + " cycles; ";
    };
    dma.programs[3] = [&](Processor& processor, ActiveMessages&) -> Task {
        co_await processor.wait_until(Cycles(3000));
        co_await dma.note(processor, dma.to);
    };
    EXPECT_EQ(dma.run(), "4 cycles; " + std::string(kFives));
}

TEST(SharedDmaTest, TheRestOfALineStaysAsItWas) {
    SharedDma dma;
    dma.programs[0] = dma.sends_home(Cycles(1000), 8);
    dma.programs[kHome] = [&](Processor& processor, ActiveMessages& messages) -> Task {
        co_await SharedDma::fill(processor, dma.to, 1);
        co_await messages.wait_stored(dma.stored);
        co_await dma.note(processor, dma.to, 16);
    };
    EXPECT_EQ(dma.run(), "50 51 12 13 ; ");
}

// The home's only copy is replaced by another line, some cycles before or after the body arrives.
TEST(SharedDmaTest, ABodyMeetsALineOnItsWayToMemoryInAnyCycle) {
    for (std::int64_t begin = 1000; begin < 1400; begin += 13) {
        EXPECT_EQ(hw::testing::result_of_separate_run([begin] {
                      SharedDma dma;
                      dma.bench.set(dma.bench.configuration.caches.levels.front(), "bytes",
                                    std::int64_t{64});
                      dma.programs[0] = dma.sends_home(Cycles(1000));
                      dma.programs[kHome] = [&dma, begin](Processor& processor,
                                                          ActiveMessages& messages) -> Task {
                          co_await SharedDma::fill(processor, dma.to, 1);
                          co_await processor.wait_until(Cycles(begin));
                          co_await processor.store(dma.to + 64, 0);
                          co_await processor.load(dma.to);
                          co_await processor.store(dma.to + 64, 1);
                          co_await messages.wait_stored(dma.stored);
                          co_await dma.note(processor, dma.to);
                      };
                      return dma.run();
                  }),
                  kFives)
            << begin;
    }
}

// Node 2 returns its only copy, some cycles before or after the engine reads the line.
TEST(SharedDmaTest, AnEngineReadsWhatIsRightOrTheRunEnds) {
    int read = 0;
    int refused = 0;
    for (std::int64_t begin = 1000; begin < 1160; begin += 4) {
        const std::string outcome = hw::testing::result_of_separate_run([begin] {
            SharedDma dma;
            dma.bench.set(dma.bench.configuration.caches.levels.front(), "bytes", std::int64_t{64});
            dma.programs[0] = dma.notes_what_comes();
            dma.programs[2] = [&dma](Processor& processor, ActiveMessages&) -> Task {
                co_await SharedDma::fill(processor, dma.to, 5);
                co_await processor.wait_until(Cycles(1000));
                co_await processor.store(dma.to + 64, 0);
                co_await processor.store(dma.to + 80, 0);
            };
            dma.programs[kHome] = [&dma, begin](Processor& processor,
                                                ActiveMessages& messages) -> Task {
                co_await processor.wait_until(Cycles(begin));
                co_await dma.send_from_home(messages, dma.to);
            };
            return dma.run();
        });
        const bool is_refused = outcome.find("changed") != std::string::npos;
        EXPECT_TRUE(is_refused || outcome == kFives) << begin << ": " << outcome;
        (is_refused ? refused : read) += 1;
    }
    EXPECT_GT(read, 5);
    EXPECT_GT(refused, 5);
}

TEST(SharedDmaTest, AnEngineDoesNotWriteBehindOthersCopies) {
    SharedDma dma;
    dma.programs[0] = dma.sends_home(Cycles(1000));
    dma.programs[2] = [&](Processor& processor, ActiveMessages&) -> Task {
        co_await processor.load(dma.to + 16);
    };
    EXPECT_THAT(dma.run(), Names("node 1", "cycle", "DMA", "writes", "0x80001010", "nodes",
                                 "copies", "accepted", "stored"));
}

TEST(SharedDmaTest, OnceTheHomeHasStoredToALineItsEngineMayWriteIt) {
    SharedDma dma;
    dma.programs[0] = dma.sends_home(Cycles(2000));
    dma.programs[2] = [&](Processor& processor, ActiveMessages&) -> Task {
        co_await processor.load(dma.to + 16);
    };
    dma.programs[kHome] = [&](Processor& processor, ActiveMessages& messages) -> Task {
        co_await processor.wait_until(Cycles(1000));
        co_await processor.store(dma.to + 16, 0);
        co_await messages.wait_stored(dma.stored);
        co_await dma.note(processor, dma.to);
    };
    EXPECT_EQ(dma.run(), kFives);
}

// The home invalidates the reader's copy, some cycles before or after the body arrives. With
// forwarding, the grant can arrive before that copy is gone.
class SharedDmaProtocolTest : public ::testing::TestWithParam<const char*> {};

TEST_P(SharedDmaProtocolTest, AnEngineWritesWhatIsRightOrTheRunEnds) {
    int written = 0;
    int refused = 0;
    for (std::int64_t begin = 900; begin < 1100; begin += 5) {
        const std::string outcome = hw::testing::result_of_separate_run([begin] {
            SharedDma dma;
            dma.bench.set(dma.bench.configuration.coherence, "protocol", std::string(GetParam()));
            dma.programs[0] = dma.sends_home(Cycles(1000), 8);
            dma.programs[7] = [&dma](Processor& processor, ActiveMessages&) -> Task {
                co_await processor.load(dma.to);
                co_await processor.wait_until(Cycles(3000));
                co_await dma.note(processor, dma.to, 8);
            };
            dma.programs[kHome] = [&dma, begin](Processor& processor,
                                                ActiveMessages& messages) -> Task {
                co_await processor.wait_until(Cycles(begin));
                co_await processor.store(dma.to + 8, 0);
                co_await messages.wait_stored(dma.stored);
            };
            return dma.run();
        });
        const bool is_refused = outcome.find("copies") != std::string::npos;
        EXPECT_TRUE(is_refused || outcome == "50 51 ; ") << begin << ": " << outcome;
        (is_refused ? refused : written) += 1;
    }
    EXPECT_GT(written, 5);
    EXPECT_GT(refused, 5);
}

INSTANTIATE_TEST_SUITE_P(Protocols, SharedDmaProtocolTest,
                         ::testing::Values("limitless", "full_map", "forwarding"),
                         [](const auto& protocol) { return std::string(protocol.param); });

struct Elsewhere {
    std::uint32_t address;
    std::vector<std::string> found;
};

class SharedDmaElsewhereTest : public ::testing::TestWithParam<Elsewhere> {};

TEST_P(SharedDmaElsewhereTest, IsRefusedWhenItIsAskedFor) {
    SharedDma dma;
    dma.programs[kHome] = [&](Processor&, ActiveMessages& messages) -> Task {
        co_await dma.send_from_home(messages, GetParam().address);
    };
    EXPECT_THAT(dma.run(), NamesMatcher(GetParam().found));
}

INSTANTIATE_TEST_SUITE_P(
    SharedDma, SharedDmaElsewhereTest,
    ::testing::Values(
        Elsewhere{SharedBench::shared(2, 0), {"0x80002000", "node 2", "accepted", "node 1"}},
        Elsewhere{SharedBench::shared(1, 4080), {"0x80002000", "node 2", "accepted", "node 1"}},
        Elsewhere{SharedBench::shared(8, 0), {"0x80008000", "beyond", "shared"}},
        Elsewhere{SharedBench::shared(1, 4), {"multiples", "8"}}));

TEST(SharedDmaTest, TheOrderOfTicksChangesNothing) {
    std::string first;
    for (const hw::testing::TickVariant& variant : hw::testing::kTickVariants) {
        const std::string outcome = hw::testing::result_of_separate_run([&variant] {
            SharedDma dma;
            dma.bench.set_ticks(variant.order, variant.sleeping);
            dma.programs[0] = dma.sends_home(Cycles(1000));
            dma.programs[kHome] = [&dma](Processor& processor, ActiveMessages& messages) -> Task {
                co_await messages.wait_stored(dma.stored);
                co_await dma.note(processor, dma.to);
                dma.found += std::to_string(processor.now().count());
            };
            return dma.run();
        });
        first = first.empty() ? outcome : first;
        EXPECT_EQ(outcome, first) << variant.order;
    }
    EXPECT_THAT(first, HasSubstr(kFives));
}

}  // namespace
}  // namespace weir::nodes
