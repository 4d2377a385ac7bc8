#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <systemc>
#include <vector>

#include "hw/clock/clock_domain.h"
#include "hw/statistics.h"
#include "hw/target_socket.h"
#include "hw/units.h"
#include "memory/cache_array.h"
#include "memory/cache_parameters.h"
#include "memory/coherence/shared_lines.h"
#include "memory/hit_port.h"
#include "memory/node_memory.h"
#include "memory/tlb.h"

namespace weir::memory {

/// Caches and TLB of a node, between its processors and its memory port.
///
/// TLM-2.0 sockets:
/// - bus_socket (the core's) and handler_bus_socket (a protocol processor's): nb_transport_fw takes
///   a load or store of 1, 2, 4 or 8 bytes. It is answered at once (TLM_COMPLETED) if no line has
///   to come from memory; otherwise it is accepted, and answered later with BEGIN_RESP.
///   transport_dbg reads and changes the bytes that a processor would see, without cycles.
/// - port_socket requests bursts from the memory port, one at a time.
/// - snoop_socket sees every burst that the port grants, also those of DMA engines, and passes it
///   on to the DRAM by dram_socket.
///
/// An access takes the TLB's walk, if there is one, and is looked up in the first level. A hit
/// takes memory.load_cycles or store_cycles. A miss requests the line from the next level
/// miss_cycles later. Each further level takes a request every busy_cycles, and answers
/// access_cycles later. After the last level, the memory port is asked for the line. When the
/// line's last byte has arrived, the line is in all levels that missed, and the access ends with
/// the time of a hit.
///
/// A line in flight occupies a miss register at each level that missed, and further misses to the
/// line wait for it. The line to replace is chosen when the request leaves; a dirty one goes into
/// the write buffer. From there, a write to the next level takes one of that level's requests, and
/// a write to memory takes a burst. A line written back by an inner level changes the copy of this
/// level, which does not count as a use. If this level has no copy, the line goes on to the next
/// level, and needs room in this level's write buffer, too. The memory port serves fetches before
/// writes, unless the write buffer is full or contains the line to fetch. An access without a free
/// miss register, a replaceable line or room in a write buffer is looked up again when there is
/// one.
///
/// A DMA engine's read returns dirty data of caches and write buffers. Its write removes the lines
/// from all levels, or changes them (memory.dma_stores). Other dirty bytes of a removed line are
/// written back.
///
/// Lines of shared memory (connect_shared) are in the first level only. The coherence controller
/// fills and removes them, and performs their accesses. A shared line is dirty when no other node
/// has a copy. It is no hit for HitPort, and instructions are not fetched from it.
///
/// In a cycle: processors' accesses act at once, in the tick of the requester. After all ticks, the
/// burst granted in this cycle moves, and the coherence controller acts. Then waiting accesses are
/// looked up again, and the memory port is asked.
class CacheHierarchy final : public sc_core::sc_module, public hw::ClockedPart, public HitPort {
  public:
    struct LevelStatistics : hw::StatisticsGroup {
        hw::Counter loads{*this, "loads",
                          "Cache lookups for loads, or for lines that the previous level requests"};
        hw::Counter stores{*this, "stores", "Cache lookups for stores"};
        hw::Counter load_misses{*this, "load_misses", "Load lookups that requested a line"};
        hw::Counter store_misses{*this, "store_misses", "Store lookups that missed"};
        hw::Counter merged_misses{*this, "merged_misses",
                                  "Lookups that waited for a line already in flight"};
        hw::Counter evictions{*this, "evictions", "Lines replaced by another line"};
        hw::Counter write_backs{*this, "write_backs", "Dirty lines written to the next level"};
        hw::Counter write_throughs{*this, "write_throughs", "Stores sent on to the next level"};
        hw::Counter prefetches{*this, "prefetches", "Lines prefetched"};
        hw::Counter useful_prefetches{*this, "useful_prefetches",
                                      "Prefetched lines that were used"};
        hw::Counter invalidations{*this, "invalidations",
                                  "Lines removed by a DMA engine's stores or by inclusion"};
    };
    struct Statistics : hw::StatisticsGroup {
        hw::Counter stall_cycles{*this, "stall_cycles",
                                 "Cycles of the thread's accesses beyond a hit"};
        hw::Counter handler_stall_cycles{
            *this, "handler_stall_cycles",
            "Cycles of accesses beyond a hit, by handlers on a protocol processor"};
        hw::Counter retries{
            *this, "retries",
            "Accesses looked up again for lack of a miss register, line or write-buffer entry"};
        hw::Counter snooped_bursts{*this, "snooped_bursts",
                                   "Bursts of DMA engines that the caches snooped"};
    };
    struct PartParameters {
        const CacheParameters& caches;
        std::size_t levels;
        const NodeMemory::Parameters& memory;
        ///< parameters of a separate instruction cache; null: instructions share l1
        const CacheLevelParameters* instructions = nullptr;
    };

