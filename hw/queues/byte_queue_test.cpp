#include "hw/queues/byte_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "hw/random_stream.h"
#include "hw/testing/every_order.h"
#include "hw/testing/scripted_part.h"
#include "hw/testing/waveform.h"

namespace weir::hw {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Not;
using ::testing::Pair;

class ByteQueueTest : public ::testing::Test {
  public:
    void push(Bytes bytes, std::int64_t cycle) {
        producer.at(cycle, [this, bytes](Cycles now) { queue.push(bytes, now); });
    }
    void pop(Bytes bytes, std::int64_t cycle) {
        consumer.at(cycle, [this, bytes](Cycles now) { queue.pop(bytes, now); });
    }

    ClockDomainParameters parameters;
    ClockDomain domain{"clock", parameters};
    ByteQueue queue{NodeId(0), QueueKind::kOutput, Bytes(16), nullptr};
    testing::ScriptedPart producer{domain};
    testing::ScriptedPart consumer{domain};
};

TEST_F(ByteQueueTest, BytesAreSeenTheCycleAfterThePush) {
    testing::Waveform available(domain, Cycles(30),
                                [&](Cycles now) { return queue.available(now).count(); });
    push(Bytes(4), 5);
    push(Bytes(8), 6);
    domain.run_until(Cycles(100));
    EXPECT_THAT(available.changes(), ElementsAre(Pair(6, 4), Pair(7, 12)));
}

TEST_F(ByteQueueTest, RoomIsSeenTheCycleAfterThePop) {
    queue.push(Bytes(16), Cycles(0));
    // The producer sees its own pushes at once, and the consumer's pops in the next cycle.
    testing::Waveform room(domain, Cycles(30), [&](Cycles now) { return queue.room(now).count(); });
    pop(Bytes(4), 5);
    pop(Bytes(12), 9);
    domain.run_until(Cycles(100));
    EXPECT_THAT(room.changes(), ElementsAre(Pair(6, 4), Pair(10, 16)));
}

TEST_F(ByteQueueTest, TheProducerSeesAtOnceWhatItFilledAndTheConsumerWhatItEmptied) {
    queue.push(Bytes(10), Cycles(3));
    EXPECT_EQ(queue.room(Cycles(3)), Bytes(6));
    EXPECT_EQ(queue.available(Cycles(3)), Bytes(0));
    queue.pop(Bytes(10), Cycles(4));
    EXPECT_EQ(queue.available(Cycles(4)), Bytes(0));
    EXPECT_EQ(queue.room(Cycles(4)), Bytes(6));
}

TEST_F(ByteQueueTest, HoldsItsCapacityAndNoMore) {
    EXPECT_EQ(queue.room(Cycles(0)), queue.capacity());
    queue.push(Bytes(16), Cycles(0));
    EXPECT_EQ(queue.room(Cycles(1)), Bytes(0));
    EXPECT_EQ(queue.held(), queue.capacity());
}

TEST_F(ByteQueueTest, AMessageIsSeenTheCycleAfterItBeganAndGoneWhenItEnds) {
    testing::Waveform has_message(domain, Cycles(8),
                                  [&](Cycles now) { return queue.has_message(now); });
    producer.at(5, [&](Cycles now) { queue.begin_message(MessageSlot{42}, now); });
    push(Bytes(8), 5);
    consumer.at(9, [&](Cycles now) {
        EXPECT_EQ(queue.front(), MessageSlot{42});
        queue.pop(Bytes(8), now);
        queue.end_message(now);
        EXPECT_FALSE(queue.has_message(now));
    });
    domain.run_until(Cycles(100));
    EXPECT_THAT(has_message.changes(), ElementsAre(Pair(6, 1)));
    EXPECT_TRUE(queue.messages().empty());
}

TEST_F(ByteQueueTest, KeepsMessagesInTheOrderOfTheirArrival) {
    for (const MessageSlot message : {3U, 1U, 2U}) {
        queue.begin_message(message, Cycles(0));
        queue.push(Bytes(4), Cycles(0));
    }
    for (const MessageSlot message : {3U, 1U, 2U}) {
        EXPECT_EQ(queue.front(), message);
        queue.pop(Bytes(4), Cycles(1));
        queue.end_message(Cycles(1));
    }
}

// --- Wake-ups are never lost --------------------------------------------------------------------

// One side of a queue, which sleeps whenever it can do nothing; records the cycles of its moves.
class SleepingEnd final : public ClockedPart {
  public:
    SleepingEnd(ClockDomain& domain, std::function<bool(Cycles)> act,
                std::function<void(SleepingEnd&, Cycles)> expect)
        : ClockedPart(domain), act_(std::move(act)), expect_(std::move(expect)) {
        wake_at(Cycles(0));
    }
    void tick(Cycles now) override {
        if (act_(now)) {
            acted += std::to_string(now.count()) + " ";
            wake_at(now + Cycles(1));
        } else {
            expect_(*this, now);
        }
    }
    std::string acted;

