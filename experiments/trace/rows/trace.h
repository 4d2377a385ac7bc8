#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/trace/rows/table_columns.h"
#include "experiments/trace/rows/trace_rows.h"

namespace weir::experiments::trace {

/// Whole trace in memory, from any kind of file, for measurements. Rows are in the order of their
/// tables' keys; marks of a node are ordered by index of their names.
class Trace {
  public:
    /// `path` is the file's name in error messages.
    explicit Trace(std::string path) : path_(std::move(path)) {}

    [[nodiscard]] const std::string& path() const { return path_; }
    /// True if the file has this table. A table that the file lacks is empty in memory.
    [[nodiscard]] bool has(std::string_view table) const;

    /// Keys and values of the table `run`.
    std::map<std::string, std::string, std::less<>> run;
    std::vector<MessageRow> messages;
    std::vector<CoreIntervalRow> core_intervals;
    std::vector<QueueLevelRow> queue_levels;
    std::vector<hw::DmaTransfer> dma_transfers;
    std::vector<hw::Stall> stalls;
    std::vector<hw::SharedTransaction> transactions;
    std::vector<hw::CoherenceTrap> coherence_traps;
    std::vector<hw::SharedAccess> shared_accesses;
    std::vector<hw::LineState> line_states;
    std::vector<hw::ChannelInterval> channel_intervals;
    std::vector<QueueIntervalRow> queue_intervals;
    std::vector<MarkRow> marks;
    std::vector<std::string> mark_names;
    std::vector<std::string> channel_names;
    std::vector<std::string> absent_tables;

    /// Calls `visit` with the rows of each table.
    template <class Visit>
    void for_each_table(const Visit& visit) {
        visit_tables(*this, visit);
    }
    template <class Visit>
    void for_each_table(const Visit& visit) const {
        visit_tables(*this, visit);
    }

    /// Sorts the rows. To be called when all rows have been added. If a queue has several levels in
    /// one cycle, only the last is kept. Throws TraceError if another table has two rows of one
    /// key.
    void sort();

    /// Row of a message; null if there is none. The rows must be sorted.
    [[nodiscard]] const MessageRow* find(hw::MessageId id) const;
    /// Index of a row in `messages`.
    [[nodiscard]] std::size_t index_of(const MessageRow& message) const {
        return static_cast<std::size_t>(&message - messages.data());
    }
    /// Intervals of a core in the order of time.
    [[nodiscard]] std::span<const CoreIntervalRow> intervals_of(hw::NodeId node) const;
    [[nodiscard]] const std::string& name_of(const MarkRow& mark) const {
        return mark_names[mark.name];
    }

  private:
    template <class AnyTrace, class Visit>
    static void visit_tables(AnyTrace& trace, const Visit& visit) {
        visit(trace.messages);
        visit(trace.core_intervals);
        visit(trace.queue_levels);
        visit(trace.dma_transfers);
        visit(trace.stalls);
        visit(trace.transactions);
        visit(trace.coherence_traps);
        visit(trace.shared_accesses);
        visit(trace.line_states);
        visit(trace.channel_intervals);
        visit(trace.queue_intervals);
        visit(trace.marks);
    }

    /// Range of a node's rows.
    struct NodeRows {
        hw::NodeId node;
        std::size_t first;
        std::size_t count;
    };

    [[nodiscard]] static const NodeRows* rows_of(const std::vector<NodeRows>& nodes,
                                                 hw::NodeId node);
    template <class Row, class NodeOf>
    [[nodiscard]] static std::vector<NodeRows> rows_by_node(const std::vector<Row>& rows,
                                                            const NodeOf& node_of);

    std::string path_;
    // Ranges of each node's rows, in the order of nodes; messages belong to their source.
    std::vector<NodeRows> node_messages_;
    std::vector<NodeRows> node_intervals_;
};

/// Finds the intervals of cores at times that mostly rise from one call to the next.
class IntervalCursor {
  public:
    explicit IntervalCursor(const Trace& trace) : trace_(trace) {}

    /// Intervals of a core from the last one that begins no later than `cycle`. Since a core's
    /// intervals do not overlap, these include all that reach beyond `cycle`.
    [[nodiscard]] std::span<const CoreIntervalRow> from(hw::NodeId node, hw::Cycles cycle);

  private:
    const Trace& trace_;
    hw::NodeId node_;
    std::span<const CoreIntervalRow> intervals_;  // intervals of node_
    std::size_t place_ = 0;                       // place of the last interval found
};

/// Valid values of a column in a trace from a file.
struct ColumnRange {
    std::int64_t least = 0;
    std::int64_t most = -1;
    bool may_be_absent = false;

    [[nodiscard]] bool holds(std::int64_t value) const {
        return (value >= least && value <= most) || (may_be_absent && value == kAbsent);
    }
};
[[nodiscard]] ColumnRange range_of(ColumnKind kind, const Trace& trace);

}  // namespace weir::experiments::trace
