#include "hw/tracing/tile_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "hw/clock/clock_tiles.h"
#include "hw/testing/names.h"
#include "hw/testing/scripted_part.h"

namespace weir::hw {
namespace {

using weir::testing::Names;

using ::testing::ElementsAre;

// Records the reports as text.
class Listener final : public TraceSink {
  public:
    void message(const Message& message) override { told.push_back(described(message.id)); }
    void core_interval(NodeId node, CoreState state, Cycles begin, Cycles end,
                       MessageId /*message*/) override {
        told.push_back("core " + std::to_string(node.index()) + " " +
                       std::string(core_state_name(state)) + " " + span(begin, end));
    }
    void queue_level(NodeId node, QueueKind queue, Cycles cycle, Bytes bytes,
                     std::int64_t messages) override {
        told.push_back(std::string(queue == QueueKind::kInput ? "input " : "output ") +
                       std::to_string(node.index()) + " " + std::to_string(cycle.count()) + " " +
                       std::to_string(bytes.count()) + " " + std::to_string(messages));
    }
    void dma_transfer(const DmaTransfer& transfer) override {
        told.push_back("transfer " + span(transfer.begin, transfer.end));
    }
    void stall(const Stall& stall) override {
        told.push_back("stall " + span(stall.begin, stall.end));
    }
    void transaction(const SharedTransaction& transaction) override {
        told.push_back("transaction " + span(transaction.begin, transaction.use));
    }
    void coherence_trap(const CoherenceTrap& trap) override {
        told.push_back("trap " + span(trap.raised, trap.end));
    }
    void shared_access(const SharedAccess& access) override {
        told.push_back("access " + std::to_string(access.address));
    }
    void line_state(const LineState& state) override {
        told.push_back("state " + std::to_string(state.line));
    }
    void mark(NodeId node, std::string_view name, Cycles cycle, std::int64_t value) override {
        told.push_back(std::string(name) + " " + std::to_string(node.index()) + " " +
                       std::to_string(cycle.count()) + " " + std::to_string(value));
    }
    std::vector<std::string> told;

  private:
    static std::string span(Cycles begin, Cycles end) {
        return std::to_string(begin.count()) + "-" + std::to_string(end.count());
    }
};

class TileTraceTest : public ::testing::Test {
  public:
    TileTraceTest() {
        for (std::size_t tile = 0; tile < 2; ++tile) {
            traces.push_back(std::make_unique<TileTrace>(clock.domain(tile)));
        }
    }
    void run() {
        clock.run_until(Cycles(100));
        TileTrace::tell_all(traces, listener);
    }

    ClockDomainParameters parameters;
    ClockTiles clock{parameters, 1, 2};
    std::vector<std::unique_ptr<TileTrace>> traces;
    Listener listener;
};

TEST_F(TileTraceTest, TellsWhatTilesReportedInTheOrderOfTheirCycles) {
    testing::ScriptedPart first(clock.domain(0));
    testing::ScriptedPart second(clock.domain(1));
    const auto marks = [this](std::size_t tile, std::int32_t node) {
        return [this, tile, node](Cycles now) {
            traces[tile]->mark(NodeId(node), std::string("at"), now, node);
        };
    };
    first.at(3, marks(0, 0));
    second.at(2, marks(1, 7));
    second.at(3, marks(1, 8));
    first.at(9, marks(0, 1));
    run();
    EXPECT_THAT(listener.told, ElementsAre("at 7 2 7", "at 0 3 0", "at 8 3 8", "at 1 9 1"));
    TileTrace::tell_all(traces, listener);
    EXPECT_EQ(listener.told.size(), 4U) << "each is told once";
}

TEST_F(TileTraceTest, TellsEveryKindOfFactAsItWas) {
    testing::ScriptedPart part(clock.domain(1));
    part.at(5, [this](Cycles) {
        TileTrace& trace = *traces[1];
        Message message;
        message.id = MessageId{NodeId(4), 2};
        trace.message(message);
        trace.core_interval(NodeId(4), CoreState::kHandler, Cycles(1), Cycles(5), {});
        trace.queue_level(NodeId(4), QueueKind::kInput, Cycles(6), Bytes(12), 1);
        DmaTransfer transfer;
        transfer.begin = Cycles(2);
        transfer.end = Cycles(4);
        trace.dma_transfer(transfer);
        Stall stall;
        stall.begin = Cycles(1);
        stall.end = Cycles(3);
        trace.stall(stall);
        trace.mark(NodeId(4), "done", Cycles(5), 6);
        SharedTransaction transaction;
        transaction.begin = Cycles(2);
        transaction.use = Cycles(5);
        trace.transaction(transaction);
        CoherenceTrap trap;
        trap.raised = Cycles(1);
        trap.end = Cycles(4);
        trace.coherence_trap(trap);
        SharedAccess access;
        access.address = 64;
        trace.shared_access(access);
        LineState state;
        state.line = 128;
        trace.line_state(state);
    });
    run();
    EXPECT_THAT(listener.told,
                ElementsAre(Names("message 2", "node 4"), "core 4 handler 1-5", "input 4 6 12 1",
                            "transfer 2-4", "stall 1-3", "done 4 5 6", "transaction 2-5",
                            "trap 1-4", "access 64", "state 128"));
}

}  // namespace
}  // namespace weir::hw