  private:
    std::function<bool(Cycles)> act_;
    std::function<void(SleepingEnd&, Cycles)> expect_;
};

using Expect = std::function<void(ByteQueue&, SleepingEnd&, Cycles)>;

// Cycles in which a consumer pops four bytes each; a producer pushes 4 bytes in cycle 5, 8 in 9 and
// 4 in 300.
std::string cycles_of_pops(ClockDomain& domain, const Expect& expect) {
    ByteQueue queue(NodeId(0), QueueKind::kInput, Bytes(16), nullptr);
    testing::ScriptedPart producer(domain);
    producer.at(5, [&](Cycles now) { queue.push(Bytes(4), now); });
    producer.at(9, [&](Cycles now) { queue.push(Bytes(8), now); });
    producer.at(300, [&](Cycles now) { queue.push(Bytes(4), now); });
    SleepingEnd consumer(
        domain,
        [&](Cycles now) {
            const bool found = queue.available(now) >= Bytes(4);
            if (found) {
                queue.pop(Bytes(4), now);
            }
            return found;
        },
        [&](SleepingEnd& end, Cycles now) { expect(queue, end, now); });
    domain.run_until(Cycles(1000));
    return consumer.acted;
}

// Cycles in which a producer pushes four bytes into a full queue; 4 bytes leave in cycle 5, 8 in 9
// and 4 in 300.
std::string cycles_of_pushes(ClockDomain& domain, const Expect& expect) {
    ByteQueue queue(NodeId(0), QueueKind::kOutput, Bytes(16), nullptr);
    queue.push(Bytes(16), Cycles(-1));
    testing::ScriptedPart consumer(domain);
    consumer.at(5, [&](Cycles now) { queue.pop(Bytes(4), now); });
    consumer.at(9, [&](Cycles now) { queue.pop(Bytes(8), now); });
    consumer.at(300, [&](Cycles now) { queue.pop(Bytes(4), now); });
    SleepingEnd producer(
        domain,
        [&](Cycles now) {
            const bool found = queue.room(now) >= Bytes(4);
            if (found) {
                queue.push(Bytes(4), now);
            }
            return found;
        },
        [&](SleepingEnd& end, Cycles now) { expect(queue, end, now); });
    domain.run_until(Cycles(1000));
    return producer.acted;
}

constexpr const char* kTheCycleAfterEachChange = "6 10 11 301 ";

TEST(ByteQueueWakeUpTest, AConsumerThatExpectsBytesMissesNone) {
    const auto results = testing::results_in_every_order([](ClockDomain& domain) {
        return cycles_of_pops(domain, [](ByteQueue& queue, SleepingEnd& consumer, Cycles now) {
            queue.expect_bytes(consumer, Bytes(4), now);
        });
    });
    EXPECT_THAT(results, Each(kTheCycleAfterEachChange));
}

TEST(ByteQueueWakeUpTest, AProducerThatExpectsRoomMissesNone) {
    const auto results = testing::results_in_every_order([](ClockDomain& domain) {
        return cycles_of_pushes(domain, [](ByteQueue& queue, SleepingEnd& producer, Cycles now) {
            queue.expect_room(producer, Bytes(4), now);
        });
    });
    EXPECT_THAT(results, Each(kTheCycleAfterEachChange));
}

// A request made in the cycle in which room appears must not count as pending afterwards.
TEST(ByteQueueWakeUpTest, AnEndThatAsksAgainLooksOnceMoreWhateverItAskedBefore) {
    const auto results = testing::results_in_every_order([](ClockDomain& domain) {
        ByteQueue queue(NodeId(0), QueueKind::kOutput, Bytes(16), nullptr);
        queue.push(Bytes(16), Cycles(-1));
        testing::ScriptedPart consumer(domain);
        testing::ScriptedPart producer(domain);
        const auto ask = [&](Cycles now) { queue.expect_room(producer, Bytes(8), now); };
        producer.at(3, ask);
        producer.at(5, ask);
        consumer.at(5, [&](Cycles now) { queue.pop(Bytes(8), now); });
        producer.at(6, [&](Cycles now) { queue.push(Bytes(8), now); });
        producer.at(10, ask);
        domain.run_until(Cycles(1000));
        return std::to_string(domain.now().count());
    });
    EXPECT_THAT(results, Each("11"));
}

TEST(ByteQueueWakeUpTest, PlantedEndThatExpectsOnlyOnceIsCaught) {
    const auto results = testing::results_in_every_order([](ClockDomain& domain) {
        return cycles_of_pops(domain, [](ByteQueue& queue, SleepingEnd& consumer, Cycles now) {
            if (now == Cycles(0)) {
                queue.expect_bytes(consumer, Bytes(4), now);
            }
        });
    });
    EXPECT_THAT(results, Not(Each(kTheCycleAfterEachChange)));
}

// --- Little's law
// ---------------------------------------------------------------------------------

// Random traffic through a queue, with the times at which every byte and message came and went.
struct Residence {
    std::int64_t byte_cycles = 0;
    std::int64_t message_cycles = 0;
};

constexpr std::int64_t kTrafficCycles = 20'000;
constexpr std::int64_t kTrafficEnd = kTrafficCycles + 10;  // nothing moves in the last ten cycles

Residence random_traffic(ByteQueue& queue, bool forget_a_byte) {
    RandomStream random(1, NodeId(0), "byte queue test");
    std::deque<std::int64_t> byte_entries;
    std::deque<std::int64_t> message_entries;
    std::deque<std::int64_t> lengths;
    Residence residence;
    for (std::int64_t cycle = 0; cycle < kTrafficCycles; ++cycle) {
        const Cycles now(cycle);
        // Pushes and pops alike have an effect from the next cycle on.
        const auto length = static_cast<std::int64_t>(random.below(8)) + 1;
        if (random.below(2) == 0 && queue.room(now) >= Bytes(length)) {
            queue.begin_message(0, now);
            queue.push(Bytes(length), now);
            message_entries.push_back(cycle);
            byte_entries.insert(byte_entries.end(), static_cast<std::size_t>(length), cycle);
            lengths.push_back(length);
        }
        if (random.below(3) == 0 && queue.has_message(now)) {
            queue.pop(Bytes(lengths.front()), now);
            queue.end_message(now);
            for (std::int64_t byte = 0; byte < lengths.front(); ++byte) {
                residence.byte_cycles += cycle - byte_entries.front();
                byte_entries.pop_front();
            }
            residence.message_cycles += cycle - message_entries.front();
            message_entries.pop_front();
            lengths.pop_front();
        }
    }
    if (forget_a_byte) {
        byte_entries.pop_front();
    }
    for (const std::int64_t entry : byte_entries) {
        residence.byte_cycles += kTrafficEnd - (entry + 1);
    }
    for (const std::int64_t entry : message_entries) {
        residence.message_cycles += kTrafficEnd - (entry + 1);
    }
    return residence;
}

TEST_F(ByteQueueTest, AreaUnderItsLevelsIsTheSumOfAllResidenceTimes) {
    const Residence residence = random_traffic(queue, false);
    ASSERT_GT(queue.held(), Bytes(0)) << "some are to be left at the end";
    EXPECT_EQ(queue.byte_level().area(Cycles(kTrafficEnd)), residence.byte_cycles);
    EXPECT_EQ(queue.message_level().area(Cycles(kTrafficEnd)), residence.message_cycles);
}

TEST_F(ByteQueueTest, PlantedByteThatIsForgottenIsCaughtByTheArea) {
    const Residence residence = random_traffic(queue, true);
    EXPECT_NE(queue.byte_level().area(Cycles(kTrafficEnd)), residence.byte_cycles);
}

TEST(LevelIntegralTest, PeakIsTheHighestLevelThatLastedForACycle) {
    LevelIntegral level;
    level.change(5, Cycles(10));
    level.change(20, Cycles(12));
    level.change(-22, Cycles(12));  // level 25 lasts for no cycle, so it is no peak
    level.change(0, Cycles(20));
    EXPECT_EQ(level.peak(), 5);
    EXPECT_EQ(level.level(), 3);
    EXPECT_EQ(level.area(Cycles(21)), 2 * 5 + 9 * 3);
}

TEST(LevelIntegralTest, ARampIsWhatItsChangesAre) {
    for (const std::int64_t by : {-3, 2}) {
        for (const std::int64_t times : {1, 2, 3, 17}) {
            LevelIntegral steps;
            LevelIntegral ramp;
            for (LevelIntegral* level : {&steps, &ramp}) {
                level->change(60, Cycles(5));
                level->change(-1, Cycles(9));
            }
            for (std::int64_t i = 0; i < times; ++i) {
                steps.change(by, Cycles(12 + i));
            }
            ramp.ramp(by, times, Cycles(12));
            EXPECT_EQ(ramp.level(), steps.level());
            EXPECT_EQ(ramp.peak(), steps.peak()) << times << " times " << by;
            EXPECT_EQ(ramp.area(Cycles(50)), steps.area(Cycles(50))) << times << " times " << by;
        }
    }
}

// --- Scheduled moves have the effect of single calls --------------------------------------------

// Records the last report of the queue's level in each cycle.
class LevelRows final : public TraceSink {
  public:
    void message(const Message&) override {}
    void core_interval(NodeId, CoreState, Cycles, Cycles, MessageId) override {}
    void queue_level(NodeId, QueueKind, Cycles cycle, Bytes bytes, std::int64_t messages) override {
        rows[cycle] = {bytes, messages};
    }
    void dma_transfer(const DmaTransfer&) override {}
    void stall(const Stall&) override {}
    void mark(NodeId, std::string_view, Cycles, std::int64_t) override {}

