#include "hw/clock/clock_tiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "hw/testing/scripted_part.h"

namespace weir::hw {
namespace {

using ::testing::ElementsAre;
using ::testing::Lt;
using testing::ScriptedPart;

constexpr Cycles kLastCycle(1'000'000);

class ClockTilesTest : public ::testing::Test {
  public:
    ClockTiles& clock(std::size_t tiles) {
        clock_ = std::make_unique<ClockTiles>(parameters, 1, tiles);
        return *clock_;
    }
    ClockDomainParameters parameters;

  private:
    std::unique_ptr<ClockTiles> clock_;
};

class NodesOfTilesTest : public ::testing::TestWithParam<std::size_t> {};

TEST_P(NodesOfTilesTest, AreConsecutiveAndAsManyInEach) {
    const std::size_t tiles = GetParam();
    const ClockTiles clock(ClockDomainParameters(), 1, tiles);
    for (const std::int32_t nodes : {1, 2, 5, 31, 32, 1000, 16'384}) {
        EXPECT_EQ(clock.first_node(0, nodes), 0);
        EXPECT_EQ(clock.first_node(tiles, nodes), nodes);
        std::vector<std::int32_t> counted(tiles);
        for (std::int32_t node = 0; node < nodes; ++node) {
            const std::size_t tile = clock.tile_of(NodeId(node), nodes);
            ASSERT_LT(tile, tiles);
            ++counted[tile];
            EXPECT_GE(node, clock.first_node(tile, nodes));
            EXPECT_LT(node, clock.first_node(tile + 1, nodes));
        }
        const auto [least, most] = std::minmax_element(counted.begin(), counted.end());
        EXPECT_LE(*most - *least, 1) << nodes << " nodes in " << tiles << " tiles";
    }
}

INSTANTIATE_TEST_SUITE_P(Tiles, NodesOfTilesTest, ::testing::Values(1, 2, 3, 7, 32));

TEST_F(ClockTilesTest, TickPartsInExactlyTheCyclesTheyAskedFor) {
    ClockTiles& tiles = clock(3);
    std::vector<std::vector<std::int64_t>> ticked(3);
    std::vector<std::unique_ptr<ScriptedPart>> parts;
    for (std::size_t i = 0; i < 3; ++i) {
        parts.push_back(std::make_unique<ScriptedPart>(tiles.domain(i)));
        for (const std::int64_t cycle : {0, 3, 5000}) {
            const std::int64_t own = cycle + static_cast<std::int64_t>(i);
            parts.back()->at(own, [&ticked, i](Cycles now) { ticked[i].push_back(now.count()); });
        }
    }
    tiles.run_until(kLastCycle);
    EXPECT_THAT(ticked[0], ElementsAre(0, 3, 5000));
    EXPECT_THAT(ticked[1], ElementsAre(1, 4, 5001));
    EXPECT_THAT(ticked[2], ElementsAre(2, 5, 5002));
    EXPECT_EQ(tiles.now(), Cycles(5002));
    EXPECT_EQ(tiles.domain(1).now(), Cycles(5002));
    EXPECT_FALSE(tiles.has_wake_ups());
}

TEST_F(ClockTilesTest, GoOnBehindALimit) {
    ClockTiles& tiles = clock(2);
    std::vector<std::int64_t> ticked;
    ScriptedPart part(tiles.domain(1));
    for (const std::int64_t cycle : {10, 11, 20}) {
        part.at(cycle, [&ticked](Cycles now) { ticked.push_back(now.count()); });
    }
    tiles.run_until(Cycles(10));
    EXPECT_THAT(ticked, ElementsAre(10));
    EXPECT_TRUE(tiles.has_wake_ups());
    tiles.run_until(Cycles(19));
    EXPECT_THAT(ticked, ElementsAre(10, 11));
    tiles.run_until(kLastCycle);
    EXPECT_THAT(ticked, ElementsAre(10, 11, 20));
}

// Sends a number to the other tile's player as soon as one arrives, up to a last number.
class Player final : public ClockedPart, public TileInbox {
  public:
    explicit Player(ClockDomain& domain) : ClockedPart(domain) { domain.add_inbox(*this); }

    void tick(Cycles now) override {
        if (has_number_ && number_ < kLast) {
            other->mail.leave(number_ + 1, domain().turn());
            domain().note_left_mail();
            played.push_back(now.count());
        }
        has_number_ = false;
    }
    void receive(Cycles cycle) override {
        mail.take_all(domain().turn(), [&](int number) {
            begin(number);
            wake_at(cycle);
        });
    }
    void begin(int number) {
        number_ = number;
        has_number_ = true;
    }

    Player* other = nullptr;
    TileMail<int> mail;  // mail to this player
    std::vector<std::int64_t> played;

  private:
    static constexpr int kLast = 6;
    int number_ = 0;
    bool has_number_ = false;
};

// Two players; the first one begins in cycle 7.
struct Game {
    explicit Game(ClockTiles& tiles) : one(tiles.domain(0)), two(tiles.domain(1)) {
        one.other = &two;
        two.other = &one;
        one.begin(0);
        one.wake_at(Cycles(7));
    }
    Player one;
    Player two;
};

TEST_F(ClockTilesTest, MailIsThereInTheNextCycle) {
    ClockTiles& tiles = clock(2);
    Game game(tiles);
    tiles.run_until(kLastCycle);
    EXPECT_THAT(game.one.played, ElementsAre(7, 9, 11));
    EXPECT_THAT(game.two.played, ElementsAre(8, 10, 12));
    EXPECT_EQ(tiles.now(), Cycles(13));
}

TEST_F(ClockTilesTest, MailThatALimitCutsOffIsThereWhenTheyGoOn) {
    ClockTiles& tiles = clock(2);
    Game game(tiles);
    tiles.run_until(Cycles(7));
    EXPECT_TRUE(tiles.has_wake_ups());
    for (std::int64_t limit = 8; limit < 20; ++limit) {
        tiles.run_until(Cycles(limit));
    }
    EXPECT_THAT(game.two.played, ElementsAre(8, 10, 12));
}

TEST_F(ClockTilesTest, EndTheCycleInWhichOneOfThemStops) {
    ClockTiles& tiles = clock(2);
    ScriptedPart stopping(tiles.domain(1));
    ScriptedPart other(tiles.domain(0));
    std::vector<std::int64_t> ticked;
    stopping.at(5, [&](Cycles) { tiles.domain(1).stop(); });
    for (const std::int64_t cycle : {4, 5, 6}) {
        other.at(cycle, [&ticked](Cycles now) { ticked.push_back(now.count()); });
    }
    tiles.run_until(kLastCycle);
    tiles.run_until(kLastCycle);
    EXPECT_THAT(ticked, ElementsAre(4, 5));
}

TEST_F(ClockTilesTest, ThrowWhatAPartThrowsOfSeveralTheFirstTiles) {
    ClockTiles& tiles = clock(3);
    std::vector<std::unique_ptr<ScriptedPart>> parts;
    for (const std::size_t tile : {2, 1}) {
        parts.push_back(std::make_unique<ScriptedPart>(tiles.domain(tile)));
        parts.back()->at(
            3, [tile](Cycles) { throw std::runtime_error("tile_" + std::to_string(tile)); });
    }
    std::string thrown;
    try {
        tiles.run_until(kLastCycle);
    } catch (const std::runtime_error& fault) {
        thrown = fault.what();
    }
    EXPECT_EQ(thrown, "tile_1");
}

TEST_F(ClockTilesTest, ThrowWhatTheMailOfTheLastCycleThrows) {
    struct Refusing final : TileInbox {
        void receive(Cycles cycle) override {
            if (cycle == Cycles(8)) {
                throw std::runtime_error("mail of cycle 7");
            }
        }
    };
    ClockTiles& tiles = clock(2);
    Refusing inbox;
    tiles.domain(1).add_inbox(inbox);
    ScriptedPart part(tiles.domain(0));
    part.at(7, [](Cycles) {});
    EXPECT_THROW(tiles.run_until(Cycles(7)), std::runtime_error);
}

TEST_F(ClockTilesTest, PauseNowAndThenAndAtTheEnd) {
    ClockTiles& tiles = clock(2);
    ScriptedPart part(tiles.domain(1));
    for (std::int64_t cycle = 0; cycle < 3 * ClockTiles::kPauseCycles.count(); ++cycle) {
        part.at(cycle, [](Cycles) {});
    }
    std::vector<std::int64_t> pauses;
    tiles.at_pauses([&] { pauses.push_back(tiles.domain(1).now().count()); });
    tiles.run_until(kLastCycle);
    EXPECT_THAT(pauses, ElementsAre(255, 511, 767));
}

TEST_F(ClockTilesTest, ThrowWhatAPauseThrows) {
    ClockTiles& tiles = clock(2);
    ScriptedPart part(tiles.domain(1));
    for (std::int64_t cycle = 0; cycle < 1000; ++cycle) {
        part.at(cycle, [](Cycles) {});
    }
    tiles.at_pauses([] { throw std::runtime_error("no room"); });
    EXPECT_THROW(tiles.run_until(kLastCycle), std::runtime_error);
    EXPECT_THAT(tiles.now(), Lt(Cycles(1000)));
}

TEST_F(ClockTilesTest, TickTheSameInTurnAndTellWhatThatTook) {
    ClockTiles& tiles = clock(2);
    tiles.tick_in_turn();
    Game game(tiles);
    tiles.run_until(kLastCycle);
    EXPECT_THAT(game.two.played, ElementsAre(8, 10, 12));
    EXPECT_EQ(tiles.work().cycles, 7);
    EXPECT_GT(tiles.work().longest_seconds, 0.0);
}

}  // namespace
}  // namespace weir::hw
