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

/// The caches and the TLB of a node, between its processors and its memory port.
///
/// TLM-2.0. bus_socket, the core's, and handler_bus_socket, a protocol processor's: nb_transport_fw
/// of a load or store of 1, 2, 4 or 8 bytes is answered at once (TLM_COMPLETED) when no line has to
/// come from memory, otherwise accepted and answered with BEGIN_RESP; transport_dbg sees, and
/// changes, what a processor would, in no time. port_socket asks the memory port for bursts, one at
/// a time. snoop_socket has every burst that the port grants pass by, the DMA engines' too, on its
/// way through dram_socket to the DRAM.
///
/// An access pays the TLB's walk, if there is one, and is looked up in the first level. A hit takes
/// what memory.load_cycles and store_cycles say. A miss asks the next level miss_cycles later; each
/// level beyond the first takes a request every busy_cycles, and answers access_cycles after it
/// took it; behind the last one the port is asked for the line. When the line's last byte has come
/// it is in all levels that missed, and the access ends after what a hit takes.
///
/// A line on its way has a miss register at each of these levels; who misses it too waits for it. A
/// place is made when the request goes out: a dirty line goes into the write buffer, from which
/// what is for the next level takes one of its requests, and what is for memory a burst. Lines that
/// a level before wrote back change a line that is there, and are not references to it; else they
/// go on to the next level, and need room in its write buffer too. At the port, lines fetched go
/// before lines written, except when the write buffer is full or holds what is to be fetched. An
/// access that finds no miss register, no line to replace or no room in a write buffer is looked up
/// again when there is one.
///
/// A burst that a DMA engine reads has what is dirty in the caches and write buffers. One that it
/// writes takes its lines out of all levels, or changes them there (memory.dma_stores); what else a
/// dirty line holds is written back.
///
/// Lines of memory that nodes share (connect_shared) are in the first level only. Another part
/// brings them in and takes them out, and does the accesses to them; there such a line is dirty
/// when no other node has a copy. It is no hit for the HitPort, and instructions are not fetched
/// from it.
///
/// In a cycle: processors' accesses act as they come, in the tick of the one part that makes them;
/// after all ticks the burst granted in this cycle moves, that other part acts, accesses that
/// waited are looked up again, and the port is asked.
class CacheHierarchy final : public sc_core::sc_module, public hw::ClockedPart, public HitPort {
  public:
    struct LevelStatistics : hw::StatisticsGroup {
        hw::Counter loads{*this, "loads", "Lookups for a load, or for a line of the level before"};
        hw::Counter stores{*this, "stores", "Lookups for a store"};
        hw::Counter load_misses{*this, "load_misses", "Of the loads, those that asked for a line"};
        hw::Counter store_misses{*this, "store_misses",
                                 "Of the stores, those whose line was not there"};
        hw::Counter merged_misses{*this, "merged_misses",
                                  "Lookups that waited for a line already on its way"};
        hw::Counter evictions{*this, "evictions", "Lines that made room for another"};
        hw::Counter write_backs{*this, "write_backs", "Dirty lines written to the next level"};
        hw::Counter write_throughs{*this, "write_throughs", "Stores sent on to the next level"};
        hw::Counter prefetches{*this, "prefetches", "Lines asked for ahead"};
        hw::Counter useful_prefetches{*this, "useful_prefetches", "Of them, those used"};
        hw::Counter invalidations{*this, "invalidations",
                                  "Lines taken out by a DMA engine's stores or by inclusion"};
    };
    struct Statistics : hw::StatisticsGroup {
        hw::Counter stall_cycles{*this, "stall_cycles",
                                 "Cycles the thread's accesses took beyond a hit"};
        hw::Counter handler_stall_cycles{*this, "handler_stall_cycles",
                                         "The same of handlers that have a processor of their own"};
        hw::Counter retries{*this, "retries",
                            "Accesses looked up again for want of a register, line or entry"};
        hw::Counter snooped_bursts{*this, "snooped_bursts", "Bursts of the DMA engines"};
    };
    struct PartParameters {
        const CacheParameters& caches;
        std::size_t levels;
        const NodeMemory::Parameters& memory;
        /// Of a first level that instructions have to themselves; if null, they share l1.
        const CacheLevelParameters* instructions = nullptr;
    };

    /// Of checked parameters; 1 or more levels. Lines are replaced at random by (seed, node).
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

