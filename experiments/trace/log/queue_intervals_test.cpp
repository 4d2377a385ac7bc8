#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "experiments/trace/log/trace_store.h"

namespace weir::experiments::trace {
namespace {

using hw::Bytes;
using hw::Cycles;
using hw::NodeId;
using hw::QueueKind;
using testing::ElementsAre;

std::vector<std::string> texts_of(QueueIntervals& intervals) {
    std::vector<std::string> texts;
    for (const QueueIntervalRow& row : intervals.ended()) {
        std::ostringstream text;
        text << row.node << (row.queue == QueueKind::kInput ? " input " : " output ") << row.begin
             << "-" << row.end << ": " << row.byte_cycles << ", " << row.most;
        texts.push_back(text.str());
    }
    intervals.forget_ended();
    return texts;
}

TEST(QueueIntervalsTest, AreTheAreasBelowTheLevels) {
    QueueIntervals intervals(2, Cycles(10));
    intervals.add_level(NodeId(1), QueueKind::kInput, Cycles(3), Bytes(8));
    intervals.add_level(NodeId(0), QueueKind::kOutput, Cycles(4), Bytes(4));
    EXPECT_THAT(texts_of(intervals), ElementsAre());
    intervals.add_level(NodeId(1), QueueKind::kInput, Cycles(5), Bytes(16));
    intervals.add_level(NodeId(1), QueueKind::kInput, Cycles(12), Bytes(0));
    EXPECT_THAT(texts_of(intervals), ElementsAre("1 input 0-10: 96, 16"));
    // The queue is empty from cycle 12 to 37, so these intervals have no rows.
    intervals.add_level(NodeId(1), QueueKind::kInput, Cycles(37), Bytes(2));
    EXPECT_THAT(texts_of(intervals), ElementsAre("1 input 10-20: 32, 16"));
    intervals.add_level(NodeId(0), QueueKind::kOutput, Cycles(10), Bytes(0));
    intervals.end(Cycles(45));
    EXPECT_THAT(texts_of(intervals),
                ElementsAre("0 output 0-10: 24, 4", "1 input 30-40: 6, 2", "1 input 40-45: 10, 2"));
}

// A level that another level replaces in the same cycle does not count.
TEST(QueueIntervalsTest, TheLastLevelOfACycleCounts) {
    QueueIntervals intervals(1, Cycles(10));
    intervals.add_level(NodeId(0), QueueKind::kInput, Cycles(2), Bytes(64));
    intervals.add_level(NodeId(0), QueueKind::kInput, Cycles(2), Bytes(6));
    intervals.end(Cycles(4));
    EXPECT_THAT(texts_of(intervals), ElementsAre("0 input 0-4: 12, 6"));
}

}  // namespace
}  // namespace weir::experiments::trace
