// The twin of a byte queue against the model, with random producers and consumers. Real runs are in
// nodes/node_twin_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

#include "hw/queues/byte_queue.h"
#include "hw/random_stream.h"
#include "hw/testing/test_cost.h"
#include "hw/testing/twin/byte_queue_recorder.h"
#include "hw/testing/twin/twin.h"

namespace weir::hw {
namespace {

using twin::compare;
using twin::complaints;
using twin::expect_equal;
using twin::expect_found;

WEIR_TESTS_COST("^ByteQueueTwinTest\\.(EqualWithSmallPorts|IsSynthesizable)", 14);
WEIR_TESTS_COST("^ByteQueueTwinTest\\.EqualWithRandomSizes", 25);
WEIR_TESTS_COST("^ByteQueueTwinTest\\.EveryPlantedFaultIsFound", 25);

struct Sizes {
    std::int64_t queue_bytes;
    ByteQueuePorts ports;
};

// Probabilities in percent, drawn again every few hundred cycles, so that the queue is empty for a
// while and full for a while.
class Mood {
  public:
    explicit Mood(RandomStream& random) : random_(random) {}
    bool acts(Cycles now) {
        if (now >= until_) {
            percent_ = random_.below(101);
            until_ = now + Cycles(static_cast<std::int64_t>(20 + random_.below(400)));
        }
        return random_.below(100) < percent_;
    }

  private:
    RandomStream& random_;
    std::uint64_t percent_ = 0;
    Cycles until_{0};
};

// Pushes messages of random words and bodies, in pieces of random sizes.
class RandomProducer final : public ClockedPart {
  public:
    RandomProducer(ClockDomain& domain, ByteQueue& queue, MessagePool& messages, const Sizes& sizes,
                   std::uint64_t seed, Cycles until)
        : ClockedPart(domain),
          queue_(queue),
          messages_(messages),
          sizes_(sizes),
          random_(seed, NodeId(0), "producer"),
          until_(until) {
        wake_at(Cycles(0));
    }
    void tick(Cycles now) override {
        if (now >= until_) {
            return;
        }
        wake_at(now + Cycles(1));
        std::int64_t width = sizes_.ports.push_bytes;
        for (std::int64_t begun = 0; width > 0 && mood_.acts(now);) {
            const bool begins = left_ == 0;
            if (begins && begun == sizes_.ports.begins) {
                return;
            }
            const std::int64_t most =
                std::min({width, begins ? width : left_, queue_.room(now).count()});
            const std::int64_t grains = most / sizes_.ports.grain_bytes;
            if (grains == 0) {
                return;
            }
            if (begins) {
                begin_message(now);
                ++begun;
            }
            const std::int64_t bytes = std::min(left_, piece(grains));
            queue_.push(Bytes(bytes), now);
            left_ -= bytes;
            width -= bytes;
        }
    }

  private:
    // All that is possible, or a random part of it.
    std::int64_t piece(std::int64_t grains) {
        const bool is_all = random_.below(3) == 0;
        return sizes_.ports.grain_bytes *
               (is_all ? grains : 1 + static_cast<std::int64_t>(random_.below(grains)));
    }
    void begin_message(Cycles now) {
        const MessageSlot slot = messages_.allocate();
        Message& message = messages_[slot];
        message.word_count = 2 + static_cast<std::int32_t>(random_.below(15));
        for (std::uint32_t& word : message.words) {
            word = static_cast<std::uint32_t>(random_.next());
        }
        const bool has_body = random_.below(3) == 0;
        message.body_bytes = Bytes(
            has_body ? 8 * (1 + static_cast<std::int64_t>(random_.below(sizes_.queue_bytes / 4)))
                     : 0);
        message.bytes = Bytes(std::int64_t{message.word_count} * 4) + message.body_bytes;
        for (std::uint8_t& byte : messages_.body(slot)) {
            byte = static_cast<std::uint8_t>(random_.next());
        }
        left_ = message.bytes.count();
        queue_.begin_message(slot, now);
    }

