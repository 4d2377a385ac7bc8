#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <mutex>
#include <unordered_map>

#include "hw/per_node.h"
#include "hw/statistics.h"
#include "hw/units.h"
#include "memory/coherence/coherence_parameters.h"

namespace weir::memory {

/// Why each shared line had to come to a node again, by word, as Dubois, Skeppstedt, Ricciulli,
/// Ramamurthy and Stenström classify misses (ISCA 1993, as remembered): a line that another node's
/// store has taken away comes for true sharing if its node, while it has it, uses a word that
/// another has stored since the node last saw the line's words; else for false sharing. That is
/// known only when the line goes, or at the end of the run.
///
/// Theirs is a cache without end; here a line that was not taken before it comes again has made
/// room, in the cache or in a transaction buffer. That is for capacity if it would have had to in a
/// cache of as many lines that holds shared lines alone, anywhere, and gives up the one not used
/// for longest; else for a conflict, with private lines too (Hill and Smith, IEEE Transactions on
/// Computers 1989, as remembered). Nor do they have copies that are taken without a store: by a
/// reader of the only copy, and by a home without a free pointer. Lines that come again after that
/// are counted apart.
///
/// One for a whole machine, also of several tiles (hw::ClockTiles); it looks on, and changes
/// nothing. Grants to write a copy that a node has are no misses here: nothing comes.
class MissClasses {
  public:
    struct Statistics : hw::StatisticsGroup {
        hw::Counter cold_misses{*this, "cold_misses", "Shared lines that came for the first time"};
        hw::Counter capacity_misses{
            *this, "capacity_misses",
            "Lines that came again after they had made room, as in a fully associative cache"};
        hw::Counter conflict_misses{
            *this, "conflict_misses",
            "Lines that came again after they had made room, as a fully associative cache would "
            "have kept them"};
        hw::Counter true_sharing_misses{
            *this, "true_sharing_misses",
            "Lines that came again with a word that another node had stored, and that was used"};
        hw::Counter false_sharing_misses{
            *this, "false_sharing_misses",
            "Lines that came again since another node had stored to them, but to no word used"};
        hw::Counter taken_misses{
            *this, "taken_misses",
            "Lines that came again after a reader, or a home without a free pointer, took them"};
    };

    /// `cache_lines`: of each node's first level.
    MissClasses(std::int32_t node_count, std::int64_t cache_lines)
        : cache_lines_(cache_lines), nodes_(node_count) {}

    /// The line's bytes come to the node.
    void fills(hw::NodeId node, std::uint64_t line);
    /// The node's copy is taken.
    void loses(hw::NodeId node, std::uint64_t line);
    void performs(hw::NodeId node, std::uint64_t address, std::size_t bytes, bool is_store);
    void end_of_run();

    [[nodiscard]] const Statistics& statistics(hw::NodeId node) const {
        return nodes_[node].statistics;
    }

  private:
    static constexpr std::size_t kWords = kSharedLineBytes.count() / 4;
    using WordMask = std::uint8_t;
    // Stores to a line are numbered from 1.
    struct Word {
        std::uint32_t last_store = 0;
        std::uint32_t others_last_store = 0;  ///< of nodes other than `last_node`
        hw::NodeId last_node;
    };
    struct Line {
        std::uint32_t stores = 0;
        std::array<Word, kWords> words{};
    };
    // What a node has, or had, of a line.
    struct Copy {
        bool is_taken = false;
        std::uint32_t seen = 0;  ///< stores up to this one
    };
    // The fully associative cache that a node's is compared with.
    class LeastRecentlyUsed {
      public:
        [[nodiscard]] bool holds(std::uint64_t line) const { return places_.contains(line); }
        /// It is the one used last; the one not used for longest makes room.
        void use(std::uint64_t line, std::size_t cache_lines);
        void remove(std::uint64_t line);

      private:
        std::list<std::uint64_t> lines_;  // the one used last first
        std::unordered_map<std::uint64_t, std::list<std::uint64_t>::iterator> places_;
    };
    struct Node {
        Statistics statistics;
        LeastRecentlyUsed fully_associative;
        std::unordered_map<std::uint64_t, Copy> copies;
        // Lines that are here, and the words of them that others have stored and nobody here has
        // used.
        std::unordered_map<std::uint64_t, WordMask> undecided;
    };

    [[nodiscard]] Node& node_at(hw::NodeId node) { return nodes_[node]; }
    [[nodiscard]] static WordMask unseen(const Line& line, hw::NodeId node, std::uint32_t seen);
    static void ends(Node& node, std::uint64_t line);

    std::size_t cache_lines_;
    std::mutex mutex_;
    std::unordered_map<std::uint64_t, Line> lines_;
    hw::PerNode<Node, std::deque<Node>> nodes_;
};

}  // namespace weir::memory
