#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/clock/clock_tiles.h"
#include "hw/messages/message_pool.h"
#include "hw/queues/fifo.h"
#include "hw/units.h"
#include "hw/wait_report.h"
#include "network/fabric/header_waits.h"
#include "network/topology/lattice_places.h"
#include "network/topology/mesh.h"
#include "network/worms/cycle_runs.h"

namespace weir::network {

class WormEnd;

/// The routers and channels of a plain mesh, by the worm: to the cycle what WormholeRouter and
/// FlitChannel do flit by flit.
///
/// A worm holds each channel from header to tail. So when its flits move follows from when its
/// header was let through. Flit i leaves router j in the largest of:
///  1. the cycle in which it left the router before, and the link's cycles;
///  2. the cycle after the one in which flit i - 1 left router j;
///  3. the cycle after the one in which the next router took the flit that went into this channel
///     `places` before it (its credit), places = buffer flits + link cycles - 1;
///  4. of a header: the cycle in which it won the output.
/// All of these are known as soon as the headers before it have won their outputs, before their own
/// time comes. So two things are events here: a header comes to the front of a buffer (when it has
/// arrived, and in the cycle after the one in which the tail before it left); and an output that is
/// asked for is freed (in the cycle after the one in which a tail passed). In a cycle, all who ask
/// are gathered before one is let through, round robin from the one after the last. The rest is
/// sums and maxima, a run of flits at a time.
///
/// All effects of a cycle on another part are seen in the next one at the earliest. So it does not
/// matter whether the ends are ticked before this part or after it.
///
/// Of a machine in tiles (hw::ClockTiles) each has a fabric of its nodes' routers. A channel from
/// one tile to another is there twice: where it is sent into, and where it ends. What becomes known
/// of one end in a cycle is left for the other, which knows it before its next cycle: a flit that
/// is sent, or taken, in a cycle has no effect at the other end before the next one.
class WormFabric final : public hw::ClockedPart, public hw::TileInbox {
  public:
    struct Timing {
        hw::Cycles injection_cycles;
        hw::Cycles hop_cycles;
        hw::Cycles ejection_cycles;
        hw::Flits buffer;
    };
    using Event = std::uint32_t;  ///< a channel's number, and a bit: whether it is a header's
    static constexpr Event kNoEvent = 0xffff'ffff;
    /// A link and the buffer at its end; and the output of the router, or the end, that sends into
    /// it. Four lines of the host's caches.
    struct alignas(64) Channel {
        // The sender's side.
        hw::Cycles last{-1};    ///< before which no flit of the worm that is sent can be
        std::int64_t left = 0;  ///< of its flits, those whose cycles are not known
        std::int64_t places = 1;
        Channel* from = nullptr;       ///< the one that the worm comes from
        std::uint32_t requests = 0;    ///< a bit an input
        hw::Cycles free_from{0};       ///< when no worm holds the output
        hw::Cycles looks_at{-1};       ///< when it is to be granted, at the latest known
        std::uint32_t sender_row = 0;  ///< its router's first port, of those of all routers
        std::int8_t last_winner = 0;
        bool is_held = false;
        bool is_header_next = false;
        bool is_ejection = false;
        // The receiver's side.
        std::int8_t port = 0;
        std::uint16_t crossing = 0;  ///< if its other end is another tile's: which, from 1 on
        std::int32_t link_count = 1;
        Channel* to = nullptr;  ///< the one that the worm at the front goes into
        std::uint32_t receiver_row = 0;
        std::uint32_t receiver = 0;         ///< the router, of all tiles
        std::uint8_t first_dimension = 0;   ///< in which a worm that comes by it may go on
        std::uint32_t number = 0;           ///< its own
        std::array<Event, 2> next_event{};  ///< behind its two in the lists of their cycles
        WormEnd* end = nullptr;             ///< of an injection or ejection channel
        std::int64_t headers_routed = 0;
        HeaderWaits header_waits;
        hw::Fifo<hw::MessageSlot> worms;  ///< whose header was sent, and whose tail is not taken
        CycleRuns sent;
        CycleRuns taken;

