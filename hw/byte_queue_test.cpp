#include "hw/byte_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <string>

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
    // The producer itself sees what it pushed at once, what was popped in the next cycle.
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

// One end of a queue that sleeps whenever it can do nothing; keeps the cycles in which it did it.
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

// Four bytes at a time leave a queue that is given 4 bytes at 5, 8 at 9 and 4 at 300.
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

// Four bytes at a time enter a full queue that is relieved of 4 bytes at 5, 8 at 9 and 4 at 300.
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

// Random traffic through a queue, with books of when every byte and message came and went.
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
        // What is held here lasts from the next cycle on, for pushes and pops alike.
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
    level.change(-22, Cycles(12));  // 25 for no time
    level.change(0, Cycles(20));
    EXPECT_EQ(level.peak(), 5);
    EXPECT_EQ(level.level(), 3);
    EXPECT_EQ(level.area(Cycles(21)), 2 * 5 + 9 * 3);
}

}  // namespace
}  // namespace weir::hw
