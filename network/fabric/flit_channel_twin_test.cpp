// A channel's link, buffer and credits in SystemVerilog, beside the model: the same outputs in
// every cycle. Sizes are random, and both ends stall at random.
#include <gtest/gtest.h>

#include <deque>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/random_stream.h"
#include "hw/testing/test_cost.h"
#include "hw/testing/twin/twin.h"
#include "network/fabric/flit_channel.h"
#include "network/testing/channel_observer.h"
#include "network/testing/flit_ends.h"

namespace weir::network {
namespace {

using hw::Cycles;
using hw::Flits;
using hw::Twin;
using hw::twin::compare;
using hw::twin::complaints;
using hw::twin::Direction;
using hw::twin::expect_equal;
using hw::twin::expect_found;
using hw::twin::PortRecording;

WEIR_TESTS_COST("^FlitChannelTwinTest\\.", 10);
WEIR_TESTS_COST("^FlitChannelTwinTest\\.(RandomSizes|PlantedFaults)", 20);

struct Sizes {
    std::int64_t link = 1;
    std::int64_t buffer = 4;
    std::int64_t credit = 1;
    int flit_bytes = 2;
};

// A channel between an ideal sender and an ideal receiver with random pauses, and its recorder.
class RecordedChannel final : public hw::ClockedPart {
  public:
    enum LinkPort : std::uint8_t { kPut, kPutFlit, kHasFlit, kFrontFlit, kTake };
    enum CreditPort : std::uint8_t { kHasCredit, kHasAll, kSend, kReturned };

    RecordedChannel(hw::ClockDomain& domain, const Sizes& sizes, std::uint64_t seed,
                    std::int64_t cycles)
        : ClockedPart(domain),
          channel_("channel", Cycles(sizes.link), Flits(sizes.buffer), Cycles(sizes.credit)),
          source_(domain, channel_),
          random_(seed, hw::NodeId(0), "channel"),
          observer_(channel_),
          code_{8 * sizes.flit_bytes, 3, {8, 4}},
          sizes_(sizes),
          last_(cycles - 1),
          link({{"put", 1, Direction::kInput},
                {"put_flit", code_.bits(), Direction::kInput},
                {"has_flit", 1, Direction::kOutput},
                {"front_flit", code_.bits(), Direction::kOutput},
                {"take", 1, Direction::kInput}}),
          credits({{"has_credit", 1, Direction::kOutput},
                   {"has_all", 1, Direction::kOutput},
                   {"send", 1, Direction::kInput},
                   {"returned", 1, Direction::kInput}}) {
        channel_.connect(source_, *this);
        std::int64_t cycle = 0;
        for (hw::MessageSlot message = 1; cycle < cycles; ++message) {
            const auto length = static_cast<int>(1 + random_.below(6));
            source_.worm(message, static_cast<std::uint16_t>(random_.below(32)), length, cycle);
            cycle += length + static_cast<std::int64_t>(random_.below(8));
        }
        credits.set(kHasCredit, 1);
        credits.set(kHasAll, 1);
        link.ignore(kFrontFlit, 0, code_.bits());
        wake_at(Cycles(0));
    }

    // Takes a flit in three of four cycles, with long pauses in between.
    void tick(Cycles now) override {
        if (now < last_) {
            wake_at(now + Cycles(1));
        }
        domain().after_ticks(*this);
        const bool pauses = now.count() / 64 % 3 == 2 || random_.below(4) == 0;
        if (!pauses && channel_.has_flit(now)) {
            channel_.take(now);
        }
    }
    // The rest of this cycle's row, and the state at the beginning of the next cycle.
    void end_of_cycle(Cycles now) override {
        observer_.end_of_cycle();
        if (observer_.has_sent()) {
            link.set(kPut, 1);
            code_.write(link, kPutFlit, 0, channel_.last_sent(), observer_.index());
            in_channel_.emplace_back(channel_.last_sent(), observer_.index());
            credits.set(kSend, 1);
            ++flits;
        }
        if (observer_.has_taken()) {
            in_channel_.pop_front();
            link.set(kTake, 1);
            credits.set(kReturned, 1);
        }
        link.end_cycle();
        credits.end_cycle();
        const Cycles next = now + Cycles(1);
        link.set(kHasFlit, channel_.has_flit(next) ? 1 : 0);
        if (channel_.has_flit(next)) {
            const auto& [flit, index] = in_channel_.front();
            EXPECT_EQ(flit.message, channel_.front().message);
            code_.write(link, kFrontFlit, 0, flit, index);
        } else {
            link.ignore(kFrontFlit, 0, code_.bits());
        }
        credits.set(kHasCredit, channel_.has_credit(next) ? 1 : 0);
        credits.set(kHasAll, channel_.has_credits(channel_.places(), next) ? 1 : 0);
    }