    ByteQueue& queue_;
    MessagePool& messages_;
    Sizes sizes_;
    RandomStream random_;
    Mood mood_{random_};
    Cycles until_;
    std::int64_t left_ = 0;
};

// Pops bytes of the message at the head, and ends it with its last byte or later.
class RandomConsumer final : public ClockedPart {
  public:
    RandomConsumer(ClockDomain& domain, ByteQueue& queue, MessagePool& messages, const Sizes& sizes,
                   std::uint64_t seed, Cycles until)
        : ClockedPart(domain),
          queue_(queue),
          messages_(messages),
          sizes_(sizes),
          random_(seed, NodeId(1), "consumer"),
          until_(until) {
        wake_at(Cycles(0));
    }
    void tick(Cycles now) override {
        if (now >= until_) {
            return;
        }
        wake_at(now + Cycles(1));
        if (!queue_.has_message(now) || !mood_.acts(now)) {
            return;
        }
        const MessageSlot slot = queue_.front();
        const std::int64_t left = messages_[slot].bytes.count() - taken_;
        const std::int64_t grains =
            std::min(left, queue_.available(now).count()) / sizes_.ports.grain_bytes;
        if (grains > 0) {
            const bool is_flit = random_.below(2) == 0;
            const std::int64_t bytes =
                sizes_.ports.grain_bytes *
                (is_flit ? 1 : 1 + static_cast<std::int64_t>(random_.below(grains)));
            queue_.pop(Bytes(bytes), now);
            taken_ += bytes;
        }
        if (taken_ == messages_[slot].bytes.count() && random_.below(3) != 0) {
            queue_.end_message(now);
            messages_.release(slot);
            taken_ = 0;
        }
    }

  private:
    ByteQueue& queue_;
    MessagePool& messages_;
    Sizes sizes_;
    RandomStream random_;
    Mood mood_{random_};
    Cycles until_;
    std::int64_t taken_ = 0;
};

// Queues of several sizes with random traffic on one clock, in shuffled order.
class ByteQueueTwinTest : public ::testing::Test {
  public:
    struct Bench {
        Bench(ClockDomain& domain, const Sizes& sizes, std::uint64_t seed, Cycles until)
            : queue(NodeId(0), QueueKind::kOutput, Bytes(sizes.queue_bytes), nullptr),
              producer(domain, queue, messages, sizes, seed, until),
              consumer(domain, queue, messages, sizes, seed, until),
              recorder(domain, queue, messages, sizes.ports, until) {}
        MessagePool messages;
        ByteQueue queue;
        RandomProducer producer;
        RandomConsumer consumer;
        twin::ByteQueueRecorder recorder;
    };

    ByteQueueTwinTest() { EXPECT_TRUE(parameters_.tick_order.set(std::string("shuffled"))); }
    // Runs all benches in the same cycles, from 0 on.
    void run(const std::vector<Sizes>& sizes, Cycles cycles) {
        domain_ = std::make_unique<ClockDomain>("clock", parameters_, 1);
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            benches_.push_back(std::make_unique<Bench>(*domain_, sizes[i], 1 + i, cycles));
        }
        domain_->run_until(cycles);
    }
    [[nodiscard]] const Bench& bench(std::size_t i) const { return *benches_.at(i); }