    std::map<Cycles, std::pair<Bytes, std::int64_t>> rows;
};

// Two queues with the same traffic. One side moves `step` bytes in each cycle for a while: in one
// queue by calls, in the other by scheduled moves. The other side moves at random.
class AheadAndSteps {
  public:
    AheadAndSteps(std::uint64_t seed, bool forgets_a_step)
        : random_(seed, NodeId(0), "ramp test"),
          forgets_a_step_(forgets_a_step),
          drains_(random_.below(2) == 0),
          acts_first_(random_.below(2) == 0),
          step_(static_cast<std::int64_t>(random_.below(8)) + 1),
          capacity_(step_ * (static_cast<std::int64_t>(random_.below(12)) + 1) +
                    Bytes(static_cast<std::int64_t>(random_.below(8)))) {
        scheduled_.work_ahead(drains_ ? ByteQueue::Ahead::kConsumer : ByteQueue::Ahead::kProducer);
    }

    /// Description of the first difference between the two queues; empty if they never differ.
    std::string difference() {
        for (Cycles now(0); now < Cycles(300); now += Cycles(1)) {
            if (acts_first_) {
                act(now);
            }
            if (now <= through_) {
                step(now);
            }
            if (!acts_first_) {
                act(now);
            }
            if (now >= through_) {
                look_ahead(now);
            } else if (random_.below(10) == 0) {
                take_back(now);
            }
            if (random_.below(40) == 0) {
                scheduled_.settle(now);
                compare("held", scheduled_.held().count(), stepped_.held().count(), now);
                compare("bytes pushed", scheduled_.bytes_pushed(), stepped_.bytes_pushed(), now);
                const Cycles next = now + Cycles(1);
                compare("area", scheduled_.byte_level().area(next),
                        stepped_.byte_level().area(next), now);
                compare("peak", scheduled_.byte_level().peak(), stepped_.byte_level().peak(), now);
            }
            if (!difference_.empty()) {
                return difference_;
            }
        }
        scheduled_.settle(Cycles(299));
        return scheduled_rows_.rows == stepped_rows_.rows ? "" : "level rows";
    }
    [[nodiscard]] std::int64_t schedules() const { return schedules_; }
    [[nodiscard]] std::int64_t extensions() const { return extensions_; }
    [[nodiscard]] std::int64_t steps_taken_back() const { return steps_taken_back_; }