    [[nodiscard]] Twin link_twin() const {
        return {"flit_channel",
                {"network/fabric/flit_channel.sv"},
                {{"FLIT_BITS", code_.bits()},
                 {"LINK_CYCLES", sizes_.link},
                 {"BUFFER_FLITS", sizes_.buffer}}};
    }
    [[nodiscard]] Twin credits_twin() const {
        return {"channel_credits",
                {"network/fabric/channel_credits.sv"},
                {{"CREDITS", channel_.places().count()}, {"CREDIT_CYCLES", sizes_.credit}}};
    }

  private:
    FlitChannel channel_;
    testing::FlitSource source_;
    hw::RandomStream random_;
    testing::ChannelObserver observer_;
    testing::FlitCode code_;
    Sizes sizes_;
    Cycles last_;
    std::deque<std::pair<Flit, std::int64_t>> in_channel_;  // with their numbers in the message

  public:
    PortRecording link;
    PortRecording credits;
    std::int64_t flits = 0;
};

class FlitChannelTwinTest : public ::testing::Test {
  public:
    RecordedChannel& add(const Sizes& sizes, std::uint64_t seed, std::int64_t cycles) {
        return *channels_.emplace_back(
            std::make_unique<RecordedChannel>(domain_, sizes, seed, cycles));
    }
    void run(std::int64_t cycles) { domain_.run_until(Cycles(cycles - 1)); }

  private:
    hw::ClockDomainParameters parameters_;
    hw::ClockDomain domain_{"clock", parameters_};
    std::vector<std::unique_ptr<RecordedChannel>> channels_;
};

TEST_F(FlitChannelTwinTest, EqualsTheModelInEveryCycle) {
    WEIR_NEEDS_VERILATOR();
    const RecordedChannel& channel = add({3, 2, 2}, 1, 4000);
    run(4000);
    EXPECT_GT(channel.flits, 1000);
    expect_equal(compare(channel.link_twin(), {channel.link}), 4000);
    expect_equal(compare(channel.credits_twin(), {channel.credits}), 4000);
}

TEST_F(FlitChannelTwinTest, PlantedFaults) {
    WEIR_NEEDS_VERILATOR();
    const RecordedChannel& channel = add({3, 3, 2}, 2, 4000);
    run(4000);
    expect_found(
        channel.link_twin(), {channel.link},
        {{"a slot too few", "held != ALL_SLOTS ||", "held != ALL_SLOTS - 1'b1 ||"},
         {"ring without an end", "front == LAST_SLOT ? '0 : front + 1'b1", "front + 1'b1"},
         {"link a cycle shorter", "REGISTERS = LINK_CYCLES - 1", "REGISTERS = LINK_CYCLES - 2"},
         {"link that does not close up", "next_is_free || !is_full[i]", "next_is_free"},
         {"link that repeats a flit's data", "<= flits[(i-1)*FLIT_BITS +: FLIT_BITS]",
          "<= flits[i*FLIT_BITS +: FLIT_BITS]"}});
    expect_found(
        channel.credits_twin(), {channel.credits},
        {{"a credit too many", "count <= COUNT_BITS'(CREDITS)",
          "count <= COUNT_BITS'(CREDITS + 1)"},
         {"credit gained while a flit is sent", "comes_back && !send", "comes_back"},
         {"credit lost while another comes back", "send && !comes_back", "send"},
         {"credit back a cycle early", "comes_back = registers[CREDIT_CYCLES-2]",
          "comes_back = returned"},
         {"channel called empty with a flit in it", "has_all = count == COUNT_BITS'(CREDITS)",
          "has_all = count >= COUNT_BITS'(CREDITS - 1)"}});
}

TEST_F(FlitChannelTwinTest, RandomSizes) {
    WEIR_NEEDS_VERILATOR();
    constexpr std::int64_t kCycles = 20'000;
    std::vector<const RecordedChannel*> channels;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        hw::RandomStream random(seed, hw::NodeId(0), "sizes");
        const auto up_to = [&random](std::uint64_t most) {
            return 1 + static_cast<std::int64_t>(random.below(most));
        };
        const std::int64_t link = up_to(6);
        const std::int64_t buffer = up_to(9);
        const std::int64_t credit = up_to(5);
        channels.push_back(
            &add({link, buffer, credit, static_cast<int>(up_to(16))}, seed, kCycles));
    }
    run(kCycles);
    std::int64_t cycles = 0;
    for (const RecordedChannel* channel : channels) {
        EXPECT_GT(channel->flits, kCycles / 8);
        for (const auto& comparison : {compare(channel->link_twin(), {channel->link}),
                                       compare(channel->credits_twin(), {channel->credits})}) {
            expect_equal(comparison, kCycles);
            cycles += comparison.cycles;
        }
    }
    std::cout << cycles << " cycles of channels compared\n";
}

TEST_F(FlitChannelTwinTest, IsSynthesizable) {
    WEIR_NEEDS_VERILATOR();
    for (const Sizes& sizes : {Sizes{1, 1, 1}, Sizes{2, 1, 1}, Sizes{4, 5, 3}}) {
        const RecordedChannel& channel = add(sizes, 1, 10);
        EXPECT_EQ(complaints(channel.link_twin()), "");
        EXPECT_EQ(complaints(channel.credits_twin()), "");
    }
}

}  // namespace
}  // namespace weir::network
