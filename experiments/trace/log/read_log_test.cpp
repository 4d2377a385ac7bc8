#include "experiments/trace/log/read_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "experiments/trace/log/column_codec.h"
#include "experiments/trace/rows/trace_schema.h"
#include "experiments/trace/testing/hand_made_long_messages.h"
#include "experiments/trace/testing/hand_made_trace.h"
#include "hw/testing/names.h"

namespace weir::experiments::trace {
namespace {

using testing::HasSubstr;
using weir::testing::Names;

class ReadLogTest : public TraceTest {
  protected:
    [[nodiscard]] std::string bytes_of_log() const {
        std::ifstream in(log_of(HandMadeLongMessages()), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    [[nodiscard]] Trace trace_of(const std::string& bytes) const {
        std::ofstream(file("bytes.weir"), std::ios::binary) << bytes;
        return read_log(file("bytes.weir"));
    }
    [[nodiscard]] std::string error_of_reading(const std::string& bytes) const {
        return error_of([&] { static_cast<void>(trace_of(bytes)); });
    }
    static std::string record(char tag, const std::string& bytes) {
        std::string text(1, tag);
        append_number(text, bytes.size(), 4);
        return text + bytes;
    }
};

TEST_F(ReadLogTest, RowsComeInTheOrderOfTheirKeys) {
    HandMadeTrace reversed;
    std::reverse(reversed.messages.begin(), reversed.messages.end());
    std::reverse(reversed.intervals.begin(), reversed.intervals.end());
    const Trace trace = read_log(log_of(reversed));
    EXPECT_EQ(trace.messages.size(), 9U);
    EXPECT_TRUE(std::is_sorted(trace.messages.begin(), trace.messages.end(),
                               [](const auto& a, const auto& b) { return a.id < b.id; }));
    EXPECT_EQ(trace.intervals_of(hw::NodeId(0)).size(), 23U);
    EXPECT_EQ(trace.intervals_of(hw::NodeId(1)).front().begin, hw::Cycles(0));
    EXPECT_TRUE(trace.intervals_of(hw::NodeId(2)).empty());
    EXPECT_EQ(trace.find({hw::NodeId(1), 2})->times.launch, hw::Cycles(372));
    EXPECT_EQ(trace.find({hw::NodeId(1), 9}), nullptr);
}

// A window cuts messages out, so sequence numbers have gaps.
TEST_F(ReadLogTest, MessagesWithGapsComeInOrder) {
    HandMadeTrace made;
    std::erase_if(made.messages, [](const hw::Message& message) {
        return message.id == HandMadeTrace::id(1, 1) || message.id == HandMadeTrace::id(0, 0);
    });
    std::reverse(made.messages.begin(), made.messages.end());
    std::vector<hw::MessageId> ids;
    for (const MessageRow& message : read_log(log_of(made)).messages) {
        ids.push_back(message.id);
    }
    const auto id = HandMadeTrace::id;
    EXPECT_THAT(ids, testing::ElementsAre(id(0, 1), id(0, 2), id(0, 3), id(1, 0), id(1, 2),
                                          id(1, 3), id(1, 4)));
}

TEST_F(ReadLogTest, TwoMessagesOfOneNumberAreRefused) {
    for (const std::size_t twin : {0, 4, 8}) {
        HandMadeTrace made;
        made.messages.push_back(made.messages[twin]);
        std::reverse(made.messages.begin(), made.messages.end());
        EXPECT_THAT(error_of([&] { static_cast<void>(read_log(log_of(made))); }),
                    Names("messages", std::to_string(stored_message_id(made.messages.front().id))));
    }
}

TEST_F(ReadLogTest, IntervalsAreFoundFromAnyCycle) {
    const Trace trace = read_log(log_of(HandMadeTrace()));
    IntervalCursor intervals(trace);
    const auto begins = [&](int node, int cycle) {
        return intervals.from(hw::NodeId(node), hw::Cycles(cycle)).front().begin.count();
    };
    EXPECT_EQ(begins(0, 0), 0);
    EXPECT_EQ(begins(0, 141), 59);
    EXPECT_EQ(begins(0, 142), 142);
    EXPECT_EQ(begins(0, 900), 720);
    EXPECT_EQ(begins(0, 49), 0);
    EXPECT_EQ(begins(1, 474), 474);
    EXPECT_EQ(begins(0, 474), 470);
    EXPECT_EQ(intervals.from(hw::NodeId(1), hw::Cycles(-5)).size(), 13U);
    EXPECT_TRUE(intervals.from(hw::NodeId(2), hw::Cycles(0)).empty());
}

// The log of a killed run may end anywhere.
TEST_F(ReadLogTest, ALogThatIsCutShortHoldsWhatCameBefore) {
    const std::string whole = bytes_of_log();
    std::size_t messages = 0;
    for (std::size_t length = whole.size() / 4; length < whole.size(); ++length) {
        const Trace trace = trace_of(whole.substr(0, length));
        EXPECT_GE(trace.messages.size(), messages);
        EXPECT_EQ(trace.run.at("complete"), "no");
        messages = trace.messages.size();
    }
    EXPECT_EQ(trace_of(whole).messages.size(), messages);
    EXPECT_EQ(trace_of(whole).run.at("complete"), "yes");
}

TEST_F(ReadLogTest, WhatNoStoreWritesIsRefused) {
    const std::string log = bytes_of_log();
    EXPECT_THAT(error_of_reading("weirlog0" + log.substr(8)), Names("version", "Weir"));
    EXPECT_THAT(error_of_reading("weirlog1"), Names("version", "none"));
    const std::string damaged = std::to_string(log.size());
    EXPECT_THAT(error_of_reading(log + record('x', "")), Names("tag", damaged));
    EXPECT_THAT(error_of_reading(log + "m\xff\xff\xff\xff"), Names("length", damaged));
    EXPECT_THAT(error_of_reading(log + record('r', "\x09")), Names("bytes", damaged));
    std::string rows;
    append_number(rows, kMostBlockRows + 1, 4);
    EXPECT_THAT(error_of_reading(log + record('k', rows)), Names("rows", damaged));
    // A mark with the number of a name that the log does not have.
    std::string mark;
    append_number(mark, 1, 4);
    for (const std::int64_t value : {0, 99, 0, 5, 0}) {
        append_column(mark, std::vector{value});
    }
    EXPECT_THAT(error_of_reading(log + record('k', mark)), Names("name", "marks", damaged));
    EXPECT_THAT(error_of_reading(log + record('k', mark + "x")), HasSubstr("damaged"));
}

TEST_F(ReadLogTest, IsToldFromADatabase) {
    EXPECT_TRUE(is_log(log_of(HandMadeTrace())));
    EXPECT_FALSE(is_log(hand_made_file()));
    EXPECT_FALSE(is_log(file("absent")));
}

}  // namespace
}  // namespace weir::experiments::trace