  private:
    void step(Cycles now) {
        if (drains_) {
            stepped_.pop(step_, now);
        } else {
            stepped_.push(step_, now);
        }
    }
    // Acts for the side that moves at random. If it is the producer, each of its pushes is a
    // message.
    void act(Cycles now) {
        compare_what_is_seen(now);
        if (messages_ > 0 && random_.below(4) == 0) {
            scheduled_.end_message(now);
            stepped_.end_message(now);
            --messages_;
        }
        if (random_.below(4) != 0) {
            return;
        }
        const Bytes most = drains_ ? stepped_.room(now) : stepped_.available(now);
        const Bytes bytes(
            static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(most.count()) + 1)));
        messages_ += drains_ ? 1 : 0;
        for (ByteQueue* queue : {&scheduled_, &stepped_}) {
            if (drains_) {
                queue->begin_message(0, now);
                queue->push(bytes, now);
            } else {
                queue->pop(bytes, now);
            }
        }
        compare_what_is_seen(now);
    }
    void compare_what_is_seen(Cycles now) {
        if (drains_) {
            compare("room", scheduled_.room(now).count(), stepped_.room(now).count(), now);
        }
        if (!drains_) {
            compare("available", scheduled_.available(now).count(), stepped_.available(now).count(),
                    now);
        }
    }
    void look_ahead(Cycles now) {
        const Bytes there_are = drains_ ? stepped_.held() : stepped_.capacity() - stepped_.held();
        const auto most = static_cast<std::uint64_t>(there_are.count() / step_.count());
        const auto cycles = static_cast<std::int64_t>(random_.below(most + 1));
        if (cycles == 0) {
            return;
        }
        extensions_ += through_ == now ? 1 : 0;
        through_ = now + Cycles(cycles);
        ++schedules_;
        const std::int64_t scheduled = forgets_a_step_ && cycles > 1 ? cycles - 1 : cycles;
        scheduled_.schedule({.first = now + Cycles(1), .count = scheduled, .step = step_}, now);
    }
    void take_back(Cycles now) {
        const auto most = static_cast<std::uint64_t>((through_ - now).count());
        const auto steps = static_cast<std::int64_t>(random_.below(most + 1));
        steps_taken_back_ += steps;
        through_ -= Cycles(steps);
        compare("taken back", scheduled_.take_back(steps).count(), steps * step_.count(), now);
    }
    void compare(const char* what, std::int64_t scheduled, std::int64_t stepped, Cycles now) {
        if (scheduled != stepped && difference_.empty()) {
            std::ostringstream text;
            text << what << " is " << scheduled << ", not " << stepped << ", in cycle " << now;
            difference_ = text.str();
        }
    }

    RandomStream random_;
    bool forgets_a_step_;
    bool drains_;
    bool acts_first_;
    Bytes step_;
    Bytes capacity_;
    LevelRows scheduled_rows_;
    LevelRows stepped_rows_;
    ByteQueue scheduled_{NodeId(0), QueueKind::kOutput, capacity_, &scheduled_rows_};
    ByteQueue stepped_{NodeId(0), QueueKind::kOutput, capacity_, &stepped_rows_};
    Cycles through_{-1};
    std::int64_t messages_ = 0;
    std::int64_t schedules_ = 0;
    std::int64_t extensions_ = 0;
    std::int64_t steps_taken_back_ = 0;
    std::string difference_;
};

