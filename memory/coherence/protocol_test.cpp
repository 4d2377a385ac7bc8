#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hw/testing/names.h"
#include "hw/testing/test_cost.h"
#include "memory/coherence/testing/protocol_checker.h"
#include "memory/coherence/testing/walked_protocols.h"

namespace weir::memory {

namespace {

using testing::ProtocolChecker;
using testing::WalkedProtocol;
using weir::testing::Names;
using weir::testing::NamesMatcher;
using Fault = ProtocolChecker::Fault;

struct Planted {
    Fault fault;
    std::vector<std::string> found;  // words that the fault's message contains
};
// Three caches, with one planted fault at a time.
void expect_found(Protocol protocol, std::int32_t pointers, const std::vector<Planted>& faults) {
    for (const Planted& planted : faults) {
        const auto result =
            ProtocolChecker(
                {.caches = 3, .pointers = pointers, .protocol = protocol, .fault = planted.fault})
                .run();
        EXPECT_THAT(result.wrong, NamesMatcher(planted.found)) << static_cast<int>(planted.fault);
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
                     {Fault::kOneInvalidationTooFew, {"home", "know", "copy"}},
                     {Fault::kDoesNotWait, {"home", "know", "copy"}},
                     {Fault::kDropsReplaced, {"copy", "hold", "stored"}},
                     {Fault::kAbsentUnacknowledged, {"transaction", "never"}},
                     {Fault::kReordered, {"RREQ", "home", "Read-Write"}},
                 });
}

TEST(ProtocolTest, PlantedFaultsOfSoftwareAloneAreFound) {
    expect_found(Protocol::kSoftware, 0,
                 {
                     {Fault::kOneInvalidationTooFew, {"home", "know", "copy"}},
                     {Fault::kDoesNotWait, {"home", "know", "copy"}},
                     {Fault::kDropsReplaced, {"copy", "hold", "stored"}},
                     {Fault::kNotBusyInSoftware, {"transaction", "never"}},
                     {Fault::kAbsentUnacknowledged, {"transaction", "never"}},
                     {Fault::kSoftwareForgets, {"home", "know", "copy"}},
                     {Fault::kReordered, {"RREQ", "home", "Read-Write"}},
                 });
}

TEST(ProtocolTest, PlantedFaultsOfHomesThatForwardAreFound) {
    expect_found(Protocol::kForwarding, 3,
                 {
                     {Fault::kOneInvalidationTooFew, {"home", "know", "copy"}},
                     {Fault::kDoesNotWait, {"writer", "copy"}},
                     {Fault::kDropsReplaced, {"RREQ", "home", "Read-Write"}},
                     {Fault::kAbsentUnacknowledged, {"transaction", "never"}},
                     {Fault::kUsesOvertaken, {"home", "know", "copy"}},
                     {Fault::kForwardsTwice, {"home", "know", "copy"}},
                     {Fault::kGivesTooEarly, {"WDATA", "cache", "modify asked"}},
                     {Fault::kReordered, {"RREQ", "home", "Read-Write"}},
                 });
}

// A home that forgets refused nodes violates its own invariant. Without that check, a request is
// refused without end.
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
            EXPECT_THAT(result.wrong, counts ? Names("refused", "request", "served")
                                             : Names("home", "remember", "refused"));
        }
    }
}

TEST(ProtocolTest, EveryPlantedFaultIsFound) {
    expect_found(Protocol::kLimitless, 1,
                 {
                     {Fault::kOneInvalidationTooFew, {"home", "know", "copy"}},
                     {Fault::kDoesNotWait, {"home", "know", "copy"}},
                     {Fault::kNoTrapOnWrite, {"MREQ", "home", "Trap-On-Write"}},
                     {Fault::kDropsReplaced, {"copy", "hold", "stored"}},
                     {Fault::kNotBusyInSoftware, {"transaction", "never"}},
                     {Fault::kAbsentUnacknowledged, {"transaction", "never"}},
                     {Fault::kSoftwareForgets, {"home", "know", "copy"}},
                     {Fault::kReordered, {"RREQ", "home", "Read-Write"}},
                 });
}

WEIR_TESTS_COST("PlantedFaultsOfHomesThatForward|EveryPlantedFault", 12, 60);
WEIR_TESTS_COST("PlantedFaultsOfSoftwareAlone", 6, 36);
WEIR_TESTS_COST("ProtocolStatesTest.*/forwarding_three_caches$", 22, 120);
WEIR_TESTS_COST("ProtocolStatesTest.*/limitless_three_caches(_two_pointers)?$", 4, 18);
WEIR_TESTS_COST("ProtocolStatesTest.*/software_three_caches$", 5, 14);
WEIR_TESTS_COST("ProtocolStatesTest.*/limited_three_caches_two_pointers$", 3, 8);

}  // namespace

}  // namespace weir::memory
