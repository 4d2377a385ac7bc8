#include "firmware/kernels/record_delivery/record_delivery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>

#include "firmware/testing/machine_bench.h"
#include "hw/testing/names.h"

namespace weir::firmware {
namespace {

using weir::testing::Names;

class RecordDeliveryTest : public ::testing::Test {
  protected:
    explicit RecordDeliveryTest(const char* kernel) : bench_(kernel) {
        bench_.set_dimensions({3, 2});
        bench_.set_workload("records", std::int64_t{20});
    }
    void run() { ASSERT_EQ(bench_.fault_of_run(), ""); }
    void be_asynchronous() { bench_.set_workload("style", std::string("asynchronous")); }
    [[nodiscard]] std::int64_t end_of(std::int32_t node) const {
        for (const auto& mark : bench_.trace.marks) {
            if (mark.node.index() == node && mark.name == kProgramEnds) {
                return mark.cycle.count();
            }
        }
        return -1;
    }
    // Number of messages from threads by destination.
    [[nodiscard]] std::map<std::int32_t, int> records_by_owner() const {
        std::map<std::int32_t, int> count;
        for (const auto& [id, message] : bench_.trace.messages) {
            if (!message.parent.valid()) {
                ++count[message.destination.index()];
            }
        }
        return count;
    }
    firmware::testing::KernelBench bench_;
};

class HotSpotTest : public RecordDeliveryTest {
  protected:
    HotSpotTest() : RecordDeliveryTest("hot-spot") {}
};

class ProducerConsumerTest : public RecordDeliveryTest {
  protected:
    ProducerConsumerTest() : RecordDeliveryTest("producer-consumer") {
        bench_.set_workload("consumers", std::int64_t{2});
    }
};

TEST_F(HotSpotTest, SynchronousRecordsAreAcknowledged) {
    run();
    EXPECT_EQ(bench_.trace.messages.size(), 2U * 6 * 20);
}

TEST_F(HotSpotTest, AsynchronousOnesAreNot) {
    be_asynchronous();
    run();
    EXPECT_EQ(bench_.trace.messages.size(), 6U * 20);
}

TEST_F(HotSpotTest, AllRecordsGoToTheHotNodeButItsOwn) {
    bench_.set_workload("hot_node", std::int64_t{4});
    bench_.set_workload("hot_percent", 100.0);
    run();
    int others = 0;
    for (const auto& [owner, count] : records_by_owner()) {
        others += owner == 4 ? 0 : count;
    }
    EXPECT_EQ(records_by_owner().at(4), 5 * 20);
    EXPECT_EQ(others, 20);
}

// 6 senders with 20 records: 4 to each other node, and no more to node 0, within 3 sigma.
TEST_F(HotSpotTest, WithoutAHotShareAllNodesAreAlike) {
    bench_.set_workload("hot_percent", 0.0);
    run();
    for (const auto& [owner, count] : records_by_owner()) {
        EXPECT_NEAR(count, 20, 3 * 4);
    }
}

// A record takes o + L + o, and its reply o + L + o; no handler ends later than the launch of its
// reply.
TEST_F(HotSpotTest, OnLogpsMachineARecordTakesItsMessages) {
    bench_.make_abstract_machine(2, 5, 2, 4);
    bench_.set_workload("records", std::int64_t{1});
    run();
    EXPECT_EQ(end_of(0), 2 + 5 + 2 + 2 + 5 + 2);
    EXPECT_EQ(end_of(1), end_of(0));
}

// Two nodes send two records each, at intervals of g = 4.
TEST_F(HotSpotTest, OnLogpsMachineAsynchronousRecordsFollowEachOther) {
    bench_.make_abstract_machine(2, 5, 2, 4);
    be_asynchronous();
    bench_.set_workload("records", std::int64_t{2});
    run();
    EXPECT_EQ(end_of(0), 2 + 4 + 5 + 2);
    EXPECT_EQ(end_of(1), 2 + 4 + 5 + 2);
}

class HotSpotStyleTest
    : public HotSpotTest,
      public ::testing::WithParamInterface<std::tuple<const char*, const char*>> {
  protected:
    HotSpotStyleTest() {
        bench_.set_workload("style", std::string(std::get<0>(GetParam())));
        if (std::get<1>(GetParam()) == std::string("polling")) {
            bench_.set(bench_.configuration.core, "receive_mode", std::string("polling"));
            return;
        }
        bench_.set_workload("body_bytes", std::int64_t{72});
        for (const char* side : {"body_send", "body_receive"}) {
            bench_.set(bench_.firmware_parameters, side, std::string(std::get<1>(GetParam())));
        }
    }
};

TEST_P(HotSpotStyleTest, RecordsComeToTheirPlacesAlso) { run(); }

INSTANTIATE_TEST_SUITE_P(PollingOrBodies, HotSpotStyleTest,
                         ::testing::Combine(::testing::Values("synchronous", "asynchronous"),
                                            ::testing::Values("polling", "blocking", "status",
                                                              "interrupt")));

TEST_F(HotSpotTest, BodiesThatDoNotFitEnginesAreRefused) {
    bench_.set_workload("body_bytes", std::int64_t{12});
    const auto fault = bench_.kernel().parameters().check();
    ASSERT_TRUE(fault.has_value());
    EXPECT_THAT(hw::text_of(*fault), Names("12", "0", "multiple", "8"));
}

TEST_F(HotSpotTest, AWrongRecordIsSeen) {
    run();
    bench_.flip_bit(3, 8 + 5);
    EXPECT_THAT(bench_.check().value_or(""), Names("wrong", "node 3", "byte 0"));
}

TEST_F(HotSpotTest, AHotNodeBeyondTheMachineIsRefused) {
    bench_.set_workload("hot_node", std::int64_t{6});
    EXPECT_THAT(bench_.fault_of_data(), Names("workload.hot_node: ", "6", "6", "nodes", "0", "5"));
}

TEST_F(HotSpotTest, AMachineOfOneNodeIsRefused) {
    bench_.set_dimensions({1});
    EXPECT_THAT(bench_.fault_of_data(),
                Names("workload.hot_node: ", "0", "1", "nodes", "2", "nodes"));
}

// Among the producers, nodes 2 to 5, every second is hot.
TEST_F(ProducerConsumerTest, HotProducersFeedTheFirstConsumerAlone) {
    run();
    EXPECT_EQ(records_by_owner(), (std::map<std::int32_t, int>{{0, 40}, {1, 40}}));
    for (const auto& [id, message] : bench_.trace.messages) {
        if (!message.parent.valid()) {
            const bool is_hot = message.source.index() % 2 == 1;
            EXPECT_EQ(message.destination.index(), is_hot ? 0 : 1);
        }
    }
}

TEST_F(ProducerConsumerTest, OneConsumerIsHot) {
    bench_.set_workload("consumers", std::int64_t{1});
    bench_.set_workload("hot_percent", 100.0);
    be_asynchronous();
    run();
    EXPECT_EQ(records_by_owner(), (std::map<std::int32_t, int>{{0, 100}}));
}

// A handler takes 117 cycles for its interrupt, 11 for four arguments, 6 to store the number, and
// the work.
TEST_F(ProducerConsumerTest, HandlersStoreRecordsAndWorkOnThem) {
    bench_.set_workload("handler_work_cycles", std::int64_t{50});
    be_asynchronous();
    run();
    const auto& statistics = bench_.machine().node(hw::NodeId(0)).core.statistics();
    EXPECT_EQ(statistics.handler_cycles.value(), 40 * (117 + 11 + 6 + 50));
}

// Each consumer receives 40 of the producers' 80 records, and has none of its own.
TEST_F(ProducerConsumerTest, RecordsThatDoNotFitIntoMemoryAreRefused) {
    bench_.set_workload("body_bytes", std::int64_t{136});
    bench_.set(bench_.configuration.memory, "bytes", std::int64_t{40 * 128});
    EXPECT_THAT(bench_.fault_of_data(),
                Names("workload.records: ", "node 0", "40", "records", "5440",
                      "memory.bytes = 5120", "memory.bytes", "5440"));
}

TEST_F(ProducerConsumerTest, AMachineOfConsumersIsRefused) {
    bench_.set_workload("consumers", std::int64_t{6});
    EXPECT_THAT(bench_.fault_of_data(),
                Names("workload.consumers: ", "6", "6", "nodes", "producer", "1", "5"));
}

TEST_F(ProducerConsumerTest, ProducersWithoutAConsumerAreRefused) {
    bench_.set_workload("consumers", std::int64_t{1});
    const auto fault = bench_.kernel().parameters().check();
    ASSERT_TRUE(fault.has_value());
    EXPECT_EQ(fault->key, "hot_percent");
}

}  // namespace
}  // namespace weir::firmware