TEST(ByteQueueAheadTest, ShowsInEveryCycleWhatItsStepsWould) {
    std::int64_t schedules = 0;
    std::int64_t extensions = 0;
    std::int64_t steps_taken_back = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        AheadAndSteps queues(seed, false);
        ASSERT_EQ(queues.difference(), "") << "seed " << seed;
        schedules += queues.schedules();
        extensions += queues.extensions();
        steps_taken_back += queues.steps_taken_back();
    }
    EXPECT_GT(schedules, 1000);
    EXPECT_GT(extensions, 1000);
    EXPECT_GT(steps_taken_back, 1000);
}

TEST(ByteQueueAheadTest, AMessageThatAScheduleBeginsIsThereFromTheNextCycleOn) {
    ByteQueue queue(NodeId(0), QueueKind::kInput, Bytes(64), nullptr);
    queue.work_ahead(ByteQueue::Ahead::kProducer);
    queue.schedule({.first = Cycles(5), .count = 4, .step = Bytes(2), .begins_message = true},
                   Cycles(4));
    queue.settle(Cycles(19));
    EXPECT_EQ(queue.message_level().level(), 1);
    EXPECT_EQ(queue.message_level().area(Cycles(20)), 20 - 6);
}

TEST(ByteQueueAheadTest, MovesAreCountedThatAreToCome) {
    ByteQueue queue(NodeId(0), QueueKind::kInput, Bytes(64), nullptr);
    queue.work_ahead(ByteQueue::Ahead::kProducer);
    queue.schedule({.first = Cycles(5), .count = 4, .step = Bytes(2), .begins_message = true},
                   Cycles(4));
    queue.schedule({.first = Cycles(9), .step = Bytes(2)}, Cycles(4));
    queue.schedule({.first = Cycles(12), .count = 2, .step = Bytes(1)}, Cycles(4));
    EXPECT_EQ(queue.moves_after(Cycles(4)), 7);
    EXPECT_EQ(queue.moves_after(Cycles(5)), 6);
    EXPECT_EQ(queue.moves_after(Cycles(9)), 2);
    queue.settle(Cycles(8));
    EXPECT_EQ(queue.moves_after(Cycles(8)), 3);
    EXPECT_EQ(queue.moves_after(Cycles(12)), 1);
    EXPECT_EQ(queue.moves_after(Cycles(13)), 0);
}