    /// There must be at least one level, and the parameters must have passed their check(). `seed`
    /// and `node` determine random replacement.
    CacheHierarchy(const sc_core::sc_module_name& name, hw::ClockDomain& domain,
                   const PartParameters& parameters, std::uint64_t seed, hw::NodeId node);

    hw::TargetSocket<CacheHierarchy, int> bus_socket{"bus_socket"};
    hw::OptionalTargetSocket<CacheHierarchy, int> handler_bus_socket{"handler_bus_socket"};
    hw::OptionalTargetSocket<CacheHierarchy, int> instruction_socket{"instruction_socket"};
    tlm_utils::simple_initiator_socket<CacheHierarchy> port_socket{"port_socket"};
    hw::TargetSocket<CacheHierarchy> snoop_socket{"snoop_socket"};
    tlm_utils::simple_initiator_socket<CacheHierarchy> dram_socket{"dram_socket"};

    void tick(hw::Cycles now) override;
    void end_of_cycle(hw::Cycles now) override;

    Hit hit(Side side, std::uint64_t address, unsigned bytes, bool is_store,
            hw::Cycles at) override;
    [[nodiscard]] bool is_settled() const override { return fetches_.empty() && waiting_.empty(); }

    /// Connects the coherence controller, and the bytes of shared memory in the DRAM after the
    /// private ones; call before the run.
    void connect_shared(SharedLines& shared, hw::Bytes bytes) {
        shared_ = &shared;
        dram_bytes_ += static_cast<std::uint64_t>(bytes.count());
    }
    /// The coherence controller; null without shared memory.
    [[nodiscard]] SharedLines* shared_lines() { return shared_; }
    // Functions that the coherence controller calls in its end_of_cycle() and in accesses that it
    // receives.
    [[nodiscard]] CacheArray& first_level() { return levels_.front()->array; }
    /// Makes room in the first level for the line of a shared address. The caller writes the bytes.
    /// Returns null while there is no room.
    [[nodiscard]] CacheArray::Line* place_for_shared(std::uint64_t address, hw::Cycles now);
    /// Ends an access that was accepted.
    void answer_shared(int port, tlm::tlm_generic_payload& payload, hw::Cycles delay);

    [[nodiscard]] bool has_plain_hits() {
        const CacheArray& fetched = first_level(kInstructions).array;
        return !tlb_.translates() && first_->array.is_direct_mapped() &&
               fetched.is_direct_mapped() &&
               fetched.line_bytes() >= DirectMappedLines::kFetchedBytes;
    }
    [[nodiscard]] DirectMappedLines plain_instructions() {
        return first_level(kInstructions).array.direct_mapped_lines(false);
    }
    [[nodiscard]] DirectMappedLines plain_data() {
        return first_->array.direct_mapped_lines(first_->writes_back);
    }
    void count_plain_hits(const PlainHitCounts& counts) {
        first_level(kInstructions).statistics.loads += counts.fetches;
        first_->statistics.loads += counts.loads;
        first_->statistics.stores += counts.stores;
    }