        [[nodiscard]] hw::Cycles link() const { return hw::Cycles(link_count); }
        [[nodiscard]] std::int64_t credits() const { return taken.count() + places - sent.count(); }
        /// Whether what it has credits for can go one flit a cycle from `cycle` on: those that were
        /// taken before the last run were so earlier than its flits would have been.
        [[nodiscard]] bool has_credits_from(hw::Cycles cycle) const {
            return taken.cycle_in_last_run(sent.count() - places) < cycle;
        }
        [[nodiscard]] std::int64_t held_through(hw::Cycles cycle) const {
            return sent.count_through(cycle) - taken.count_through(cycle);
        }
    };

    /// Some of the mesh's routers, one behind the other.
    struct Routers {
        std::size_t first;
        std::size_t count;
        [[nodiscard]] bool contain(std::size_t router) const {
            return router >= first && router < first + count;
        }
    };

    /// Of a mesh of several tiles, all fabrics are to be connected. The mesh must stay.
    WormFabric(hw::ClockDomain& domain, const Mesh& mesh, const Timing& timing,
               const Routers& routers);
    /// The channels from here to another tile.
    void connect_to(WormFabric& other);

    // The numbers of channels are the fabric's own.
    [[nodiscard]] std::size_t injection_channel(hw::NodeId node) const;
    [[nodiscard]] std::size_t ejection_channel(hw::NodeId node) const;
    [[nodiscard]] std::size_t output_channel(std::size_t router, int port) const {
        return (router - routers_.first) * ports_ + port;
    }
    /// The one that ends there.
    [[nodiscard]] const Channel& input(std::size_t router, int port) const {
        return *inputs_[output_channel(router, port)];
    }
    [[nodiscard]] Channel& channel(std::size_t number) { return channels_[number]; }
    [[nodiscard]] const Channel& channel(std::size_t number) const { return channels_[number]; }
    void connect(WormEnd& end, hw::NodeId node);

    void tick(hw::Cycles now) override;
    void end_of_cycle(hw::Cycles now) override;
    void receive(hw::Cycles cycle) override;

    // For the ends.
    /// The worm's header goes into an injection channel in cycle `cycle`.
    void header_sent(Channel& channel, hw::MessageSlot message, std::int32_t destination,
                     std::int64_t flits, hw::Cycles cycle, hw::Cycles now);
    /// More is known of what goes into the channel, or of what is taken out of it.
    void go_on_behind(const Channel& channel) {
        Channel* next = channel.to;
        if (next != nullptr && next->left > 0 && next->credits() > 0) {
            do_later(*next);
        }
    }
    void go_on_before(Channel& channel) {
        if (channel.left > 0) {
            do_later(channel);
        }
    }
    /// Moves on all worms that can; whoever has made more known asks for it.
    void go_on(hw::Cycles now) {
        if (work_count_ > 0 || last_move_ > noted_move_) {
            go_on_with_work(now);
        }
    }
    void note_move(hw::Cycles cycle) { last_move_ = cycle > last_move_ ? cycle : last_move_; }

    // For statistics and explanations, between cycles; `now`: the last one.
    [[nodiscard]] std::int64_t flits_forwarded(std::size_t router, hw::Cycles now) const;
    [[nodiscard]] std::int64_t headers_routed(std::size_t router) const;
    [[nodiscard]] hw::Flits flits_in_flight(hw::Cycles now) const;
    void report_waits(hw::WaitReport& report, hw::Cycles now) const;
    [[nodiscard]] std::string name_of(std::size_t channel) const;

