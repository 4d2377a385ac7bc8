#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ostream>
#include <string>
#include <vector>

#include "memory/coherence/testing/protocol_checker.h"

namespace weir::memory {
namespace {

using ::testing::HasSubstr;
using testing::ProtocolChecker;

/// The models of the protocols (models/), as rumur walks through them.
class ProtocolModelTest : public ::testing::Test {
  protected:
    void SetUp() override {
        if (std::system("command -v rumur >/dev/null") != 0) {
            GTEST_SKIP() << "rumur is not installed";
        }
    }

    /// What models/check says of a protocol with so many caches and pointers, and a fault that is
    /// planted.
    static std::string checked(const std::string& protocol, std::size_t caches,
                               std::int32_t pointers, int fault = 0) {
        const std::string command = WEIR_PROTOCOL_MODELS "/check " + protocol + " " +
                                    std::to_string(caches) + " " + std::to_string(pointers) + " " +
                                    std::to_string(fault) + " 2>&1";
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

/// A protocol with so many caches and pointers.
struct WalkedModel {
    const char* name;
    const char* protocol;
    ProtocolChecker::Shape shape;
};
std::ostream& operator<<(std::ostream& out, const WalkedModel& walked) {
    return out << walked.name;
}

class ModelStatesTest : public ProtocolModelTest,
                        public ::testing::WithParamInterface<WalkedModel> {};

TEST_P(ModelStatesTest, AreAsManyAsThoseOfTheTablesOfTheMachine) {
    const auto& [name, protocol, shape] = GetParam();
    const auto walk = ProtocolChecker(shape).run();
    const std::string said = checked(protocol, shape.caches, shape.pointers);
    EXPECT_THAT(said, HasSubstr("No error found"));
    EXPECT_THAT(said, HasSubstr("\t" + std::to_string(walk.states) + " states, "));
}

INSTANTIATE_TEST_SUITE_P(
    Protocols, ModelStatesTest,
    ::testing::Values(
        WalkedModel{"limitless_two_caches", "limitless", {.caches = 2, .pointers = 1}},
        WalkedModel{"limitless_two_caches_full_map", "limitless", {.caches = 2, .pointers = 2}},
        WalkedModel{"limitless_three_caches", "limitless", {.caches = 3, .pointers = 1}},
        WalkedModel{"limitless_three_caches_full_map", "limitless", {.caches = 3, .pointers = 3}},
        WalkedModel{"software_two_caches",
                    "software",
                    {.caches = 2, .pointers = 0, .protocol = Protocol::kSoftware}},
        WalkedModel{"software_three_caches",
                    "software",
                    {.caches = 3, .pointers = 0, .protocol = Protocol::kSoftware}},
        WalkedModel{"forwarding_two_caches",
                    "forwarding",
                    {.caches = 2, .pointers = 2, .protocol = Protocol::kForwarding}},
        WalkedModel{"forwarding_three_caches",
                    "forwarding",
                    {.caches = 3, .pointers = 3, .protocol = Protocol::kForwarding}},
        WalkedModel{"limited_two_caches",
                    "limited",
                    {.caches = 2, .pointers = 1, .protocol = Protocol::kLimited}},
        WalkedModel{"limited_three_caches",
                    "limited",
                    {.caches = 3, .pointers = 1, .protocol = Protocol::kLimited}},
        WalkedModel{"limited_three_caches_two_pointers",
                    "limited",
                    {.caches = 3, .pointers = 2, .protocol = Protocol::kLimited}}),
    [](const auto& instance) { return std::string(instance.param.name); });

/// The faults of a protocol, at the least caches that all of them need.
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
}

INSTANTIATE_TEST_SUITE_P(Protocols, ModelFaultsTest,
                         ::testing::Values(FaultyModel{"limitless", 3, 1, {1, 2, 3, 4, 5, 6, 7, 8}},
                                           FaultyModel{"software", 3, 0, {1, 2, 4, 5, 6, 7, 8}},
                                           FaultyModel{
                                               "forwarding", 2, 2, {1, 2, 3, 4, 5, 6, 7, 8}},
                                           FaultyModel{"limited", 3, 1, {1, 2, 4, 6, 8}}),
                         [](const auto& instance) { return std::string(instance.param.protocol); });

}  // namespace
}  // namespace weir::memory