    void add_statistics(std::vector<hw::PartStatistics>& statistics) const;
    [[nodiscard]] const LevelStatistics& level_statistics(std::size_t level) const {
        return levels_[level]->statistics;
    }
    [[nodiscard]] const LevelStatistics& instruction_statistics() const {
        return instructions_->statistics;
    }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

  private:
    static constexpr int kCore = 0;
    static constexpr int kHandler = 1;
    static constexpr int kInstructions = 2;
    // A line in flight to a level.
    struct MissRegister {
        std::uint64_t block;
        hw::Cycles free_from;  // cycle in which it is free; kNever until the line comes from memory
        bool operator<(const MissRegister& other) const { return free_from < other.free_from; }
    };
    // A level with its outstanding requests.
    struct Level {
        Level(const CacheLevelParameters& level_parameters, const hw::RandomStream& random,
              std::string level_name);

        const CacheLevelParameters& parameters;
        CacheArray array;
        std::uint64_t line_bytes;
        bool writes_back;
        Level* next = nullptr;       // null: memory follows
        std::vector<Level*> before;  // inner levels, the nearest one first
        hw::Cycles busy_until;
        std::vector<MissRegister> registers;
        std::deque<hw::Cycles> write_buffer;  // cycle in which each entry for the next level leaves
        std::string name;
        LevelStatistics statistics;
    };
    // A processor's load or store that waits.
    struct Access {
        tlm::tlm_generic_payload* payload = nullptr;
        int port = kCore;
        hw::Cycles issued;
        hw::Cycles look_up;  // cycle of the lookup, after the TLB's walk
    };
    // Effect at a level when a line comes from memory; in the order of the requests.
    struct Target {
        Level* level = nullptr;
        std::uint64_t address = 0;
        bool fills = false;                     // true: the level is filled with the line
        std::vector<std::uint8_t> stored = {};  // no access: bytes to store into the line
        std::optional<Access> access = {};      // else this access, if any, is performed
    };
    // A line of the last level in flight from memory.
    struct Fetch {
        std::uint64_t address = 0;
        hw::Cycles issue;
        std::vector<std::uint8_t> data;
        std::vector<Target> targets;
        tlm::tlm_generic_payload payload;
    };
    // A write in flight to memory.
    struct Write {
        std::uint64_t address = 0;
        hw::Cycles issue;
        std::vector<std::uint8_t> data;
        tlm::tlm_generic_payload payload;
    };
    struct FetchReason {
        hw::Cycles looked_up;              // cycle in which the fetch was found to be possible
        const Level* ahead_for = nullptr;  // level that prefetches; null for a demand miss
    };
    struct Ahead {
        Level* level;
        std::uint64_t address;
        hw::Cycles at;
    };
    // Arrival of a line: in cycle `at`, or if that is unknown, with `fetch`.
    struct Arrival {
        hw::Cycles at;
        Fetch* fetch = nullptr;
    };

    tlm::tlm_sync_enum nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                       tlm::tlm_phase& phase, sc_core::sc_time& delay);
    [[nodiscard]] Level& first_level(int port) {
        return port == kInstructions && instructions_ ? *instructions_ : *first_;
    }
    [[nodiscard]] bool is_refused(tlm::tlm_generic_payload& payload) const;
    [[nodiscard]] hw::Cycles hit_cycles(const tlm::tlm_generic_payload& payload) const;
    static void move(tlm::tlm_generic_payload& payload, std::uint8_t* in_line);
    // Returns the end of the access; empty while it waits for a line or another lookup.
    std::optional<hw::Cycles> look_up(const Access& access, hw::Cycles now,
                                      bool for_the_first_time);
    std::optional<hw::Cycles> use(Level& level, CacheArray::Line& line, const Access& access,
                                  hw::Cycles at, bool is_hit);
    void wait_until(hw::Cycles possible, const Access& access);
    void answer(const Access& access, hw::Cycles end, hw::Cycles now);
    [[nodiscard]] bool is_shared(std::uint64_t address) const {
        return shared_ != nullptr && address >= memory_bytes_;
    }
    void note_stall(const Access& access, hw::Cycles end);

