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
#include "network/fabric/routers_passed.h"
#include "network/topology/lattice_places.h"
#include "network/topology/mesh.h"
#include "network/worms/cycle_runs.h"
#include "network/worms/worm_end.h"

namespace weir::network {

/// The routers and channels of a plain mesh, emulated worm by worm. All events have the same cycles
/// as with WormholeRouter and FlitChannel, which move flits one by one.
///
/// A worm holds each channel from header to tail. So the cycles of all its flits follow from the
/// cycles in which its header was granted outputs. Flit i leaves router j in the latest of these
/// cycles:
///  1. the cycle in which it left the previous router, plus the link's cycles
///  2. the cycle after flit i - 1 left router j
///  3. the cycle after the next router took the flit that entered this channel `places` flits
///     earlier (its credit), with places = buffer flits + link cycles - 1
///  4. for a header, the cycle in which it is granted the output
///
/// All of these cycles are known as soon as the header and those before it have been granted their
/// outputs. This happens before the cycles themselves. So this part has two kinds of events:
/// - A header comes to the front of a buffer: when it has arrived, and one cycle after the previous
///   tail has left.
/// - A requested output becomes free: one cycle after a tail has passed.
///
/// In a cycle, all requests are collected before one is granted, round robin from the one after the
/// last winner. All other times are sums and maxima, computed for a run of flits at once.
///
/// All effects on other parts become visible in the next cycle at the earliest. So network
/// interfaces may be ticked before this part or after it.
///
/// In a machine of several tiles (hw::ClockTiles) each tile has a fabric of its nodes' routers. A
/// channel from one tile to another has two copies: one at its sender, and one at its receiver. New
/// knowledge about one end is sent to the other end, which receives it before its next cycle. It
/// comes early enough: a flit sent or taken in a cycle has no effect at the other end before the
/// next cycle.
class WormFabric final : public hw::ClockedPart, public hw::TileInbox {
  public:
    struct Timing {
        hw::Cycles injection_cycles;
        hw::Cycles hop_cycles;
        hw::Cycles ejection_cycles;
        hw::Flits buffer;
    };
    using Event = std::uint32_t;  ///< a channel's number, and a bit that marks a header's event
    static constexpr Event kNoEvent = 0xffff'ffff;
    /// A link with the buffer at its end. It also has the state of the output of the router, or
    /// network interface, that sends into it. A Channel takes four cache lines of the host.
    struct alignas(64) Channel {
        // State at the sender.
        hw::Cycles last{-1};  ///< cycle of the last flit sent; the next one leaves later
        /// flits of the worm for which the cycle of sending is not yet known
        std::int64_t left = 0;
        std::int64_t places = 1;
        Channel* from = nullptr;       ///< channel that the worm comes from
        std::uint32_t requests = 0;    ///< inputs that request the output, one bit each
        hw::Cycles free_from{0};       ///< cycle from which no worm holds the output
        hw::Cycles looks_at{-1};       ///< latest cycle for which a grant is scheduled
        std::uint32_t sender_row = 0;  ///< first port of the sending router, among all ports
        std::int8_t last_winner = 0;
        bool is_held = false;
        bool is_header_next = false;
        bool is_injection = false;
        bool is_ejection = false;
        // State at the receiver.
        std::int8_t port = 0;
        std::uint16_t crossing = 0;  ///< number, from 1 on, in crossings_ if the other end is in
                                     ///< another tile; otherwise 0
        std::int32_t link_count = 1;
        Channel* to = nullptr;  ///< channel that the worm at the front goes into
        std::uint32_t receiver_row = 0;
        std::uint32_t receiver = 0;        ///< number of the receiving router, over all tiles
        std::uint8_t first_dimension = 0;  ///< lowest dimension in which an arriving worm may go on
        std::uint32_t number = 0;          ///< the channel's own number
        std::array<Event, 2> next_event{};  ///< next event in the lists of the channel's two events
        WormEnd* end = nullptr;  ///< part at the node, for an injection or ejection channel
        std::int64_t headers_routed = 0;
        HeaderWaits header_waits;
        /// worms whose header has been sent and whose tail has not been taken
        hw::Fifo<hw::MessageSlot> worms;
        CycleRuns sent;
        CycleRuns taken;

        [[nodiscard]] hw::Cycles link() const { return hw::Cycles(link_count); }
        [[nodiscard]] std::int64_t credits() const { return taken.count() + places - sent.count(); }
        /// True if credits allow one flit per cycle from `cycle` on. Only the last run of taken
        /// flits has to be checked: earlier flits were taken early enough.
        [[nodiscard]] bool has_credits_from(hw::Cycles cycle) const {
            return taken.cycle_in_last_run(sent.count() - places) < cycle;
        }
        [[nodiscard]] std::int64_t held_through(hw::Cycles cycle) const {
            return sent.count_through(cycle) - taken.count_through(cycle);
        }
    };

    /// A range of the mesh's routers.
    struct Routers {
        std::size_t first;
        std::size_t count;
        [[nodiscard]] bool contain(std::size_t router) const {
            return router >= first && router < first + count;
        }
    };

    /// Creates the fabric of a range of routers. In a mesh of several tiles, all fabrics must be
    /// connected. `mesh` must outlive this object.
    WormFabric(hw::ClockDomain& domain, const Mesh& mesh, const Timing& timing,
               const Routers& routers);
    /// Connects the channels from this tile to another one.
    void connect_to(WormFabric& other);

