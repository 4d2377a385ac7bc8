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

/// Classes of misses to shared lines, by word, after Dubois, Skeppstedt, Ricciulli, Ramamurthy and
/// Stenström (ISCA 1993, recalled).
///
/// Sharing: a line is fetched again after another node's store has taken it. The miss is true
/// sharing if the node then uses a word that another node has stored since the node last saw it.
/// Otherwise the miss is false sharing. This is known only when the line leaves, or at the end of
/// the run.
///
/// Replacement: the paper assumes an infinite cache. Here a line that was not taken by a store may
/// have been replaced, in the cache or in a transaction buffer. The miss is a capacity miss if a
/// fully associative LRU cache of equal size, with shared lines only, had replaced the line, too.
/// Otherwise it is a conflict miss, including conflicts with private lines (Hill and Smith, IEEE
/// Transactions on Computers 1989, recalled).
///
/// Taken: unlike in the paper, a copy may be taken without a store. Causes are a reader of the only
/// copy, and a home without a free pointer. Later misses to such lines are a class of their own.
///
/// A machine has one such object, also with several tiles (hw::ClockTiles). It changes no result.
/// Grants to write an existing copy are no misses here, since no line is fetched.
class MissClasses {
  public:
    struct Statistics : hw::StatisticsGroup {
        hw::Counter cold_misses{*this, "cold_misses",
                                "Misses to shared lines that the node never had before"};
        hw::Counter capacity_misses{
            *this, "capacity_misses",
            "Misses to replaced lines that a fully associative cache would have replaced, too"};
        hw::Counter conflict_misses{
            *this, "conflict_misses",
            "Misses to replaced lines that a fully associative cache would have kept"};
        hw::Counter true_sharing_misses{
            *this, "true_sharing_misses",
            "Misses after another node's store to a word that this node then used"};
        hw::Counter false_sharing_misses{
            *this, "false_sharing_misses",
            "Misses after another node's store to words that this node did not use"};
        hw::Counter taken_misses{
            *this, "taken_misses",
            "Misses after a reader, or a home without a free pointer, took the line"};
    };

    /// `cache_lines`: number of lines in each node's first level.
    MissClasses(std::int32_t node_count, std::int64_t cache_lines)
        : cache_lines_(cache_lines), nodes_(node_count) {}

    /// Reports that the line's bytes arrive at the node.
    void fills(hw::NodeId node, std::uint64_t line);
    /// Reports that the node's copy is taken.
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
        std::uint32_t others_last_store = 0;  ///< last store by a node other than `last_node`
        hw::NodeId last_node;
    };
    struct Line {
        std::uint32_t stores = 0;
        std::array<Word, kWords> words{};
    };
    // Current or former copy of a line at a node.
    struct Copy {
        bool is_taken = false;
        std::uint32_t seen = 0;  ///< number of the last store that the node has seen
    };
    // The fully associative cache for comparison.
    class LeastRecentlyUsed {
      public:
        [[nodiscard]] bool holds(std::uint64_t line) const { return places_.contains(line); }
        /// Makes the line the most recently used; replaces the least recently used if the cache is
        /// full.
        void use(std::uint64_t line, std::size_t cache_lines);
        void remove(std::uint64_t line);

      private:
        std::list<std::uint64_t> lines_;  // lines, the most recently used first
        std::unordered_map<std::uint64_t, std::list<std::uint64_t>::iterator> places_;
    };
    struct Node {
        Statistics statistics;
        LeastRecentlyUsed fully_associative;
        std::unordered_map<std::uint64_t, Copy> copies;
        // For each present line, its words that other nodes have stored and this node has not used
        // yet.
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
