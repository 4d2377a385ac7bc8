#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "hw/access_tag.h"
#include "hw/clock/clock_domain.h"
#include "hw/clock/clocked_register.h"
#include "hw/controller/message_controller.h"
#include "hw/controller/protocol_port.h"
#include "hw/dma/dma_engine.h"
#include "hw/per_enumerator.h"
#include "hw/random_stream.h"
#include "hw/refusal.h"
#include "hw/statistics.h"
#include "hw/units.h"
#include "memory/cache_hierarchy.h"
#include "memory/coherence/address_map.h"
#include "memory/coherence/cache_table.h"
#include "memory/coherence/coherence_observers.h"
#include "memory/coherence/coherence_parameters.h"
#include "memory/coherence/coherence_registers.h"
#include "memory/coherence/directory.h"
#include "memory/coherence/golden_memory.h"
#include "memory/coherence/progress_watch.h"
#include "memory/coherence/shared_lines.h"
#include "memory/node_memory.h"

namespace weir::memory {

/// A packet arrived in a state without a row for it: a fault of the protocol, or of the network
/// below. The text has line, state, packet and cycle, and the history of the line.
class ProtocolError : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

/// A DMA engine has accessed a line of shared memory of which another node has, or may have, a copy
/// that the engine would miss. The text has node, cycle, address and the accepted cases.
class DmaFault : public hw::Refusal {
  public:
    using Refusal::Refusal;
};

/// Coherence controller of a node: makes the node's memory a part of one coherent memory. It has
/// the directory of the lines whose home is the node, and the transaction store of the lines that
/// the node's cache waits for.
///
/// Transaction store: a copy is in the first level of cache, or in a transaction buffer. It is in a
/// buffer from its arrival to its first use, and while the node has asked to write it. A buffer is
/// taken by each line with an open request, before its first use, or on its way home. Without a
/// free buffer an access waits. A line that a private access replaces always finds a place
/// (assumed). The private access may belong to a trap on which the network depends.
///
/// Accesses: an access that finds its copy takes the cycles of a hit. Otherwise the line's home is
/// asked l1.miss_cycles later, and the access ends with a hit when the line has arrived. While it
/// waits for another node, the core may take an interrupt: it withdraws the access and repeats it.
/// Or the core switches contexts: the access is answered as not done, and repeated when the context
/// runs again. With thrashlock, an access whose line came and went meanwhile holds the core the
/// next time, and uses its line in the cycle of arrival.
///
/// Trap turns: with trap_turns, an arrived line stays in its buffer until its use if a waiting
/// access will use it at once. Such an access holds the core, or was withdrawn by an interrupt or
/// trap and will be repeated after it. A packet that would take or share the line is put off in the
/// buffer; other packets pass. At most one line is kept in this way. It cannot deadlock, since
/// neither coherence traps nor handlers may use shared memory. (Recalled: the lock of Alewife's
/// thrashlock, and its deferred invalidations. Assumed: a node with a single context has both,
/// too.)
///
/// Home: it serves one packet at a time. Packets of its own node come first, then the packet that
/// has left the input queue. A packet occupies the directory for directory_cycles. Memory is read
/// meanwhile, through the memory port; a reply with the line leaves when both are done.
/// Invalidations leave every invalidate_cycles. A packet to the cache takes cache_cycles. A packet
/// to the home waits until all packets of the previous one have entered the output queue.
///
/// Full/empty bits: each word of a line has a bit. It is stored with the line, in memory's
/// directory, in a copy, and in packets with the line. All words are full at first (assumed). An
/// access may require a state (hw::FullEmptyUse); it tests and changes the bit in the cycle in
/// which it is performed. An access that changes the bit needs the only copy, even if a copy to
/// read would show the wrong state (assumed). An access of two words uses the bit of the first. In
/// the wrong state the access has no effect, and is answered without the cycles of a hit, since the
/// core traps.
///
/// Forwarding (Protocol::kForwarding): if another node (the owner) has the only copy of a line, the
/// home forwards the request. The owner answers the requester and informs the home, which answers
/// BUSY until then. For a writer, the copies to read are invalidated, and the writer itself counts
/// the acknowledgements. The writer stores to the line when the grant and all acknowledgements have
/// arrived, and serves other nodes only then.
///
/// DMA engines move bytes of lines whose home is their own node. They are coherent with this node
/// alone, as Alewife's were (recalled). They read the newer bytes of memory and the node's cache,
/// and write to both; full/empty bits stay. The run ends (DmaFault) if another node's copy matters:
/// the only copy for a read, any copy for a write.
///
/// Fetch-and-op (coherence.fetch_and_op; not part of Alewife, so all of it is assumed) is sent to
/// the word's home. It takes a transaction buffer until its answer arrives, which the core may
/// collect later, as for a line. At most as many fetch-and-ops wait at a home as a node has
/// transaction buffers. Further ones are refused, and served before later ones when they ask again
/// (RefusedRequests). The home performs them one after the other in its own copy. The home gets the
/// word's line by the protocol, as for a store of its own, and keeps it until another node wants
/// it. So other accesses to the word need no special treatment. An operation takes the cycles of a
/// store. The line gets an extra buffer if none is free, since this node's own fetch-and-ops may
/// occupy all of them.
///
/// Software (LimitLESS): a packet that the directory hands to software raises the core's trap.
/// Software works with the registers (memory/coherence/coherence_registers.h), and its packets
/// leave before waiting ones.
///
/// In a cycle: the controller works after the ticks, in the caches' end_of_cycle(). Exceptions are
/// accesses that hit, and lines that a private line replaces.
class CoherenceController final : public sc_core::sc_module,
                                  public hw::ProtocolPort,
                                  public hw::SharedSegment,
                                  public SharedLines {
  public:
    struct Statistics : hw::StatisticsGroup {
        hw::Counter loads{*this, "loads", "Loads from shared memory"};
        hw::Counter stores{
            *this, "stores",
            "Stores to shared memory, including exchanges and loads that empty their word"};
        hw::Counter local_misses{*this, "local_misses", "Misses to lines whose home is this node"};
        hw::Counter remote_misses{*this, "remote_misses",
                                  "Misses to lines whose home is another node"};
        hw::Counter upgrades{*this, "upgrades", "Misses by stores to a line with a copy to read"};
        hw::Counter miss_cycles{*this, "miss_cycles",
                                "Cycles from a miss to the line or the grant, summed over misses"};
        hw::Counter busy_replies{*this, "busy_replies", "Requests that a home refused (BUSY)"};
        hw::Counter most_refusals{*this, "most_refusals",
                                  "Most refusals of a single request or fetch-and-op of this node"};
        hw::Counter prefetches{*this, "prefetches", "Lines requested by prefetches"};
        hw::Counter late_prefetches{*this, "late_prefetches",
                                    "Prefetched lines that were needed before they arrived"};
        hw::Counter useless_prefetches{*this, "useless_prefetches",
                                       "Prefetches without a request: the line was present or in "
                                       "flight, or no buffer was free"};
        hw::Counter copies_lost{*this, "copies_lost",
                                "Copies invalidated or taken for another node"};
        hw::Counter unused_lines{
            *this, "unused_lines",
            "Lines that arrived and were taken for another node before their first use"};
        hw::Counter packets_put_off{*this, "packets_put_off",
                                    "Packets that waited until a line's first use"};
        hw::Counter held_accesses{*this, "held_accesses",
                                  "Accesses that held the core after they had lost their line"};
        hw::Counter full_empty_accesses{*this, "full_empty_accesses",
                                        "Full/empty accesses, each attempt counted"};
        hw::Counter wrong_states{*this, "wrong_states",
                                 "Full/empty accesses that found the wrong state"};
        hw::Counter lines_sent_home{*this, "lines_sent_home",
                                    "Modified lines that the cache replaced and sent home"};
        hw::Counter requests_served{*this, "requests_served", "Requests that this home served"};
        hw::Counter invalidations_sent{*this, "invalidations_sent",
                                       "Invalidations that this home sent"};
        hw::Counter forwarded_requests{
            *this, "forwarded_requests",
            "Requests that this home forwarded to the node with the only copy"};
        hw::Counter fetches{*this, "fetches", "Fetch-and-ops sent to their homes"};
        hw::Counter fetch_cycles{
            *this, "fetch_cycles",
            "Cycles from the begin of a fetch-and-op to its answer, summed over all"};
        hw::Counter fetches_put_off{*this, "fetches_put_off",
                                    "Fetch-and-ops refused by a home with too many waiting"};
        hw::Counter fetches_done{*this, "fetches_done", "Fetch-and-ops that this home performed"};
        hw::Counter traps{*this, "traps", "Packets that this home handed to software"};
        hw::Counter dma_bursts{*this, "dma_bursts",
                               "Bursts of DMA engines to and from lines of this home"};
        hw::Counter home_busy_cycles{*this, "home_busy_cycles",
                                     "Cycles in which this home served packets"};
    };

    /// Cells of the protocol's tables that were used: by state, a bit for each event or packet to
    /// memory. Silent replacements of copies to read are not included.
    struct Coverage {
        hw::PerEnumerator<CacheState, std::uint32_t, kCacheStates> cache{};
        hw::PerEnumerator<HomeState, std::uint32_t, kHomeStates> home{};
    };

    /// Properties of the node around the controller.
    struct Surroundings {
        hw::NodeId node;
        std::uint64_t seed = 1;
        std::int32_t node_count = 0;
        std::int64_t contexts = 1;
        const NodeMemory::Parameters& memory;
        hw::Cycles miss_cycles;          ///< miss_cycles of the first level of cache
        bool is_big_endian = false;      ///< byte order of words in memory
        GoldenMemory* golden = nullptr;  ///< reference that loads are compared with; null without
                                         ///< the check
        CoherenceObservers observers{};
    };

    CoherenceController(const sc_core::sc_module_name& name, CacheHierarchy& caches,
                        const CoherenceParameters& parameters, const Surroundings& surroundings);
    ~CoherenceController() override;

    tlm_utils::simple_initiator_socket<CoherenceController> port_socket{"port_socket"};

    /// Sets the message controller whose queues carry the packets; call before the run.
    void connect_messages(hw::MessageController& controller) { messages_ = &controller; }

    // Implementation of hw::ProtocolPort.
    [[nodiscard]] bool may_receive() const override {
        return !inbox_ && !holds_packets_.read(domain().now());
    }
    void receive(const hw::ProtocolPacket& packet) override;
    [[nodiscard]] const hw::ProtocolPacket* to_send() const override {
        const bool has_one = !outbox_.empty() && outbox_.front().posted < domain().now();
        return has_one ? &outbox_.front().packet : nullptr;
    }
    void sent() override;

    // Implementation of hw::SharedSegment.
    [[nodiscard]] bool is_shared(std::uint32_t address) const override {
        return address >= kSharedBase && !is_register(address);
    }
    [[nodiscard]] std::optional<std::string> absent(std::uint32_t address,
                                                    hw::Bytes bytes) const override;
    [[nodiscard]] std::uint64_t dram_address(std::uint32_t address) const override {
        return private_bytes_ + map_.offset_of(address);
    }

    // Implementation of SharedLines.
    [[nodiscard]] bool takes(std::uint64_t address) const override {
        return map_.is_shared(address) || is_register(address);
    }
    tlm::tlm_sync_enum access(int port, tlm::tlm_generic_payload& payload,
                              const tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
    void write_back(std::uint64_t address, std::span<const std::uint8_t> bytes,
                    std::uint8_t empty_words) override;
    void leaves_unseen(std::uint64_t address) override { note_copy(address, CacheState::kInvalid); }
    void burst_moves(const tlm::tlm_generic_payload& payload, hw::Cycles now) override;
    [[nodiscard]] bool has_plain_hits() const override {
        return !switches_contexts_ && golden_ == nullptr && observers_.accesses == nullptr &&
               observers_.misses == nullptr;
    }
    void count_plain_hits(const PlainHitCounts& counts) override {
        statistics_.loads += counts.loads;
        statistics_.stores += counts.stores;
    }
    void set_before_line_goes(std::function<void(hw::Cycles)> call) override {
        before_line_goes_ = std::move(call);
    }
    void end_of_cycle(hw::Cycles now) override;

    /// Kind of place that holds bytes of a line; the order in which SharedContents prefers them.
    enum class LinePlace : std::uint8_t {
        kOnlyCopy,  ///< the only copy, in the cache or a transaction buffer
        kPacket,    ///< a packet with the only bytes that are newer than memory's, or equal ones
        kToMemory,  ///< a returned line that waits for the memory port
        kCopy,      ///< bytes that memory or another place has, too
    };
    [[nodiscard]] static LinePlace place_of(Packet packet) {
        return packet == Packet::kReadData ? LinePlace::kCopy : LinePlace::kPacket;
    }
    /// Calls visit(place, bytes) for each place of this controller and its cache that holds bytes
    /// of the line. Packets in queues and in the network are not included. The visitor may change
    /// the bytes, except those of packets that software has saved (has_saved).
    void visit_line(std::uint64_t line,
                    const std::function<void(LinePlace, std::uint8_t* bytes)>& visit);
    /// True if software of an overflow trap has saved a packet with the line.
    [[nodiscard]] bool has_saved(std::uint64_t line) const;
    /// True while software keeps packets in the input queue, to save them.
    [[nodiscard]] bool holds_packets() const { return holds_packets_.latest(); }
    [[nodiscard]] CacheState state_of(std::uint64_t address);
    [[nodiscard]] const Directory& directory() const { return directory_; }
    [[nodiscard]] const AddressMap& map() const { return map_; }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    [[nodiscard]] const Coverage& coverage() const { return coverage_; }
    /// The fault that stops the run; null if there is none.
    [[nodiscard]] std::exception_ptr fault() const { return fault_; }

    /// Cycle since which a request for the line, or a fetch-and-op in it, has had no answer; empty
    /// if there is none.
    [[nodiscard]] std::optional<hw::Cycles> asked_since(std::uint64_t line) const;
    /// Starts to count progress; call between cycles. Results do not depend on the counts.
    ProgressWatch& watch() {
        if (!watch_) {
            watch_ = std::make_unique<ProgressWatch>();
        }
        return *watch_;
    }
    void stop_watching() { watch_.reset(); }

  private:
    static constexpr std::size_t kLineBytes = kSharedLineBytes.count();
    static constexpr int kPorts = 2;
    static constexpr std::size_t kFetchPort = kPorts;  // index behind the core's ports
    static constexpr std::size_t kServedKept = 256;
    using LineBytes = std::array<std::uint8_t, kLineBytes>;
    // Contents of a line.
    struct Contents {
        LineBytes bytes{};
        std::uint8_t empty_words = 0;  // full/empty bits; a bit is set for an empty word
    };
    // The copy that an access is performed on.
    struct Copy {
        std::uint8_t* bytes;
        std::uint8_t* empty_words;
    };

    // Progress of a fetch-and-op.
    struct Fetch {
        std::int32_t context = 0;
        bool is_asked = false;
        bool is_back = false;  // the answer has come, with the word
    };
    // A packet without a line that would take or share a line, put off until the line's use.
    struct DeferredPacket {
        Packet packet;
        hw::NodeId from;
        std::optional<std::uint16_t> operand;
    };
    // A transaction buffer: a line, or a fetch-and-op. The operand of a fetch-and-op, and later its
    // result, is the first word of the contents.
    struct Transaction {
        bool is_used = false;
        bool goes_home = false;  // the line's REPM waits to leave, or is in the outbox
        std::uint64_t line = 0;  // line's address
        CacheState state = CacheState::kInvalid;
        Contents contents{};
        bool is_prefetch = false;  // prefetched, and not wanted by an access since
        hw::Cycles ask_at = hw::kNever;
        hw::Cycles begun{0};
        // Acknowledgements still to come to this node; negative if some arrived before the grant
        // with their number.
        std::int32_t to_come = 0;
        std::optional<Fetch> fetch{};
        std::optional<DeferredPacket> deferred{};  // packet that waits for the line's use
        std::int64_t refusals = 0;                 // number of refusals of the line's request
    };
    struct Arrived {
        Packet packet = Packet::kBusy;
        std::uint64_t line = 0;
        hw::NodeId from;
        Contents contents{};
        std::optional<std::uint16_t> operand{};
    };
    // A fetch-and-op that this home has to perform, not before `from`.
    struct WaitingFetch {
        Arrived arrived;
        hw::Cycles from;
    };
    // A packet for another node, and the cycle from which it waits.
    struct Posted {
        hw::ProtocolPacket packet;
        hw::Cycles posted;
    };
    // A packet that software has asked to send.
    struct ToSend {
        std::uint64_t line;
        Directory::Sent sent;
    };
    // The packet that the home serves; its answers are in answers_.
    struct Service {
        Arrived arrived;
        std::size_t next = 0;     // index in answers_ of the next packet
        hw::Cycles next_at{0};    // cycle in which that packet may leave
        hw::Cycles line_at{0};    // cycle in which the line's bytes have been read
        bool is_at_port = false;  // the line's burst is at the memory port
        hw::Cycles since{0};
    };
    // An access that waits. Its payload does not change before the answer, except for the bytes.
    struct Access {
        explicit Access(tlm::tlm_generic_payload& its_payload)
            : payload(&its_payload),
              line(line_of(its_payload.get_address())),
              context(context_of(its_payload)),
              event(its_payload.is_write() ? CacheEvent::kStore : CacheEvent::kLoad),
              fetches(CoherenceController::fetches(its_payload)),
              prefetches(is_prefetch(its_payload)) {}

        tlm::tlm_generic_payload* payload;
        std::uint64_t line;
        std::int32_t context;
        CacheEvent event;
        bool fetches;
        bool prefetches;
        bool is_withdrawn = false;
        bool holds_core = false;
        bool waits_for_packet = false;  // only a packet for the line can change the outcome
    };
    // History of a context's unfinished access.
    struct AccessHistory {
        std::uint64_t line = 0;
        bool has_missed = false;
    };
    // A withdrawn access, which is the next access of its context.
    struct Withdrawn {
        std::uint64_t line = 0;
        std::int32_t context = 0;
        bool is_write = false;
        bool holds_core = false;
    };

    [[nodiscard]] hw::ClockDomain& domain() const { return caches_.domain(); }
    [[nodiscard]] static std::uint64_t line_of(std::uint64_t address) {
        return address - address % kLineBytes;
    }
    // Returns the first buffer in use that satisfies the condition; null if there is none.
    template <class Condition>
    [[nodiscard]] const Transaction* first_used(const Condition& condition) const {
        const Transaction* buffer = transactions_.data();
        for (std::size_t left = buffers_in_use_; left > 0; ++buffer) {
            if (!buffer->is_used) {
                continue;
            }
            if (condition(*buffer)) {
                return buffer;
            }
            --left;
        }
        return nullptr;
    }
    template <class Condition>
    [[nodiscard]] Transaction* first_used(const Condition& condition) {
        return const_cast<Transaction*>(std::as_const(*this).first_used(condition));
    }
    // Calls the action for each buffer in use. The action takes and frees no buffer.
    template <class Action>
    void for_used(const Action& action) {
        std::size_t left = buffers_in_use_;
        for (Transaction* buffer = transactions_.data(); left > 0; ++buffer) {
            if (buffer->is_used) {
                action(*buffer);
                --left;
            }
        }
    }
    [[nodiscard]] Transaction* transaction_of(std::uint64_t line);
    [[nodiscard]] Transaction* free_buffer();
    [[nodiscard]] Transaction* spare_buffer();
    void take_buffer(Transaction& buffer, const Transaction& use);
    void free(Transaction& buffer) {
        buffer.is_used = false;
        --buffers_in_use_;
    }
    [[nodiscard]] CacheState state_in_cache(std::uint64_t address);
    [[nodiscard]] CacheArray::Line* cached(std::uint64_t address);
    [[nodiscard]] Copy copy_in(CacheArray::Line& line);
    [[nodiscard]] Contents contents_of(CacheArray::Line& line);
    [[nodiscard]] static bool fetches(const tlm::tlm_generic_payload& payload);
    [[nodiscard]] static bool is_prefetch(const tlm::tlm_generic_payload& payload);
    [[nodiscard]] static std::int32_t context_of(const tlm::tlm_generic_payload& payload);
    [[nodiscard]] hw::Cycles hit_cycles(const tlm::tlm_generic_payload& payload) const;

    [[nodiscard]] static bool is_register(std::uint64_t address) {
        return address >= WEIR_COHERENCE_BASE &&
               address < WEIR_COHERENCE_BASE + WEIR_COHERENCE_BYTES;
    }

    // Reports to observers.
    void note_sent(const Directory::Sent& sent, std::uint64_t line);
    void note_refusal(Transaction& transaction);
    void note_begin(const Transaction& buffer, Packet request, hw::Cycles now) const;
    void note_service(const Arrived& arrived, hw::NodeId requester,
                      const Directory::Outcome& outcome, hw::Cycles now) const;
    void note_copy(std::uint64_t line, CacheState state) const {
        if (observers_.lines != nullptr) {
            observers_.lines->is_in_cache(node_, line, state, domain().now());
        }
    }
    void note_entry(std::uint64_t line);
    void note_words(const tlm::tlm_generic_payload& payload, const LineBytes& before,
                    const std::uint8_t* line);
    void note_bit(const tlm::tlm_generic_payload& payload);
    void note_access(std::int64_t context, std::uint64_t address, std::int64_t loaded,
                     std::int64_t stored);

    // Interface of software.
    void access_register(tlm::tlm_generic_payload& payload);
    [[nodiscard]] std::uint32_t read_register(std::uint32_t address);
    [[nodiscard]] bool write_register(std::uint32_t address, std::uint32_t value);
    [[nodiscard]] bool write_state(std::uint32_t value);
    [[nodiscard]] std::uint32_t held_packet() const;
    [[nodiscard]] bool shows_packets() const;
    [[nodiscard]] bool raises_trap() const;
    void return_packet(std::uint32_t what);
    [[nodiscard]] std::optional<std::uint32_t> read_free_register(std::uint32_t address) const;
    [[nodiscard]] bool write_free_register(std::uint32_t address, std::uint32_t value);

    // Accesses of the processor.
    void perform(tlm::tlm_generic_payload& payload, Copy copy);
    void use_bit(tlm::tlm_generic_payload& payload, std::uint8_t& empty_words);
    void try_access(int port, hw::Cycles now);
    bool use(Access& access, hw::Cycles now);
    const CacheTransition& transition(CacheState state, CacheEvent event);
    void prefetch(const Access& access, hw::Cycles now);
    void begin_transaction(Transaction& buffer, std::uint64_t line, const CacheTransition& row,
                           hw::Cycles now);
    CacheArray::Line* move_to_cache(Transaction& transaction, hw::Cycles now);
    void empty_a_buffer(hw::Cycles now);
    [[nodiscard]] bool is_kept(const Transaction& transaction) const;
    [[nodiscard]] bool puts_off(const Arrived& arrived);
    void take_up_put_off(hw::Cycles now);
    void note_access_of_thread(Access& access);
    void ask(Access& access, CacheState state, const CacheTransition& row, hw::Cycles now);
    // True if the access is left unfinished while its line depends on another node.
    [[nodiscard]] bool may_be_left(const Access& access) const {
        return access.is_withdrawn || switches_from(access);
    }
    // True if the core switches contexts instead of waiting for the access.
    [[nodiscard]] bool switches_from(const Access& access) const {
        return switches_contexts_ && !access.holds_core && has_thread(access.context);
    }
    void leave_unfinished(int port);
    void answer(int port, hw::Cycles delay);
    [[nodiscard]] bool waits_for_another(std::uint64_t line);
    [[nodiscard]] bool has_thread(std::int32_t context) const {
        return static_cast<std::size_t>(context) < histories_.size();
    }
    [[nodiscard]] AccessHistory& history_of(std::int32_t context);
    void has_gone_home(std::uint64_t line);

    // Fetch-and-op, at the requester and at the home.
    [[nodiscard]] Transaction* fetch_of(std::int32_t context);
    void try_fetch(int port, hw::Cycles now);
    void begin_fetch(const Access& access, hw::Cycles now);
    void ask_home_to_fetch(Transaction& transaction, hw::Cycles now);
    void fetch_returns(const Arrived& arrived, hw::Cycles now);
    void take_fetch(const Arrived& arrived, hw::Cycles now);
    void go_on_with_fetches(hw::Cycles now);
    [[nodiscard]] std::array<std::uint8_t, WEIR_WORD_BYTES> fetch_result_of(
        hw::FetchOperation operation, const std::uint8_t* word, const std::uint8_t* operand) const;

    // Accesses of DMA engines.
    [[nodiscard]] bool has_newest(std::uint64_t line, std::span<std::uint8_t> bytes);
    void require_in_reach(std::uint64_t address, bool is_write, hw::Cycles now);
    void dma_reads(std::uint64_t address, std::span<std::uint8_t> bytes);
    void dma_writes(std::uint64_t address, std::span<const std::uint8_t> bytes);
    void note_dma(std::uint64_t address, std::span<const std::uint8_t> bytes, bool is_write);

    // Packets.
    void send(const Directory::Sent& sent, std::uint64_t line, const Contents& contents,
              hw::Cycles now);
    [[nodiscard]] hw::NodeId requester_of(const Directory::Sent& sent, std::uint64_t line);
    void send_home(Packet packet, std::uint64_t line, const Contents& contents, hw::Cycles now) {
        send({packet, map_.home_of(line)}, line, contents, now);
    }
    void cache_receives(const Arrived& arrived, hw::Cycles now);
    [[nodiscard]] static std::int32_t count_acknowledgements(const Arrived& arrived,
                                                             Transaction* transaction);
    Contents give_up(std::uint64_t line, CacheState before, CacheState after);
    void take_up(Transaction& transaction, const Arrived& arrived);
    void note_answer(Transaction& transaction, CacheState before, hw::Cycles now);
    [[nodiscard]] hw::Cycles pause_after_busy();
    void ask_later(Transaction& transaction, hw::Cycles delay, hw::Cycles now);
    void ask_homes(hw::Cycles now);
    void serve(hw::Cycles now);
    bool take_next(hw::Cycles now);
    void home_receives(const Arrived& arrived, hw::Cycles now);
    void begin_service(const Arrived& arrived, hw::Cycles now);
    void begin_service_of_software(hw::Cycles now);
    void occupy(const Service& service, DirectoryEntry& entry, bool stores_line, hw::Cycles now);
    bool go_on_with_service(hw::Cycles now);
    tlm::tlm_sync_enum burst_granted(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
    void ask_port(tlm::tlm_command command, std::uint64_t line);
    void wake_at(hw::Cycles cycle, hw::Cycles now);
    void stop_with_fault();
    [[noreturn]] void refuse(const Arrived& arrived, const std::string& state,
                             hw::Cycles now) const;

    CacheHierarchy& caches_;
    hw::MessageController* messages_ = nullptr;
    hw::NodeId node_;
    std::uint64_t private_bytes_;
    AddressMap map_;
    Directory directory_;
    bool is_all_in_software_;
    hw::Cycles load_cycles_;
    hw::Cycles store_cycles_;
    hw::Cycles double_cycles_;
    hw::Cycles miss_cycles_;
    hw::Cycles directory_cycles_;
    hw::Cycles invalidate_cycles_;
    hw::Cycles cache_cycles_;
    hw::Cycles busy_cycles_;
    hw::Cycles busy_spread_cycles_;
    hw::RandomStream pauses_;
    Coverage coverage_;
    bool switches_contexts_;
    bool thrashlock_;
    bool trap_turns_;
    bool has_fetch_and_op_;
    bool is_big_endian_;
    GoldenMemory* golden_;
    CoherenceObservers observers_;
    std::function<void(hw::Cycles)> before_line_goes_;
    std::int64_t words_moved_ = 0;  // number of words moved by traced accesses

    std::size_t buffers_;
    // The node's transaction buffers, followed by extra ones for lines that found no free buffer.
    std::vector<Transaction> transactions_;
    std::size_t buffers_in_use_ = 0;
    bool may_have_deferred_ = false;    // a buffer may have a deferred packet
    hw::Cycles next_ask_ = hw::kNever;  // no buffer has a request to send before this cycle
    bool asks_in_this_cycle_ = false;   // a request without delay has to be sent in this cycle
    std::array<std::optional<Access>, kPorts + 1> accesses_;
    std::vector<AccessHistory> histories_;  // one for each context
    AccessHistory history_of_others_;
    std::optional<Withdrawn> withdrawn_;
    std::vector<Arrived> due_;          // packets put off until a line's use, which has happened
    std::deque<WaitingFetch> fetches_;  // fetch-and-ops that this home has to perform, in order
    RefusedRequests refused_fetches_;   // refused requesters, by node and buffer
    tlm::tlm_generic_payload fetch_payload_;
    hw::AccessTag fetch_tag_;
    hw::Cycles fetch_end_ = hw::kNever;  // end of the first of fetches_, once performed
    std::optional<Arrived> inbox_;
    std::deque<Arrived> local_;  // packets from this node's cache to this home
    std::deque<Posted> outbox_;
    hw::ClockedRegister<bool> holds_packets_{false};
    bool takes_packet_ = false;  // software takes the held packet in this cycle
    std::uint32_t packets_saved_ = 0;
    // The saved packets, oldest first, for readers outside the machine. Software has them in its
    // memory, and returns them in this order.
    std::deque<hw::ProtocolPacket> saved_;
    std::array<std::uint32_t, WEIR_MOST_PACKET_WORDS> returned_words_{};
    std::vector<std::uint64_t> left_;  // lines whose REPM entered the output queue in this cycle
    std::optional<Service> service_;
    std::vector<Directory::Sent> answers_;  // packets of service_, in the order in which they leave
    std::deque<Arrived> trapped_;           // packets handed to software, in order
    std::int32_t served_by_trap_ = 0;       // number of packets that the current trap has served
    std::int32_t node_count_;
    std::deque<ToSend> sent_by_software_;
    hw::Cycles free_from_{0};
    tlm::tlm_generic_payload burst_;
    bool is_burst_to_move_ = false;  // the burst waits for the port, or moves after the ticks
    // The last packets that this home served, for the report of a fault.
    struct Served {
        hw::Cycles cycle;
        std::uint64_t line;
        Packet packet;
        hw::NodeId from;
        HomeState state;
    };
    std::deque<Served> served_;
    std::unique_ptr<ProgressWatch> watch_;  // counts of progress; null while nothing is counted
    std::exception_ptr fault_;
    Statistics statistics_;
};

}  // namespace weir::memory