    [[nodiscard]] hw::Cycles can_fetch_from(Level& level, std::uint64_t address, hw::Cycles at);
    [[nodiscard]] hw::Cycles has_room_from(Level& level, std::uint64_t address, hw::Cycles at);
    Arrival fetch(Level& level, std::uint64_t address, hw::Cycles at, const FetchReason& reason);
    Arrival arrival_of(Level& level, CacheArray::Line& line, std::uint64_t address, hw::Cycles at);
    Arrival fetch_from_memory(std::uint64_t address, std::size_t bytes, hw::Cycles at);
    [[nodiscard]] Fetch* fetch_of(const Level& level, std::uint64_t address);
    template <class Burst>
    static Burst& add_to(std::deque<std::unique_ptr<Burst>>& bursts,
                         std::vector<std::unique_ptr<Burst>>& spare);
    void fetch_ahead();
    void call_for_next(Level& level, std::uint64_t address, hw::Cycles at);
    void note_use(Level& level, CacheArray::Line& line, hw::Cycles at, bool is_hit);
    void fill(Level& level, CacheArray::Line& line, const std::uint8_t* data, hw::Cycles at);

    void make_room(Level& level, CacheArray::Line& line, hw::Cycles at);
    static void take_from(Level& inner, Level& level, CacheArray::Line& line);
    void send_down(Level& level, std::uint64_t address, std::span<const std::uint8_t> bytes,
                   hw::Cycles at);
    void write_into(Level& level, std::uint64_t address, std::span<const std::uint8_t> bytes,
                    hw::Cycles at);

    tlm::tlm_sync_enum burst_granted(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
    tlm::tlm_sync_enum own_burst_granted(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay);
    void burst_moves(tlm::tlm_generic_payload& payload, hw::Cycles now);
    void own_burst_ends(hw::Cycles end, hw::Cycles now);
    void ask_port(hw::Cycles now);

    void read_around(std::uint64_t address, std::span<std::uint8_t> bytes);
    void write_around(std::uint64_t address, std::span<const std::uint8_t> bytes, bool keeps_lines,
                      hw::Cycles now);
    template <class Action>
    static void for_lines(Level& level, std::uint64_t address, std::size_t bytes,
                          const Action& action);
    unsigned transport_dbg(int port, tlm::tlm_generic_payload& payload);

    std::uint64_t memory_bytes_;
    std::uint64_t dram_bytes_;  // bytes of the DRAM, including shared memory
    SharedLines* shared_ = nullptr;
    hw::Cycles load_cycles_;
    hw::Cycles store_cycles_;
    hw::Cycles double_cycles_;
    bool dma_stores_update_;
    Tlb tlb_;
    std::vector<std::unique_ptr<Level>> levels_;
    Level* first_ = nullptr;  // first level, one of levels_
    std::unique_ptr<Level> instructions_;
    std::vector<Level*> all_levels_;              // all levels, inner ones first
    std::deque<std::unique_ptr<Fetch>> fetches_;  // in the order of their requests
    std::deque<std::unique_ptr<Write>> writes_;
    std::vector<std::unique_ptr<Fetch>> spare_fetches_;
    std::vector<std::unique_ptr<Write>> spare_writes_;
    std::vector<Ahead> ahead_;     // lines to prefetch after the current access
    std::vector<Access> waiting_;  // accesses to be looked up again

    tlm::tlm_generic_payload* at_port_ = nullptr;  // caches' burst, requested or granted
    tlm::tlm_generic_payload* granted_ = nullptr;  // burst of any requester that was granted in
                                                   // this cycle
    std::optional<hw::Cycles> own_end_;  // end of the caches' burst, if granted in this cycle
    Statistics statistics_;
};

}  // namespace weir::memory