TEST(ByteQueueAheadTest, PlantedScheduleThatEndsAStepTooEarlyIsCaught) {
    int caught = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        // A separate process, since an assertion may detect the fault first and end it.
        const std::string found = testing::result_of_separate_run(
            [seed] { return AheadAndSteps(seed, true).difference(); });
        caught += found.empty() ? 0 : 1;
    }
    EXPECT_GT(caught, 80) << "some schedule hardly anything";
}

// A part that records the cycles of its wake-ups.
class WokenPart final : public ClockedPart {
  public:
    using ClockedPart::ClockedPart;
    void tick(Cycles now) override { cycles.push_back(now.count()); }
    std::vector<std::int64_t> cycles;
};

// The bytes scheduled first are too few for the consumer; bytes scheduled later wake it.
TEST(ByteQueueAheadTest, AnEndThatWaitsForMoreThanIsScheduledWaitsOn) {
    const ClockDomainParameters parameters;
    ClockDomain domain("clock", parameters);
    ByteQueue queue(NodeId(0), QueueKind::kInput, Bytes(20), nullptr);
    queue.work_ahead(ByteQueue::Ahead::kProducer);
    testing::ScriptedPart producer(domain);
    WokenPart consumer(domain);
    producer.at(5, [&](Cycles now) { queue.expect_bytes(consumer, Bytes(8), now); });
    producer.at(10, [&](Cycles now) {
        queue.schedule({.first = now + Cycles(1),
                        .count = 2,
                        .step = Bytes(2),
                        .begins_message = true,
                        .message = 3},
                       now);
    });
    producer.at(30, [&](Cycles now) { EXPECT_TRUE(queue.has_message(now)); });
    producer.at(50, [&](Cycles now) {
        queue.schedule({.first = now + Cycles(1), .count = 2, .step = Bytes(2)}, now);
    });
    domain.run_until(Cycles(1000));
    EXPECT_THAT(consumer.cycles, ::testing::ElementsAre(6, 53));
    EXPECT_EQ(queue.front(), 3U);
}

