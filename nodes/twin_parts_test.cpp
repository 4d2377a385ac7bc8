#include "nodes/twin_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

#include "hw/testing/names.h"

namespace weir::nodes {
namespace {

using weir::testing::Names;

class TwinPartsTest : public ::testing::Test {
  protected:
    [[nodiscard]] const TwinPart& part(const std::string& name) {
        parts_ = twin_parts(machine_);
        const auto found = std::find_if(parts_.begin(), parts_.end(),
                                        [&name](const auto& each) { return each.name == name; });
        if (found == parts_.end()) throw std::out_of_range(name);
        return *found;
    }
    [[nodiscard]] static std::int64_t value(const TwinPart& part, const std::string& parameter) {
        for (const auto& [name, value] : std::get<hw::Twin>(part.twin).parameters) {
            if (name == parameter) return value;
        }
        throw std::out_of_range(parameter);
    }
    [[nodiscard]] static std::string missing(const TwinPart& part) {
        const auto& fault = std::get<hw::Fault>(part.twin);
        return fault.key + " " + fault.found;
    }
    MachineConfiguration machine_;

  private:
    std::vector<TwinPart> parts_;
};

TEST_F(TwinPartsTest, EachPartOfAlewifesNodesIsThereOncePerNode) {
    std::set<std::string> names;
    for (const TwinPart& each : twin_parts(machine_)) {
        EXPECT_EQ(each.count, 32) << each.name;
        EXPECT_TRUE(names.insert(each.name).second) << each.name;
        EXPECT_EQ(std::holds_alternative<hw::Fault>(each.twin), each.name == "core") << each.name;
    }
    EXPECT_EQ(names.size(), 9U);
}

TEST_F(TwinPartsTest, SizesAreThoseOfTheKeys) {
    ASSERT_TRUE(machine_.controller.output_queue_bytes.set(std::int64_t{128}));
    ASSERT_TRUE(machine_.network.buffer_flits.set(std::int64_t{7}));
    ASSERT_TRUE(machine_.dma.burst_bytes.set(std::int64_t{16}));
    EXPECT_EQ(value(part("output queue"), "QUEUE_BYTES"), 128);
    EXPECT_EQ(value(part("input queue"), "QUEUE_BYTES"), 256);
    EXPECT_EQ(value(part("wormhole router"), "BUFFER_FLITS"), 7);
    EXPECT_EQ(value(part("DMA engine, sending"), "BURST_BYTES"), 16);
}

TEST_F(TwinPartsTest, SeveralVirtualChannelsTakeTheirOwnRouter) {
    ASSERT_TRUE(machine_.network.virtual_channels.set(std::int64_t{2}));
    EXPECT_EQ(value(part("virtual channel router"), "VIRTUAL_CHANNELS"), 2);
}

TEST_F(TwinPartsTest, AKeyThatNoTwinCoversIsNamed) {
    ASSERT_TRUE(machine_.network.find("arbitration")->set(std::string("oldest")));
    EXPECT_THAT(missing(part("router")), Names("network.arbitration"));
    ASSERT_TRUE(machine_.core.find("receive_mode")->set(std::string("protocol_processor")));
    EXPECT_THAT(missing(part("message controller")), Names("core.receive_mode"));
}

TEST_F(TwinPartsTest, CachesHaveNoTwinAndUseTheMemoryPort) {
    EXPECT_EQ(value(part("memory port"), "PORTS"), 2);
    ASSERT_TRUE(machine_.memory.caches.set(std::int64_t{1}));
    EXPECT_EQ(value(part("memory port"), "PORTS"), 3);
    EXPECT_TRUE(std::holds_alternative<hw::Fault>(part("caches").twin));
}

TEST_F(TwinPartsTest, ANetworkOfDelaysHasNoRouters) {
    ASSERT_TRUE(machine_.network.find("model")->set(std::string("delay")));
    const std::vector<TwinPart> parts = twin_parts(machine_);
    ASSERT_EQ(parts.size(), 1U);
    EXPECT_EQ(parts.front().count, 0);
    EXPECT_THAT(missing(parts.front()), Names("network.model"));
}

}  // namespace
}  // namespace weir::nodes
