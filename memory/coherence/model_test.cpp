#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

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

TEST_F(ProtocolModelTest, HasAsManyStatesAsTheTablesOfTheMachine) {
    const struct {
        const char* name;
        ProtocolChecker::Shape shape;
    } models[] = {{"limitless", {.caches = 2, .pointers = 1}},
                  {"limitless", {.caches = 2, .pointers = 2}},
                  {"limitless", {.caches = 3, .pointers = 1}},
                  {"limitless", {.caches = 3, .pointers = 3}},
                  {"software", {.caches = 2, .pointers = 0, .protocol = Protocol::kSoftware}},
                  {"software", {.caches = 3, .pointers = 0, .protocol = Protocol::kSoftware}},
                  {"forwarding", {.caches = 2, .pointers = 2, .protocol = Protocol::kForwarding}},
                  {"forwarding", {.caches = 3, .pointers = 3, .protocol = Protocol::kForwarding}},
                  {"limited", {.caches = 2, .pointers = 1, .protocol = Protocol::kLimited}},
                  {"limited", {.caches = 3, .pointers = 1, .protocol = Protocol::kLimited}},
                  {"limited", {.caches = 3, .pointers = 2, .protocol = Protocol::kLimited}}};
    for (const auto& [name, shape] : models) {
        const auto walk = ProtocolChecker(shape).run();
        const std::string said = checked(name, shape.caches, shape.pointers);
        EXPECT_THAT(said, HasSubstr("No error found"));
        EXPECT_THAT(said, HasSubstr("\t" + std::to_string(walk.states) + " states, "));
    }
}

// Where the protocol has what is at fault.
TEST_F(ProtocolModelTest, SeesEachPlantedFault) {
    for (int fault = 1; fault <= 8; ++fault) {
        EXPECT_THAT(checked("limitless", 3, 1, fault), HasSubstr("1 error(s) found")) << fault;
    }
    for (const int fault : {1, 2, 4, 5, 6, 7, 8}) {
        EXPECT_THAT(checked("software", 3, 0, fault), HasSubstr("1 error(s) found")) << fault;
    }
    for (int fault = 1; fault <= 8; ++fault) {
        EXPECT_THAT(checked("forwarding", 2, 2, fault), HasSubstr("1 error(s) found")) << fault;
    }
    for (const int fault : {1, 2, 4, 6, 8}) {
        EXPECT_THAT(checked("limited", 3, 1, fault), HasSubstr("1 error(s) found")) << fault;
    }
}

}  // namespace
}  // namespace weir::memory