    // The following channels have their numbers in this fabric.
    [[nodiscard]] std::size_t injection_channel(hw::NodeId node) const;
    [[nodiscard]] std::size_t ejection_channel(hw::NodeId node) const;
    [[nodiscard]] std::size_t output_channel(std::size_t router, int port) const {
        return (router - routers_.first) * ports_ + port;
    }
    /// Channel that ends at the input port.
    [[nodiscard]] const Channel& input(std::size_t router, int port) const {
        return *inputs_[output_channel(router, port)];
    }
    [[nodiscard]] Channel& channel(std::size_t number) { return channels_[number]; }
    [[nodiscard]] const Channel& channel(std::size_t number) const { return channels_[number]; }
    void connect(WormEnd& end, hw::NodeId node);
    /// Records each router that a worm passes, with the cycle of the grant; to be called before the
    /// run, with an object that outlives it.
    void count_passed_in(RoutersPassed& passed) { passed_ = &passed; }
    /// Lets the clock jump over cycles in which the flit-by-flit emulation would tick; to be called
    /// before the run. A run that stands still then ends in an earlier cycle.
    void let_clock_jump() { holds_clock_ = false; }

    void tick(hw::Cycles now) override;
    void end_of_cycle(hw::Cycles now) override;
    void receive(hw::Cycles cycle) override;

    // Functions for the parts at the nodes.
    /// Calls WormEnd::begin_worm() of the part at the injection channel in cycle `cycle`, which
    /// must be after `now`. At most one such call may be pending for a channel.
    void begin_worm_at(hw::Cycles cycle, Channel& injection, hw::Cycles now);
    /// Reports that a worm's header enters an injection channel in cycle `cycle`.
    void header_sent(Channel& channel, hw::MessageSlot message, std::int32_t destination,
                     std::int64_t flits, hw::Cycles cycle, hw::Cycles now);
    /// Schedules work on the next channel, since more flits into this channel are known.
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
    /// Moves all worms about whose flits or credits more is known; to be called by the part that
    /// has added the knowledge.
    void go_on(hw::Cycles now) {
        if (work_count_ > 0 || last_move_ > noted_move_) {
            go_on_with_work(now);
        }
    }
    void note_move(hw::Cycles cycle) { last_move_ = cycle > last_move_ ? cycle : last_move_; }

    // Functions for statistics and reports, to be called between cycles; `now` is the last cycle.
    [[nodiscard]] std::int64_t flits_forwarded(std::size_t router, hw::Cycles now) const;
    [[nodiscard]] std::int64_t headers_routed(std::size_t router) const;
    [[nodiscard]] hw::Flits flits_in_flight(hw::Cycles now) const;
    void report_waits(hw::WaitReport& report, hw::Cycles now) const;
    [[nodiscard]] std::string name_of(std::size_t channel) const;
    /// Number of routers on the route between two nodes.
    [[nodiscard]] std::int32_t routers_between(std::int32_t source, std::int32_t destination) const;

  private:
    static constexpr std::size_t kWheelCycles = 1024;
    struct Worm {
        std::int64_t flits = 0;
        std::int32_t destination = 0;
    };
    // A new fact about a channel, for the tile at its other end.
    struct Fact {
        enum class Kind : std::uint8_t { kSent, kTaken, kHeader };
        Kind kind = Kind::kSent;
        std::uint32_t channel = 0;    // channel's number in the other tile
        std::int64_t count = 0;       // number of flits sent or taken, one per cycle
        hw::Cycles first;             // cycle of the first flit, or of the header
        hw::MessageSlot message = 0;  // message of the header, for kHeader only
        Worm worm;
    };
    struct Crossing {
        hw::TileMail<Fact>* mail;  // mail to the tile at the channel's other end
        std::uint32_t channel;     // channel's number in the other tile
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
    // Outputs of each router, then the injection channels, then the channels from other tiles.
    std::vector<Channel> channels_;
    std::vector<Crossing> crossings_;
    std::vector<std::unique_ptr<hw::TileMail<Fact>>> mail_;  // mail to other tiles
    std::vector<hw::TileMail<Fact>*> inboxes_;
    // channel at each router's input port; null at a mesh's edge
    std::vector<Channel*> inputs_;
    LatticePlaces places_;                   // coordinates of the routers of all tiles
    std::vector<Worm> worms_;                // length and destination of each worm, by message slot
    std::array<Event, kWheelCycles> wheel_;  // first event of each cycle, modulo kWheelCycles
    std::map<hw::Cycles, std::vector<Event>> far_;  // events too far ahead for the wheel, by cycle
    // outputs requested or freed in the current cycle
    std::vector<Channel*> outputs_;
    // stack of channels into which more flits may be sent
    std::vector<Channel*> work_;
    std::size_t work_count_ = 0;
    hw::Cycles last_move_{-1};
    hw::Cycles noted_move_{-1};  // last cycle reported to the watchdog as progress
    hw::Cycles clock_held_until_{-1};
    hw::Cycles longest_link_{1};
    bool holds_clock_ = true;
    RoutersPassed* passed_ = nullptr;  // null if routes are not recorded
};

}  // namespace weir::network