// Moves two bytes in every cycle in which it can, by calls or ahead.
class SteadyEnd final : public ClockedPart {
  public:
    SteadyEnd(ClockDomain& domain, ByteQueue& queue, bool drains, bool is_ahead)
        : ClockedPart(domain), queue_(queue), drains_(drains), is_ahead_(is_ahead) {
        if (is_ahead) {
            queue.work_ahead(drains ? ByteQueue::Ahead::kConsumer : ByteQueue::Ahead::kProducer);
        }
        wake_at(Cycles(0));
    }
    void tick(Cycles now) override {
        if (is_ahead_) {
            if (now >= through_) {
                domain().after_ticks(*this);
            }
            return;
        }
        if (now == Cycles(0)) {  // the ahead variant makes its first move in cycle 1
            wake_at(Cycles(1));
            return;
        }
        if (drains_ && queue_.available(now) >= kStep) {
            queue_.pop(kStep, now);
        } else if (!drains_ && queue_.room(now) >= kStep) {
            queue_.push(kStep, now);
        }
        wake_at(now + Cycles(1));
    }
    void end_of_cycle(Cycles now) override {
        queue_.settle(now);
        const Bytes there_are = drains_ ? queue_.held() : queue_.capacity() - queue_.held();
        const std::int64_t count = there_are.count() / kStep.count();
        if (count > 0) {
            queue_.schedule({.first = now + Cycles(1), .count = count, .step = kStep}, now);
        }
        if (count > 1) {  // the last move is cancelled and scheduled again
            queue_.take_back(1);
            queue_.schedule({.first = now + Cycles(count), .step = kStep}, now);
        }
        through_ = now + Cycles(std::max<std::int64_t>(count, 1));
        wake_at(through_);
    }

  private:
    static constexpr Bytes kStep{2};
    ByteQueue& queue_;
    bool drains_;
    bool is_ahead_;
    Cycles through_{-1};
};

// Cycles in which a sleeping side found its need met by a side that moves steadily. Needs are
// random, from 1 to 19 bytes, in a queue of 20.
std::string cycles_beside_a_steady_end(ClockDomain& domain, bool drains, bool is_ahead) {
    ByteQueue queue(NodeId(0), QueueKind::kOutput, Bytes(20), nullptr);
    SteadyEnd steady(domain, queue, drains, is_ahead);
    RandomStream random(1, NodeId(0), "needs");
    Bytes need(5);
    std::int64_t left = 400;
    const auto act = [&](Cycles now) {
        if (left == 0 || (drains ? queue.room(now) : queue.available(now)) < need) {
            return false;
        }
        --left;
        if (drains) {
            queue.push(need, now);
        } else {
            queue.pop(need, now);
        }
        need = Bytes(static_cast<std::int64_t>(random.below(19)) + 1);
        return true;
    };
    SleepingEnd sleeper(domain, act, [&](SleepingEnd& end, Cycles now) {
        if (drains) {
            queue.expect_room(end, need, now);
        } else {
            queue.expect_bytes(end, need, now);
        }
    });
    domain.run_until(Cycles(4000));
    return sleeper.acted + (left == 0 ? "all" : "");
}

class ByteQueueAheadWakeUpTest : public ::testing::TestWithParam<bool> {};

TEST_P(ByteQueueAheadWakeUpTest, ComesWhenItsStepsWouldBringIt) {
    const bool drains = GetParam();
    const auto by_steps = testing::results_in_every_order([drains](ClockDomain& domain) {
        return cycles_beside_a_steady_end(domain, drains, false);
    });
    const auto ahead = testing::results_in_every_order(
        [drains](ClockDomain& domain) { return cycles_beside_a_steady_end(domain, drains, true); });
    EXPECT_THAT(by_steps.front(), ::testing::EndsWith("all"));
    EXPECT_THAT(by_steps, Each(by_steps.front()));
    EXPECT_THAT(ahead, Each(by_steps.front()));
}

INSTANTIATE_TEST_SUITE_P(Of, ByteQueueAheadWakeUpTest, ::testing::Bool(), [](const auto& test) {
    return test.param ? "ADrainForRoom" : "AFillForBytes";
});

}  // namespace
}  // namespace weir::hw
