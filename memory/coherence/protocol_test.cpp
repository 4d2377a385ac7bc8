#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "memory/coherence/testing/protocol_checker.h"

namespace weir::memory {

namespace {

using testing::ProtocolChecker;
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

// The numbers of states are those that rumur finds in models/: models/check prints them.
TEST(ProtocolTest, HasTheStatesOfItsModelAndHoldsItsInvariants) {
    const struct {
        Protocol protocol;
        std::size_t caches;
        std::int32_t pointers;
        std::size_t states;
    } shapes[] = {{Protocol::kLimitless, 2, 1, 1'866},   {Protocol::kLimitless, 3, 1, 73'122},
                  {Protocol::kLimitless, 3, 2, 48'642},  {Protocol::kLimitless, 3, 3, 20'274},
                  {Protocol::kLimited, 2, 1, 930},       {Protocol::kSoftware, 2, 0, 2'506},
                  {Protocol::kSoftware, 3, 0, 61'412},   {Protocol::kLimited, 3, 1, 13'998},
                  {Protocol::kLimited, 3, 2, 21'972},    {Protocol::kForwarding, 2, 2, 5'700},
                  {Protocol::kForwarding, 3, 3, 365'300}};
    for (const auto& shape : shapes) {
        const auto result =
            ProtocolChecker(
                {.caches = shape.caches, .pointers = shape.pointers, .protocol = shape.protocol})
                .run();
        EXPECT_EQ(result.wrong, "") << shape.caches << ", " << shape.pointers;
        EXPECT_EQ(result.states, shape.states) << shape.caches << ", " << shape.pointers;
    }
}

TEST(ProtocolTest, AFullMapIsLimitlessWithAPointerForEachCache) {
    const auto result =
        ProtocolChecker({.caches = 3, .pointers = 3, .protocol = Protocol::kFullMap}).run();
    EXPECT_EQ(result.wrong, "");
    EXPECT_EQ(result.states, 20'274);
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
                     {Fault::kForwardsTwice, "FREAD at a cache in Read-Only"},
                     {Fault::kGivesTooEarly, "WDATA at a cache in modify asked"},
                     {Fault::kReordered, "RREQ at a home in Read-Write"},
                 });
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

}  // namespace

}  // namespace weir::memory