  private:
    ClockDomainParameters parameters_;
    std::unique_ptr<ClockDomain> domain_;
    std::vector<std::unique_ptr<Bench>> benches_;
};

// Six rows of eight banks of two bytes; two messages may begin in a cycle.
constexpr Sizes kSmall{96, {.push_bytes = 16, .pop_bytes = 8, .grain_bytes = 2, .begins = 2}};

const std::vector<twin::Fault>& faults() {
    static const std::vector<twin::Fault> all{
        {"a byte more room than there is", "COUNT_BITS'(QUEUE_BYTES) - held",
         "COUNT_BITS'(QUEUE_BYTES + 1) - held"},
        {"popped bytes give no room", "held + push_bytes - pop_bytes", "held + push_bytes"},
        {"two messages begun in a cycle count as one", "MESSAGE_COUNT_BITS'(begin_messages)",
         "MESSAGE_COUNT_BITS'(begin_messages != 0)"},
        {"messages never end", "- MESSAGE_COUNT_BITS'(end_message)", ""},
        {"a message whose bytes have left is gone", "has_message = messages != 0",
         "has_message = messages != 0 && held != 0"},
        {"the head stands still", "head <= advanced(head, pop)", "head <= head"},
        {"the ring wraps around a place late", "sum >= PLACES", "sum > PLACES"},
        {"a push across the last row does not go on in the first",
         "tail_row == ROW_BITS'(ROWS - 1) ? '0 : tail_row + 1'b1", "tail_row + 1'b1"},
        {"a read across the last row does not go on in the first",
         "head_row == ROW_BITS'(ROWS - 1) ? '0 : head_row + 1'b1", "head_row + 1'b1"},
        {"a stage of the rotation of pushed bytes is missing", "if (tail_bank[s])",
         "if (tail_bank[s] && s != 1)"},
        {"a stage of the rotation of read bytes is missing", "if (head_bank[s])",
         "if (head_bank[s] && s != 2)"},
        {"a push stays in the row of the tail", "from_tail[BANK_BITS] ? tail_row_after : tail_row",
         "tail_row"},
        {"a push writes a place too many", "BANK_BITS-1:0]) < push", "BANK_BITS-1:0]) <= push"},
        {"the head advances by bytes, not by grains", "pop_bytes / COUNT_BITS'(GRAIN_BYTES)",
         "pop_bytes"}};
    return all;
}

TEST_F(ByteQueueTwinTest, EqualWithSmallPorts) {
    WEIR_NEEDS_VERILATOR();
    run({kSmall}, Cycles(5000));
    const twin::ByteQueueRecorder& recorder = bench(0).recorder;
    EXPECT_GT(bench(0).queue.bytes_pushed(), 4000);
    EXPECT_EQ(bench(0).queue.byte_level().peak(), kSmall.queue_bytes);
    EXPECT_EQ(recorder.most_pushed(), kSmall.ports.push_bytes);
    expect_equal(compare(recorder.twin(), {recorder.recording()}), 5000);
    expect_found(recorder.twin(), {recorder.recording()}, {faults()[4]});
}

TEST_F(ByteQueueTwinTest, EqualWithRandomSizes) {
    WEIR_NEEDS_VERILATOR();
    RandomStream random(61, NodeId(0), "sizes");
    std::vector<Sizes> sizes{{256, {.push_bytes = 64, .pop_bytes = 2, .grain_bytes = 2}},
                             {256, {.push_bytes = 2, .pop_bytes = 64, .grain_bytes = 2}}};
    for (int i = 0; i < 6; ++i) {
        const std::int64_t grain = std::int64_t{1} << random.below(3);
        const auto width = [&] {
            return grain * (1 + static_cast<std::int64_t>(random.below(20)));
        };
        sizes.push_back({64 + static_cast<std::int64_t>(random.below(400)),
                         {.push_bytes = width(),
                          .pop_bytes = width(),
                          .grain_bytes = grain,
                          .begins = 1 + static_cast<std::int64_t>(random.below(3))}});
    }
    constexpr Cycles kCycles(20'000);
    run(sizes, kCycles);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const twin::ByteQueueRecorder& recorder = bench(i).recorder;
        SCOPED_TRACE(::testing::PrintToString(recorder.twin().parameters));
        expect_equal(compare(recorder.twin(), {recorder.recording()}), kCycles.count());
    }
}

TEST_F(ByteQueueTwinTest, EveryPlantedFaultIsFound) {
    WEIR_NEEDS_VERILATOR();
    run({kSmall}, Cycles(5000));
    const twin::ByteQueueRecorder& recorder = bench(0).recorder;
    expect_found(recorder.twin(), {recorder.recording()}, faults());
}

TEST_F(ByteQueueTwinTest, IsSynthesizable) {
    WEIR_NEEDS_VERILATOR();
    EXPECT_EQ(complaints(byte_queue_twin(Bytes(256), {})), "");
    EXPECT_EQ(complaints(byte_queue_twin(Bytes(kSmall.queue_bytes), kSmall.ports)), "");
}

}  // namespace
}  // namespace weir::hw
