#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ostream>
#include <string>
#include <vector>

#include "hw/testing/needed_tool.h"
#include "hw/testing/test_cost.h"
#include "memory/coherence/testing/walked_protocols.h"

namespace weir::memory {
namespace {

using ::testing::HasSubstr;
using testing::WalkedProtocol;

/// The protocols' models (models/), explored by rumur.
class ProtocolModelTest : public ::testing::Test {
  protected:
    void SetUp() override { WEIR_NEEDS_TOOL("rumur"); }

    /// Output of models/check for a protocol, its numbers of caches and pointers, and a planted
    /// fault.
    static std::string checked(const std::string& protocol, std::size_t caches,
                               std::int32_t pointers, int fault = 0, bool counts = false) {
        const std::string command = WEIR_PROTOCOL_MODELS "/check " + protocol + " " +
                                    std::to_string(caches) + " " + std::to_string(pointers) + " " +
                                    std::to_string(fault) + (counts ? " 1" : " 0") + " 2>&1";
        std::FILE* pipe = popen(command.c_str(), "r");
        EXPECT_NE(pipe, nullptr);
        std::string said;
        std::array<char, 256> part{};
        while (std::fgets(part.data(), part.size(), pipe) != nullptr) {
            said += part.data();
        }
        pclose(pipe);
        return said;
    }
};

class ModelStatesTest : public ProtocolModelTest,
                        public ::testing::WithParamInterface<WalkedProtocol> {};

// ProtocolStatesTest checks the same numbers of states for the machine's tables.
TEST_P(ModelStatesTest, AreAsManyAsThoseOfTheTablesOfTheMachine) {
    const WalkedProtocol& walked = GetParam();
    const std::string said = checked(walked.protocol, walked.shape.caches, walked.shape.pointers, 0,
                                     walked.shape.counts_passed);
    EXPECT_THAT(said, HasSubstr("No error"));
    EXPECT_THAT(said, HasSubstr("\t" + std::to_string(walked.states) + " states, "));
}

INSTANTIATE_TEST_SUITE_P(Protocols, ModelStatesTest, ::testing::ValuesIn(testing::kWalkedProtocols),
                         [](const auto& instance) { return std::string(instance.param.name); });

/// The faults of a protocol, with the smallest number of caches that all of them need.
struct FaultyModel {
    const char* protocol;
    std::size_t caches;
    std::int32_t pointers;
    std::vector<int> faults;
};
std::ostream& operator<<(std::ostream& out, const FaultyModel& planted) {
    return out << planted.protocol;
}

class ModelFaultsTest : public ProtocolModelTest,
                        public ::testing::WithParamInterface<FaultyModel> {};

TEST_P(ModelFaultsTest, AreSeenEach) {
    const auto& [protocol, caches, pointers, faults] = GetParam();
    for (const int fault : faults) {
        EXPECT_THAT(checked(protocol, caches, pointers, fault), HasSubstr("1 error(s) found"))
            << fault;
    }
    constexpr int kHomeForgets = 9;
    EXPECT_THAT(checked(protocol, caches, pointers, kHomeForgets, true),
                HasSubstr("1 error(s) found"));
}

INSTANTIATE_TEST_SUITE_P(
    Protocols, ModelFaultsTest,
    ::testing::Values(FaultyModel{"limitless", 3, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9}},
                      FaultyModel{"software", 3, 0, {1, 2, 4, 5, 6, 7, 8, 9}},
                      FaultyModel{"forwarding", 2, 2, {1, 2, 3, 4, 5, 6, 7, 8, 9}},
                      FaultyModel{"limited", 3, 1, {1, 2, 4, 6, 8, 9}}),
    [](const auto& instance) { return std::string(instance.param.protocol); });

WEIR_TESTS_COST("ModelStatesTest.*/forwarding_three_caches$", 68, 32);
WEIR_TESTS_COST("ModelFaultsTest.*/(limitless|software)$", 47, 37);
WEIR_TESTS_COST("ModelFaultsTest.*/limited$", 11, 12);
WEIR_TESTS_COST("ModelStatesTest.*/(limitless_three_caches(_two_pointers)?|software_three_caches)$",
                9, 10);

}  // namespace
}  // namespace weir::memory
