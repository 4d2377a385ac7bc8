#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hw/testing/test_cost.h"
#include "memory/coherence/testing/protocol_checker.h"
#include "memory/coherence/testing/walked_protocols.h"

namespace weir::memory {

namespace {

using testing::ProtocolChecker;
using testing::WalkedProtocol;
using Fault = ProtocolChecker::Fault;

struct Planted {
    Fault fault;
    const char* found;
};
// At three caches, each by itself.
void expect_found(Protocol protocol, std::int32_t pointers, const std::vector<Planted>& faults) {
    for (const Planted& planted : faults) {
        const auto result =
            ProtocolChecker(
                {.caches = 3, .pointers = pointers, .protocol = protocol, .fault = planted.fault})
                .run();
        EXPECT_EQ(result.wrong, planted.found) << static_cast<int>(planted.fault);
    }
}

class ProtocolStatesTest : public ::testing::TestWithParam<WalkedProtocol> {};

TEST_P(ProtocolStatesTest, AreThoseOfTheModelAndHoldItsInvariants) {
    const auto result = ProtocolChecker(GetParam().shape).run();
    EXPECT_EQ(result.wrong, "");
    EXPECT_EQ(result.states, GetParam().states);
}

INSTANTIATE_TEST_SUITE_P(Protocols, ProtocolStatesTest,
                         ::testing::ValuesIn(testing::kWalkedProtocols),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(ProtocolTest, AFullMapIsLimitlessWithAPointerForEachCache) {
    const auto result =
        ProtocolChecker({.caches = 3, .pointers = 3, .protocol = Protocol::kFullMap}).run();
    EXPECT_EQ(result.wrong, "");
    EXPECT_EQ(result.states, 125'046);
}

TEST(ProtocolTest, LimitedPointersTakeACopyForAReaderTooMany) {
    const auto result =
        ProtocolChecker({.caches = 3, .pointers = 2, .protocol = Protocol::kLimited}).run();
    EXPECT_EQ(result.wrong, "");
    EXPECT_TRUE(result.home_pairs.contains({HomeState::kEviction, Packet::kAcknowledge}));
    EXPECT_TRUE(result.home_pairs.contains({HomeState::kEviction, Packet::kModifyRequest}));
}

TEST(ProtocolTest, PlantedFaultsOfLimitedPointersAreFound) {
    expect_found(Protocol::kLimited, 1,
                 {
                     {Fault::kOneInvalidationTooFew, "the home does not know of a copy"},
                     {Fault::kDoesNotWait, "the home does not know of a copy"},
                     {Fault::kDropsReplaced, "a copy does not hold what was stored last"},
                     {Fault::kAbsentUnacknowledged, "a transaction never ends"},
                     {Fault::kReordered, "RREQ at a home in Read-Write"},
                 });
}

TEST(ProtocolTest, PlantedFaultsOfSoftwareAloneAreFound) {
    expect_found(Protocol::kSoftware, 0,
                 {
                     {Fault::kOneInvalidationTooFew, "the home does not know of a copy"},
                     {Fault::kDoesNotWait, "the home does not know of a copy"},
                     {Fault::kDropsReplaced, "a copy does not hold what was stored last"},
                     {Fault::kNotBusyInSoftware, "a transaction never ends"},
                     {Fault::kAbsentUnacknowledged, "a transaction never ends"},
                     {Fault::kSoftwareForgets, "the home does not know of a copy"},
                     {Fault::kReordered, "RREQ at a home in Read-Write"},
                 });
}

TEST(ProtocolTest, PlantedFaultsOfHomesThatForwardAreFound) {
    expect_found(Protocol::kForwarding, 3,
                 {
                     {Fault::kOneInvalidationTooFew, "the home does not know of a copy"},
                     {Fault::kDoesNotWait, "a writer and another copy"},
                     {Fault::kDropsReplaced, "RREQ at a home in Read-Write"},
                     {Fault::kAbsentUnacknowledged, "a transaction never ends"},
                     {Fault::kUsesOvertaken, "the home does not know of a copy"},
                     {Fault::kForwardsTwice, "the home does not know of a copy"},
                     {Fault::kGivesTooEarly, "WDATA at a cache in modify asked"},
                     {Fault::kReordered, "RREQ at a home in Read-Write"},
                 });
}

// A home that forgets whom it has refused is found by what it has to remember; and, where that is
// not looked at, since a request is refused without end.
TEST(ProtocolTest, AHomeThatForgetsWhomItHasRefusedIsFound) {
    for (const auto& [protocol, pointers] : {std::pair{Protocol::kLimitless, 1},
                                             {Protocol::kLimited, 1},
                                             {Protocol::kFullMap, 2},
                                             {Protocol::kSoftware, 0},
                                             {Protocol::kForwarding, 2}}) {
        for (const bool counts : {false, true}) {
            const auto result = ProtocolChecker({.caches = 2,
                                                 .pointers = pointers,
                                                 .protocol = protocol,
                                                 .fault = Fault::kHomeForgets,
                                                 .counts_passed = counts})
                                    .run();
            EXPECT_EQ(result.wrong, counts ? "a refused request sees too many others served"
                                           : "the home does not remember whom it has refused");
        }
    }
}

TEST(ProtocolTest, EveryPlantedFaultIsFound) {
    expect_found(Protocol::kLimitless, 1,
                 {
                     {Fault::kOneInvalidationTooFew, "the home does not know of a copy"},
                     {Fault::kDoesNotWait, "the home does not know of a copy"},
                     {Fault::kNoTrapOnWrite, "MREQ at a home in Trap-On-Write"},
                     {Fault::kDropsReplaced, "a copy does not hold what was stored last"},
                     {Fault::kNotBusyInSoftware, "a transaction never ends"},
                     {Fault::kAbsentUnacknowledged, "a transaction never ends"},
                     {Fault::kSoftwareForgets, "the home does not know of a copy"},
                     {Fault::kReordered, "RREQ at a home in Read-Write"},
                 });
}

WEIR_TESTS_COST("ProtocolStatesTest.*/forwarding_three_caches$", 22);

}  // namespace

}  // namespace weir::memory