  private:
    static constexpr std::size_t kWheelCycles = 1024;
    struct Worm {
        std::int64_t flits = 0;
        std::int32_t destination = 0;
    };
    // What another tile's end of a channel has come to know.
    struct Fact {
        enum class Kind : std::uint8_t { kSent, kTaken, kHeader };
        Kind kind = Kind::kSent;
        std::uint32_t channel = 0;    // its number there
        std::int64_t count = 0;       // of the flits that were sent or taken, one a cycle
        hw::Cycles first;             // of these, or of the header
        hw::MessageSlot message = 0;  // the header's
        Worm worm;
    };
    struct Crossing {
        hw::TileMail<Fact>* mail;  // to the other end
        std::uint32_t channel;     // its number there
    };

    [[gnu::always_inline]] void do_later(Channel& channel) {
        if (work_count_ == work_.size()) [[unlikely]] {
            grow_work();
        }
        work_[work_count_++] = &channel;
    }
    [[gnu::cold, gnu::noinline]] void grow_work() { work_.resize(2 * work_.size()); }
    void connect_routers(const Timing& timing);
    [[nodiscard]] std::size_t channels_from_elsewhere() const;
    [[nodiscard]] bool is_from_elsewhere(const Channel& channel) const {
        return channel.number >= routers_.count * (ports_ + 1);
    }
    void worm_known(hw::MessageSlot message, const Worm& worm);
    void cross(Channel& channel, hw::TileMail<Fact>& mail, const Channel& other_end);
    void tell(const Channel& channel, Fact fact);
    [[gnu::cold, gnu::noinline]] void tell_moves(const Channel& input, const Channel& output,
                                                 std::int64_t count);
    void take(const Fact& fact, hw::Cycles cycle);
    void at(hw::Cycles cycle, Channel& channel, bool is_header, hw::Cycles now);
    [[gnu::noinline]] void beyond_wheel(hw::Cycles cycle, Event event);
    [[nodiscard]] std::size_t output_towards(const Channel& input, std::int32_t destination) const;
    void grant(Channel& output, hw::Cycles now);
    void go_on_with_work(hw::Cycles now);
    void advance(Channel& first_output, hw::Cycles now);
    [[nodiscard]] static std::int64_t movable(const Channel& output, const Channel& input);
    static void move_run(Channel& output, Channel& input, std::int64_t count, hw::Cycles first,
                         hw::Cycles now);
    [[nodiscard]] bool move_into(Channel& output, Channel& input, hw::Cycles now);
    [[nodiscard]] [[gnu::noinline]] hw::Cycles move_parts(Channel& output, Channel& input,
                                                          hw::Cycles now);
    void header_known(Channel& channel, hw::MessageSlot worm, hw::Cycles cycle, hw::Cycles now);
    void tail_known(Channel& output, hw::Cycles now);
    void hold_clock(hw::Cycles now);
    [[nodiscard]] hw::Cycles last_look(hw::Cycles now) const;
    [[nodiscard]] bool router_looks_again(std::size_t router, hw::Cycles cycle) const;

    const Mesh& mesh_;
    std::size_t ports_;
    Routers routers_;
    std::vector<Channel> channels_;  // a router's outputs, router by router; then injections; then
                                     // those from other tiles
    std::vector<Crossing> crossings_;
    std::vector<std::unique_ptr<hw::TileMail<Fact>>> mail_;  // to other tiles
    std::vector<hw::TileMail<Fact>*> inboxes_;
    std::vector<Channel*> inputs_;                  // each router's input port's channel, or none
    LatticePlaces places_;                          // of all tiles
    std::vector<Worm> worms_;                       // by message
    std::array<Event, kWheelCycles> wheel_;         // lists, by their first
    std::map<hw::Cycles, std::vector<Event>> far_;  // beyond the wheel
    std::vector<Channel*> outputs_;  // that are asked for, or freed, in the present cycle
    std::vector<Channel*> work_;     // a stack of channels into which more can be sent
    std::size_t work_count_ = 0;
    hw::Cycles last_move_{-1};
    hw::Cycles noted_move_{-1};  // as progress
    hw::Cycles clock_held_until_{-1};
    hw::Cycles longest_link_{1};
};

}  // namespace weir::network
