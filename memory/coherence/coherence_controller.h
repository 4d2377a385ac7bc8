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

/// A packet came to a state that has no row for it: a fault of the protocol, or of what carries its
/// packets. Says line, state, packet and cycle, and what happened to the line before.
class ProtocolError : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

/// A DMA engine has come to a line of shared memory of which another node has, or may have, a copy
/// that it would not see or not change. Says node, cycle, address and what is accepted.
class DmaFault : public hw::Refusal {
  public:
    using Refusal::Refusal;
};

/// What makes a node's memory a part of one coherent memory: the directory of the lines whose home
/// the node is, and the transaction store of the lines that its own cache waits for.
///
/// A copy lies in the first level of cache, or in a transaction buffer: from the packet that
/// brought it to its first use, and while its node has asked to write it. A line whose request is
/// under way, a line that has come and was not used yet, and a line on its way home each take a
/// buffer; when none is free, an access waits. A line that an access to private memory pushes out
/// of the cache finds a place in any case (assumed), since that may be a trap's, without which the
/// network does not go on.
///
/// An access that finds its copy takes what a hit takes. One that does not asks the line's home
/// l1.miss_cycles later, and ends with a hit when the line has come. While it waits for another
/// node, the core may take an interrupt (it withdraws the access and makes it again), or go on with
/// another context: then the access is answered as not done, and made again when that context's
/// turn comes. With thrashlock, an access whose line has come and gone meanwhile holds the core the
/// next time; its line is then used in the cycle in which it comes.
///
/// With trap_turns, a line that has come stays in its buffer until its use if an access of the core
/// waits for it that goes on with it at once: one that holds the core, or one that an interrupt or
/// a trap has withdrawn and that is made again behind that. A packet that would take the line, or
/// share it, is put off in the buffer meanwhile; it holds up no other packet. At most one line is
/// so kept for the core. Nothing that keeps the core from the access needs a line: neither the
/// coherence trap nor a handler may use shared memory. (The lock of Alewife's thrashlock, and its
/// deferred invalidations, are remembered; that a single context has them, too, is assumed.)
///
/// The home serves one packet at a time: those of its own node first, else the one that has left
/// the input queue. A packet occupies the directory for directory_cycles; memory is read meanwhile,
/// through the memory port, and a reply with the line leaves when both are done. Invalidations
/// leave one every invalidate_cycles. A packet to the cache takes cache_cycles. A packet to the
/// home waits while packets of the one before it are still to enter the output queue.
///
/// Each word of a line has a full/empty bit, which lies with the line: in memory's directory, in a
/// copy, and in the packets that carry the line. All are full at first (assumed). An access may
/// need a state of its word's bit (hw::FullEmptyUse); it sees and changes it in the cycle in which
/// it is performed. One that changes the bit needs the only copy, also if a copy to read could tell
/// that the state is the wrong one (assumed). One of two words uses the first one's bit. In the
/// wrong state nothing happens, and the answer comes without the cycles of a hit, since the core
/// traps.
///
/// A home that forwards (Protocol::kForwarding) sends a request for a line that another node alone
/// has to that node, which answers who asked and tells the home; the home answers BUSY until then.
/// Copies to read are taken for a writer, who counts their acknowledgements itself: it stores to
/// the line when the grant and all of them are there, and has not got the line for others before.
///
/// A DMA engine moves bytes of lines whose home is its own node. It is coherent with this node
/// alone, as Alewife's was (remembered): it reads what memory or the node's own cache has newer,
/// and what it writes goes to both; full/empty bits stay as they are. Where another node's copy
/// would matter, the run ends (DmaFault): at a read, the only one; at a write, any.
///
/// A fetch-and-op (coherence.fetch_and_op; no part of Alewife, so all of it is assumed) is sent to
/// the word's home and takes a transaction buffer until its answer is there, which its core may
/// come for later, as for a line. At the home as many wait as there are transaction buffers; the
/// next one is told to ask again, and is taken before later ones (RefusedRequests). They are done
/// one after the other, in the home's own copy: the home gets the line as for a store of its own,
/// by whatever the protocol asks for, and keeps it until another wants it. So no other access of
/// the word needs to know of them. One takes what a store takes. The line finds a buffer in any
/// case, since fetch-and-ops of this node may have all of them.
///
/// A packet that the directory hands to software (LimitLESS) raises the core's trap; software then
/// works with the registers (memory/coherence/coherence_registers.h), and what it sends goes before
/// the packets that wait.
///
/// In a cycle: all of it happens after the ticks, in the caches' end_of_cycle(), but for accesses
/// that hit, and for lines that leave the cache for a private one.
class CoherenceController final : public sc_core::sc_module,
                                  public hw::ProtocolPort,
                                  public hw::SharedSegment,
                                  public SharedLines {
  public:
    struct Statistics : hw::StatisticsGroup {
        hw::Counter loads{*this, "loads", "Loads from shared memory"};
        hw::Counter stores{*this, "stores",
                           "Stores to shared memory, exchanges included, and loads that "
                           "make their word empty"};
        hw::Counter local_misses{*this, "local_misses", "Lines asked for whose home is here"};
        hw::Counter remote_misses{*this, "remote_misses",
                                  "Lines asked for whose home is elsewhere"};
        hw::Counter upgrades{*this, "upgrades",
                             "Of the misses, stores to a line with a copy here to read"};
        hw::Counter miss_cycles{*this, "miss_cycles",
                                "Cycles from a miss to the line or the grant, summed over misses"};
        hw::Counter busy_replies{*this, "busy_replies", "Requests that the home was too busy for"};
        hw::Counter most_refusals{*this, "most_refusals",
                                  "Largest number of times that one request, or fetch-and-op, of "
                                  "this node was refused before it was served"};
        hw::Counter prefetches{*this, "prefetches", "Lines that prefetches asked for"};
        hw::Counter late_prefetches{*this, "late_prefetches",
                                    "Of them, lines that were wanted before they had come"};
        hw::Counter useless_prefetches{
            *this, "useless_prefetches",
            "Prefetches that asked for nothing: the line was here or under way, or no buffer free"};
        hw::Counter copies_lost{*this, "copies_lost", "Copies that were taken for another node"};
        hw::Counter unused_lines{*this, "unused_lines",
                                 "Of them, lines that had come and were not used yet"};
        hw::Counter packets_put_off{
            *this, "packets_put_off",
            "Packets for a line here that waited until the line's first use"};
        hw::Counter held_accesses{*this, "held_accesses",
                                  "Accesses that held the core since their line was lost before"};
        hw::Counter full_empty_accesses{*this, "full_empty_accesses",
                                        "Accesses by full/empty bits, as often as they were made"};
        hw::Counter wrong_states{*this, "wrong_states",
                                 "Of them, those that found their word full, or empty, and needed "
                                 "the other"};
        hw::Counter lines_sent_home{*this, "lines_sent_home",
                                    "Lines that left the cache for another, and were changed"};
        hw::Counter requests_served{*this, "requests_served", "Requests to this home"};
        hw::Counter invalidations_sent{*this, "invalidations_sent",
                                       "Copies that this home had taken"};
        hw::Counter forwarded_requests{
            *this, "forwarded_requests",
            "Requests that this home forwarded to the node that has the only copy"};
        hw::Counter fetches{*this, "fetches", "Fetch-and-ops that were sent to their homes"};
        hw::Counter fetch_cycles{
            *this, "fetch_cycles",
            "Cycles from a fetch-and-op's begin to its answer, summed over them"};
        hw::Counter fetches_put_off{*this, "fetches_put_off",
                                    "Fetch-and-ops that found too many waiting at their homes"};
        hw::Counter fetches_done{*this, "fetches_done", "Fetch-and-ops that this home has done"};
        hw::Counter traps{*this, "traps", "Packets that this home handed to software"};
        hw::Counter dma_bursts{*this, "dma_bursts",
                               "Bursts of DMA engines to and from lines of this home"};
        hw::Counter home_busy_cycles{*this, "home_busy_cycles",
                                     "Cycles this home worked for packets"};
    };

    /// Which cells of the protocol's tables it has used: by state, a bit for each event, or for
    /// each packet to memory. Copies to read that leave the cache for another line do so unseen.
    struct Coverage {
        hw::PerEnumerator<CacheState, std::uint32_t, kCacheStates> cache{};
        hw::PerEnumerator<HomeState, std::uint32_t, kHomeStates> home{};
    };

    /// What a node is to it.
    struct Surroundings {
        hw::NodeId node;
        std::uint64_t seed = 1;
        std::int32_t node_count = 0;
        std::int64_t contexts = 1;
        const NodeMemory::Parameters& memory;
        hw::Cycles miss_cycles;          ///< of the first level
        bool is_big_endian = false;      ///< words, in memory
        GoldenMemory* golden = nullptr;  ///< if loads are to be compared
        CoherenceObservers observers{};
    };

    CoherenceController(const sc_core::sc_module_name& name, CacheHierarchy& caches,
                        const CoherenceParameters& parameters, const Surroundings& surroundings);
    ~CoherenceController() override;

    tlm_utils::simple_initiator_socket<CoherenceController> port_socket{"port_socket"};

    /// The controller whose queues its packets use; before the run.
    void connect_messages(hw::MessageController& controller) { messages_ = &controller; }

    // ProtocolPort
    [[nodiscard]] bool may_receive() const override {
        return !inbox_ && !holds_packets_.read(domain().now());
    }
    void receive(const hw::ProtocolPacket& packet) override;
    [[nodiscard]] const hw::ProtocolPacket* to_send() const override {
        const bool has_one = !outbox_.empty() && outbox_.front().posted < domain().now();
        return has_one ? &outbox_.front().packet : nullptr;
    }
    void sent() override;

    // SharedSegment
    [[nodiscard]] bool is_shared(std::uint32_t address) const override {
        return address >= kSharedBase && !is_register(address);
    }
    [[nodiscard]] std::optional<std::string> absent(std::uint32_t address,
                                                    hw::Bytes bytes) const override;
    [[nodiscard]] std::uint64_t dram_address(std::uint32_t address) const override {
        return private_bytes_ + map_.offset_of(address);
    }

    // SharedLines
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

    /// Whether this node alone has the line's bytes, in its cache or on their way home; they are
    /// then copied to `bytes`. What the home is still to write to memory is not looked at.
    [[nodiscard]] bool has_newest(std::uint64_t line_address, std::span<std::uint8_t> bytes);
    [[nodiscard]] CacheState state_of(std::uint64_t address);
    [[nodiscard]] const Directory& directory() const { return directory_; }
    [[nodiscard]] const AddressMap& map() const { return map_; }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    [[nodiscard]] const Coverage& coverage() const { return coverage_; }
    /// What went wrong; the run stops then.
    [[nodiscard]] std::exception_ptr fault() const { return fault_; }

    /// Since when a request for the line, or a fetch-and-op to it, is not answered.
    [[nodiscard]] std::optional<hw::Cycles> asked_since(std::uint64_t line) const;
    /// Between cycles: counts progress from now on. No result depends on it.
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
    static constexpr std::size_t kFetchPort = kPorts;  // behind the core's
    static constexpr std::size_t kServedKept = 256;
    using LineBytes = std::array<std::uint8_t, kLineBytes>;
    // What a line holds.
    struct Contents {
        LineBytes bytes{};
        std::uint8_t empty_words = 0;  // its full/empty bits
    };
    // A copy in which an access takes place.
    struct Copy {
        std::uint8_t* bytes;
        std::uint8_t* empty_words;
    };

    // What an access whose word is changed at its home has come to.
    struct Fetch {
        std::int32_t context = 0;
        bool is_asked = false;
        bool is_back = false;  // and its word has come
    };
    // A packet that would take a line, or share it; it carries none.
    struct PutOff {
        Packet packet;
        hw::NodeId from;
        std::optional<std::uint16_t> operand;
    };
    // A line of which a transaction buffer has something; or a fetch-and-op, whose operand, and
    // then word, is the first of the contents.
    struct Transaction {
        bool is_used = false;
        bool goes_home = false;  // REPM is to leave, or is in the outbox
        std::uint64_t line = 0;  // its address
        CacheState state = CacheState::kInvalid;
        Contents contents{};
        bool is_prefetch = false;  // and nobody has wanted the line since
        hw::Cycles ask_at = hw::kNever;
        hw::Cycles begun{0};
        // Acknowledgements that come to this node itself: less than 0 before the grant that says
        // how many there are.
        std::int32_t to_come = 0;
        std::optional<Fetch> fetch{};
        std::optional<PutOff> put_off{};  // until the line's use
        std::int64_t refusals = 0;        // of its request
    };
    struct Arrived {
        Packet packet = Packet::kBusy;
        std::uint64_t line = 0;
        hw::NodeId from;
        Contents contents{};
        std::optional<std::uint16_t> operand{};
    };
    // A fetch-and-op that the home is to do, from then on.
    struct WaitingFetch {
        Arrived arrived;
        hw::Cycles from;
    };
    // A packet for another node, and the cycle since which it waits.
    struct Posted {
        hw::ProtocolPacket packet;
        hw::Cycles posted;
    };
    // What software wants sent.
    struct ToSend {
        std::uint64_t line;
        Directory::Sent sent;
    };
    // The packet that the home works on.
    struct Service {
        Arrived arrived;
        std::vector<Directory::Sent> sent{};
        std::size_t next = 0;     // of sent
        hw::Cycles next_at{0};    // when that may leave
        hw::Cycles line_at{0};    // when its bytes are here
        bool is_at_port = false;  // its burst is
        hw::Cycles since{0};
    };
    struct Access {
        tlm::tlm_generic_payload* payload = nullptr;
        hw::Cycles issued{0};
        bool is_withdrawn = false;
        bool holds_core = false;
    };
    // What a context's unfinished access has met.
    struct Tried {
        std::uint64_t line = 0;
        bool has_missed = false;
    };
    // An access that was withdrawn, and is the next one that its context makes.
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
    [[nodiscard]] Transaction* transaction_of(std::uint64_t line);
    [[nodiscard]] Transaction* free_buffer();
    [[nodiscard]] Transaction* spare_buffer();
    void take_buffer(Transaction& buffer, const Transaction& use);
    [[nodiscard]] CacheArray::Line* cached(std::uint64_t address);
    [[nodiscard]] Copy copy_in(CacheArray::Line& line);
    [[nodiscard]] Contents contents_of(CacheArray::Line& line);
    [[nodiscard]] static bool is_prefetch(const tlm::tlm_generic_payload& payload);
    [[nodiscard]] static std::int32_t context_of(const tlm::tlm_generic_payload& payload);
    [[nodiscard]] hw::Cycles hit_cycles(const tlm::tlm_generic_payload& payload) const;

    [[nodiscard]] static bool is_register(std::uint64_t address) {
        return address >= WEIR_COHERENCE_BASE &&
               address < WEIR_COHERENCE_BASE + WEIR_COHERENCE_BYTES;
    }

    // What observers are told.
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

    // Software's side.
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

    // The processor's side.
    void perform(tlm::tlm_generic_payload& payload, Copy copy);
    void use_bit(tlm::tlm_generic_payload& payload, std::uint8_t& empty_words);
    void try_access(int port, hw::Cycles now);
    bool use(Access& access, hw::Cycles now);
    const CacheTransition& transition(CacheState state, CacheEvent event);
    void prefetch(const tlm::tlm_generic_payload& payload, hw::Cycles now);
    void begin_transaction(Transaction& buffer, std::uint64_t line, const CacheTransition& row,
                           hw::Cycles now);
    CacheArray::Line* move_to_cache(Transaction& transaction, hw::Cycles now);
    void empty_a_buffer(hw::Cycles now);
    [[nodiscard]] bool is_kept(const Transaction& transaction) const;
    [[nodiscard]] bool puts_off(const Arrived& arrived);
    void take_up_put_off(hw::Cycles now);
    void note_access_of_thread(Access& access);
    void ask(Access& access, CacheState state, const CacheTransition& row, hw::Cycles now);
    void leave_unfinished(int port);
    void answer(int port, hw::Cycles delay);
    [[nodiscard]] bool waits_for_another(std::uint64_t line);
    [[nodiscard]] bool has_thread(std::int32_t context) const {
        return static_cast<std::size_t>(context) < tried_.size();
    }
    [[nodiscard]] Tried& tried_of(const tlm::tlm_generic_payload& payload);
    void has_gone_home(std::uint64_t line);

    // Fetch-and-op: the processor's side, and the home's.
    [[nodiscard]] Transaction* fetch_of(std::int32_t context);
    void try_fetch(int port, hw::Cycles now);
    void begin_fetch(const tlm::tlm_generic_payload& payload, hw::Cycles now);
    void ask_home_to_fetch(Transaction& transaction, hw::Cycles now);
    void fetch_returns(const Arrived& arrived, hw::Cycles now);
    void take_fetch(const Arrived& arrived, hw::Cycles now);
    void go_on_with_fetches(hw::Cycles now);
    [[nodiscard]] std::array<std::uint8_t, WEIR_WORD_BYTES> fetch_result_of(
        hw::FetchOperation operation, const std::uint8_t* word, const std::uint8_t* operand) const;

    // DMA engines.
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
    void occupy(const Service& service, bool stores_line, hw::Cycles now);
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
    std::int64_t words_moved_ = 0;  // of accesses that are traced

    std::size_t buffers_;
    // Behind the buffers, lines that a private one has pushed out of the cache when none was free.
    std::vector<Transaction> transactions_;
    bool asks_in_this_cycle_ = false;  // a miss without delay does
    std::array<std::optional<Access>, kPorts + 1> accesses_;
    std::vector<Tried> tried_;  // by context
    Tried tried_by_others_;
    std::optional<Withdrawn> withdrawn_;
    std::vector<Arrived> due_;          // put off until a line's use, which has been
    std::deque<WaitingFetch> fetches_;  // that this home is to do, in order
    RefusedRequests refused_fetches_;   // by node and buffer
    tlm::tlm_generic_payload fetch_payload_;
    hw::AccessTag fetch_tag_;
    hw::Cycles fetch_end_ = hw::kNever;  // of the first of them, which is done
    std::optional<Arrived> inbox_;
    std::deque<Arrived> local_;  // from this node's cache to this home
    std::deque<Posted> outbox_;
    hw::ClockedRegister<bool> holds_packets_{false};
    bool takes_packet_ = false;  // software does, in this cycle
    std::uint32_t packets_saved_ = 0;
    std::array<std::uint32_t, WEIR_MOST_PACKET_WORDS> returned_words_{};
    std::vector<std::uint64_t> left_;  // lines that went into the output queue in this cycle
    std::optional<Service> service_;
    std::deque<Arrived> trapped_;      // handed to software, in order
    std::int32_t served_by_trap_ = 0;  // of them, by the trap under way
    std::int32_t node_count_;
    std::deque<ToSend> sent_by_software_;
    hw::Cycles free_from_{0};
    tlm::tlm_generic_payload burst_;
    // The last packets that this home has served, for the report of a fault.
    struct Served {
        hw::Cycles cycle;
        std::uint64_t line;
        Packet packet;
        hw::NodeId from;
        HomeState state;
    };
    std::deque<Served> served_;
    std::unique_ptr<ProgressWatch> watch_;  // null: nothing is counted
    std::exception_ptr fault_;
    Statistics statistics_;
};

}  // namespace weir::memory
