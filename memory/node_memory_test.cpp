#include "memory/node_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <numeric>
#include <vector>

#include "hw/testing/bus_initiator.h"

namespace weir::memory {
namespace {

using hw::Bytes;
using hw::Cycles;
using hw::testing::BusAccess;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

constexpr std::uint64_t kNodeBytes = 1 << 16;
constexpr std::uint64_t kPage = 4096;

class NodeMemoryTest : public ::testing::Test {
  public:
    NodeMemoryTest() { EXPECT_TRUE(parameters.bytes.set(static_cast<std::int64_t>(kNodeBytes))); }
    NodeMemory& memory() {
        if (!memory_) {
            memory_ = std::make_unique<NodeMemory>("memory", domain, parameters);
            core.bus_socket.bind(memory_->bus_socket);
        }
        return *memory_;
    }
    const BusAccess& access(tlm::tlm_command command, std::uint64_t address, std::uint64_t data,
                            unsigned bytes) {
        return core.append({command, address, data, bytes});
    }
    void run() {
        memory();
        domain.run_until(Cycles(10'000));
    }
    unsigned debug_write(std::uint64_t address, std::vector<std::uint8_t> data) {
        return core.debug(tlm::TLM_WRITE_COMMAND, address, data.data(),
                          static_cast<unsigned>(data.size()));
    }
    std::vector<std::uint8_t> debug_read(std::uint64_t address, std::size_t bytes) {
        std::vector<std::uint8_t> data(bytes, 0xee);
        data.resize(
            core.debug(tlm::TLM_READ_COMMAND, address, data.data(), static_cast<unsigned>(bytes)));
        return data;
    }

    hw::ClockDomainParameters clock_parameters;
    hw::ClockDomain domain{"clock", clock_parameters};
    NodeMemory::Parameters parameters;
    hw::testing::BusInitiator core{"core", domain};

  private:
    std::unique_ptr<NodeMemory> memory_;
};

constexpr auto kRead = tlm::TLM_READ_COMMAND;
constexpr auto kWrite = tlm::TLM_WRITE_COMMAND;

// SPARC V7 (Cypress 601): ld 2, st 3, ldd 3, std 4.
TEST_F(NodeMemoryTest, AWordCostsTwoToLoadAndThreeToStoreADoubleWordOneMore) {
    access(kRead, 0, 0, 4);
    access(kWrite, 0, 0, 4);
    access(kRead, 0, 0, 8);
    access(kWrite, 0, 0, 8);
    run();
    std::vector<std::int64_t> costs;
    for (const BusAccess& done : core.accesses()) {
        EXPECT_TRUE(done.ok() && done.at_once);
        costs.push_back(done.cost());
    }
    EXPECT_THAT(costs, ElementsAre(2, 3, 3, 4));
}

TEST_F(NodeMemoryTest, CostsAreItsParameters) {
    ASSERT_TRUE(parameters.load_cycles.set(std::int64_t{7}));
    ASSERT_TRUE(parameters.store_cycles.set(std::int64_t{11}));
    ASSERT_TRUE(parameters.double_cycles.set(std::int64_t{20}));
    access(kRead, 0, 0, 4);
    access(kWrite, 0, 0, 4);
    access(kRead, 0, 0, 8);
    access(kWrite, 0, 0, 8);
    run();
    std::vector<std::int64_t> costs;
    for (const BusAccess& done : core.accesses()) {
        costs.push_back(done.cost());
    }
    EXPECT_THAT(costs, ElementsAre(7, 11, 27, 31));
}

TEST_F(NodeMemoryTest, LoadsWhatWasStored) {
    access(kWrite, 0x100, 0x1122'3344, 4);
    access(kWrite, 0x104, 0x5566'7788, 4);
    const BusAccess& both = access(kRead, 0x100, 0, 8);
    access(kWrite, 0x100, 0xaabb'ccdd, 4);
    const BusAccess& changed = access(kRead, 0x100, 0, 4);
    const BusAccess& other = access(kRead, 0x104, 0, 4);
    run();
    EXPECT_EQ(both.data, 0x5566'7788'1122'3344U);
    EXPECT_EQ(changed.data, 0xaabb'ccddU);
    EXPECT_EQ(other.data, 0x5566'7788U);
}

TEST_F(NodeMemoryTest, WhatWasNeverWrittenReadsAsZeroAndTakesNoPage) {
    const BusAccess& load = access(kRead, 0x2000, 0xffff'ffff, 4);
    run();
    EXPECT_EQ(load.data, 0U);
    EXPECT_EQ(memory().pages_allocated(), 0U);
}

TEST_F(NodeMemoryTest, TakesAPageWhenItIsFirstWritten) {
    access(kWrite, 15 * kPage, 1, 4);
    access(kWrite, 15 * kPage + 4, 1, 4);
    access(kWrite, 3 * kPage, 1, 4);
    const BusAccess& between = access(kRead, 7 * kPage, 1, 4);
    run();
    EXPECT_EQ(between.data, 0U);
    EXPECT_EQ(memory().pages_allocated(), 2U);
}

TEST_F(NodeMemoryTest, RefusesAccessesItDoesNotDo) {
    for (const auto& [address, bytes] : std::vector<std::pair<std::uint64_t, unsigned>>{
             {2, 4}, {1, 4}, {4, 8}, {1, 2}, {0, 3}, {0, 16}}) {
        access(kWrite, address, 1, bytes);
    }
    run();
    EXPECT_THAT(core.accesses(),
                Each(::testing::Field(&BusAccess::status, tlm::TLM_BURST_ERROR_RESPONSE)));
    EXPECT_EQ(memory().pages_allocated(), 0U);
}

TEST_F(NodeMemoryTest, BytesAndHalvesAreAccessesLikeWords) {
    const BusAccess& byte = access(kWrite, 1, 1, 1);
    const BusAccess& half = access(kRead, 2, 0, 2);
    run();
    EXPECT_TRUE(byte.ok());
    EXPECT_TRUE(half.ok());
    EXPECT_EQ(byte.cost(), 3);
    EXPECT_EQ(half.cost(), 2);
}

TEST_F(NodeMemoryTest, EndsWithItsLastByte) {
    const BusAccess& last = access(kWrite, kNodeBytes - 8, 1, 8);
    const BusAccess& beyond = access(kWrite, kNodeBytes, 1, 4);
    const BusAccess& far_beyond = access(kRead, std::uint64_t{0} - 8, 1, 8);
    run();
    EXPECT_TRUE(last.ok());
    EXPECT_EQ(beyond.status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(far_beyond.status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

// A store allocates the page, so a core that keeps the page's address asks only once.
TEST_F(NodeMemoryTest, AHitIsInAPageThatIsThereAndAStoreMakesIt) {
    const auto hit = [this](std::uint64_t address, unsigned bytes, bool is_store) {
        return memory().hit(HitPort::Side::kData, address, bytes, is_store, Cycles(0)).bytes;
    };
    EXPECT_EQ(hit(kPage + 8, 4, false), nullptr) << "the bus reads zero";
    EXPECT_EQ(memory().pages_allocated(), 0U);
    std::uint8_t* const stored = hit(kPage + 8, 4, true);
    ASSERT_NE(stored, nullptr);
    EXPECT_EQ(memory().pages_allocated(), 1U);
    EXPECT_EQ(hit(kPage + 8, 4, false), stored);
    EXPECT_EQ(hit(kPage + 12, 4, false), stored + 4);
    *stored = 0x5a;
    EXPECT_THAT(debug_read(kPage + 8, 1), ElementsAre(0x5a));
    EXPECT_NE(hit(kNodeBytes - 4, 4, true), nullptr);
    EXPECT_EQ(hit(kNodeBytes - 4, 8, true), nullptr) << "beyond the end";
    EXPECT_EQ(hit(kNodeBytes, 4, true), nullptr);
    EXPECT_EQ(hit(std::uint64_t{0} - 8, 8, true), nullptr);
}

TEST_F(NodeMemoryTest, APlainHitIsWhereTheMemoryHasTheWord) {
    std::uint8_t* const stored =
        memory().hit(HitPort::Side::kData, kPage + 8, 4, true, Cycles(0)).bytes;
    const NodeMemory::Pages pages = memory().plain_data();
    EXPECT_EQ(pages.hit(kPage + 8, false, Cycles(0)).bytes, stored);
    EXPECT_EQ(pages.hit(kPage + 12, true, Cycles(0)).bytes, stored + 4);
    EXPECT_EQ(pages.hit(8, true, Cycles(0)).bytes, nullptr) << "no page is there";
    EXPECT_EQ(pages.hit(kNodeBytes, false, Cycles(0)).bytes, nullptr);
}

TEST_F(NodeMemoryTest, ADebuggerReadsAndWritesAcrossPagesWithoutTime) {
    memory();
    std::vector<std::uint8_t> data(2 * kPage + 10);
    std::iota(data.begin(), data.end(), std::uint8_t{1});
    EXPECT_EQ(debug_write(kPage - 5, data), data.size());
    EXPECT_EQ(memory().pages_allocated(), 4U);
    EXPECT_THAT(debug_read(kPage - 5, data.size()), ElementsAreArray(data));
    EXPECT_THAT(debug_read(kPage - 7, 4), ElementsAre(0, 0, 1, 2));
    EXPECT_THAT(debug_read(3 * kPage + 3, 4), ElementsAre(data[2 * kPage + 8], data.back(), 0, 0));
    EXPECT_FALSE(domain.has_wake_ups());
}

TEST_F(NodeMemoryTest, ADebuggerIsRefusedBeyondTheEnd) {
    memory();
    EXPECT_EQ(debug_write(kNodeBytes - 2, {1, 2}), 2U);
    EXPECT_EQ(debug_write(kNodeBytes - 2, {7, 8, 9}), 0U);
    EXPECT_THAT(debug_read(kNodeBytes - 2, 2), ElementsAre(1, 2)) << "nothing is half written";
}

TEST_F(NodeMemoryTest, AProgramLoadsWhatADebuggerWrote) {
    memory();
    debug_write(kPage - 4, {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88});
    const BusAccess& low = access(kRead, kPage - 4, 0, 4);
    const BusAccess& high = access(kRead, kPage, 0, 4);
    run();
    EXPECT_EQ(low.data, 0x4433'2211U);
    EXPECT_EQ(high.data, 0x8877'6655U);
}

}  // namespace
}  // namespace weir::memory
