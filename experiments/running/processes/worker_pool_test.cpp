#include "experiments/running/processes/worker_pool.h"

#include <gtest/gtest.h>

#include <csignal>
#include <stdexcept>

#include "experiments/running/processes/interruption.h"

namespace weir::experiments::running {
namespace {

class CountingWatcher : public WorkerPool::Watcher {
  public:
    bool ended(std::size_t index, const WorkOutcome& outcome) override {
        ends.emplace_back(index, outcome);
        return ends.size() < most;
    }
    void progress(const PoolProgress& progress) override {
        EXPECT_GE(progress.share_done, last.share_done - 1e-12);
        EXPECT_EQ(progress.ended, ends.size());
        last = progress;
    }

    std::size_t most = SIZE_MAX;
    std::vector<std::pair<std::size_t, WorkOutcome>> ends;
    PoolProgress last;
};

int three_times(std::size_t index, const WorkerPool::Report& /*report*/, std::string& message) {
    message = "work " + std::to_string(index);
    return static_cast<int>(3 * index);
}

TEST(WorkerPoolTest, KeepsOutcomesByIndex) {
    const std::vector<WorkOutcome> outcomes = WorkerPool(3).run(20, three_times);
    ASSERT_EQ(outcomes.size(), 20U);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        EXPECT_EQ(outcomes[i].how, WorkOutcome::How::kExited);
        EXPECT_EQ(outcomes[i].status, static_cast<int>(3 * i));
        EXPECT_EQ(outcomes[i].message, "work " + std::to_string(i));
        EXPECT_GT(outcomes[i].seconds, 0.0);
    }
}

TEST(WorkerPoolTest, TellsAWatcherOfEachEndAndOfProgress) {
    CountingWatcher watcher;
    WorkerPool(3).run(20, three_times, watcher);
    ASSERT_EQ(watcher.ends.size(), 20U);
    for (const auto& [index, outcome] : watcher.ends) {
        EXPECT_EQ(outcome.message, "work " + std::to_string(index));
    }
    EXPECT_EQ(watcher.last.count, 20U);
    EXPECT_EQ(watcher.last.ended, 20U);
    EXPECT_DOUBLE_EQ(watcher.last.share_done, 1.0);
}

TEST(WorkerPoolTest, AWatcherEndsTheWork) {
    CountingWatcher watcher;
    watcher.most = 2;
    WorkerPool(1).run(20, three_times, watcher);
    EXPECT_EQ(watcher.ends.size(), 2U);
    EXPECT_FALSE(is_interrupted());
}

TEST(WorkerPoolTest, WhatAWatcherThrowsComesOutWhenAllHasEnded) {
    struct Throwing : CountingWatcher {
        bool ended(std::size_t /*index*/, const WorkOutcome& /*outcome*/) override {
            throw std::runtime_error("the disk is full");
        }
    } watcher;
    EXPECT_THROW(WorkerPool(2).run(20, three_times, watcher), std::runtime_error);
}

TEST(WorkerPoolTest, ASignalIsAnOutcome) {
    const auto killed = [](std::size_t /*index*/, const WorkerPool::Report& /*report*/,
                           std::string& /*message*/) {
        std::raise(SIGKILL);
        return 0;
    };
    const WorkOutcome outcome = WorkerPool(1).run(1, killed).front();
    EXPECT_EQ(outcome.how, WorkOutcome::How::kKilled);
    EXPECT_EQ(outcome.status, SIGKILL);
}

}  // namespace
}  // namespace weir::experiments::running
