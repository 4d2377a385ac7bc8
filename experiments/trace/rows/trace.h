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

/// A whole trace in memory, whatever file it was in: what measurements look at. Rows lie in the
/// order of their tables' keys; marks of a node by name's index.
class Trace {
  public:
    /// `path` is for messages.
    explicit Trace(std::string path) : path_(std::move(path)) {}

    [[nodiscard]] const std::string& path() const { return path_; }
    /// Whether the file had that table. One that was absent is empty here.
    [[nodiscard]] bool has(std::string_view table) const;

    /// The table `run`: key and value.
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

    /// Calls `visit` with every table's rows.
    template <class Visit>
    void for_each_table(const Visit& visit) {
        visit_tables(*this, visit);
    }
    template <class Visit>
    void for_each_table(const Visit& visit) const {
        visit_tables(*this, visit);
    }

    /// Brings the rows into order, once all are there. Of several levels of a queue in one cycle
    /// the last stays. Throws TraceError where another table has two rows of one key.
    void sort();

    /// Null where there is no row of it. The rows are in order.
    [[nodiscard]] const MessageRow* find(hw::MessageId id) const;
    /// Where a row of `messages` lies in them.
    [[nodiscard]] std::size_t index_of(const MessageRow& message) const {
        return static_cast<std::size_t>(&message - messages.data());
    }
    /// In the order of time.
    [[nodiscard]] std::span<const CoreIntervalRow> intervals_of(hw::NodeId node) const;
    /// The same from the last one that begins no later than a cycle: as a core's intervals don't
    /// overlap, those that reach beyond the cycle are among them.
    [[nodiscard]] std::span<const CoreIntervalRow> intervals_of(hw::NodeId node,
                                                                hw::Cycles from) const;
    [[nodiscard]] const std::string& name_of(const MarkRow& mark) const {
        return mark_names[static_cast<std::size_t>(mark.name)];
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

    /// Where a node's rows lie.
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
    // In the order of nodes.
    std::vector<NodeRows> node_messages_;  // by source
    std::vector<NodeRows> node_intervals_;
};

/// What a column may hold of what comes from outside.
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