    /// The part that keeps shared lines in the first level, and the bytes of DRAM that hold them
    /// behind the node's own; before the run.
    void connect_shared(SharedLines& shared, hw::Bytes bytes) {
        shared_ = &shared;
        dram_bytes_ += static_cast<std::uint64_t>(bytes.count());
    }
    /// It; null without shared memory.
    [[nodiscard]] SharedLines* shared_lines() { return shared_; }
    // For that part, in its end_of_cycle() and in accesses that it is handed.
    [[nodiscard]] CacheArray& first_level() { return levels_.front()->array; }
    /// A place in the first level for the line of a shared address, whose bytes are still to be
    /// written; null while none can be made.
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
    // A line on its way to a level.
    struct MissRegister {
        std::uint64_t block;
        hw::Cycles free_from;  // kNever while the line has not come from memory
        bool operator<(const MissRegister& other) const { return free_from < other.free_from; }
    };
    // A level and what is under way at it.
    struct Level {
        Level(const CacheLevelParameters& level_parameters, const hw::RandomStream& random,
              std::string level_name);

        const CacheLevelParameters& parameters;
        CacheArray array;
        std::uint64_t line_bytes;
        bool writes_back;
        Level* next = nullptr;       // null: memory
        std::vector<Level*> before;  // from the one before this to the first
        hw::Cycles busy_until;
        std::vector<MissRegister> registers;
        std::deque<hw::Cycles> write_buffer;  // when each entry for the next level leaves it
        std::string name;
        LevelStatistics statistics;
    };
    // A processor's load or store that has to wait.
    struct Access {
        tlm::tlm_generic_payload* payload = nullptr;
        int port = kCore;
        hw::Cycles issued;
        hw::Cycles look_up;  // after the TLB's walk
    };
    // What is done at a level when a line comes from memory; in the order it was asked for.
    struct Target {
        Level* level = nullptr;
        std::uint64_t address = 0;
        bool fills = false;                     // the line comes in
        std::vector<std::uint8_t> stored = {};  // or these bytes are stored into it
        std::optional<Access> access = {};      // or an access takes place
    };
    // A line of the last level on its way from memory.
    struct Fetch {
        std::uint64_t address = 0;
        hw::Cycles issue;
        std::vector<std::uint8_t> data;
        std::vector<Target> targets;
        tlm::tlm_generic_payload payload;
    };
    // Bytes on their way to memory.
    struct Write {
        std::uint64_t address = 0;
        hw::Cycles issue;
        std::vector<std::uint8_t> data;
        tlm::tlm_generic_payload payload;
    };
    struct FetchReason {
        hw::Cycles looked_up;              // when it was seen that the lines can be asked for
        const Level* ahead_for = nullptr;  // the level that fetches ahead
    };
    struct Ahead {
        Level* level;
        std::uint64_t address;
        hw::Cycles at;
    };
    // When a line is there: at a known cycle, or with the fetch.
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
    // The end of the access; none while it waits for a line, or to be looked up again.
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
    std::uint64_t dram_bytes_;  // with those of shared memory
    SharedLines* shared_ = nullptr;
    hw::Cycles load_cycles_;
    hw::Cycles store_cycles_;
    hw::Cycles double_cycles_;
    bool dma_stores_update_;
    Tlb tlb_;
    std::vector<std::unique_ptr<Level>> levels_;
    Level* first_ = nullptr;  // of levels_
    std::unique_ptr<Level> instructions_;
    std::vector<Level*> all_levels_;              // inner ones first
    std::deque<std::unique_ptr<Fetch>> fetches_;  // in the order they were asked for
    std::deque<std::unique_ptr<Write>> writes_;
    std::vector<std::unique_ptr<Fetch>> spare_fetches_;
    std::vector<std::unique_ptr<Write>> spare_writes_;
    std::vector<Ahead> ahead_;     // lines to fetch ahead after this access
    std::vector<Access> waiting_;  // to be looked up again

    tlm::tlm_generic_payload* at_port_ = nullptr;  // of this hierarchy, asked for or granted
    tlm::tlm_generic_payload* granted_ = nullptr;  // anybody's, in this cycle
    std::optional<hw::Cycles> own_end_;            // of at_port_, when it was granted in this cycle
    Statistics statistics_;
};

}  // namespace weir::memory
