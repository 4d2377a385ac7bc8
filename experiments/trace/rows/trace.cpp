#include "experiments/trace/rows/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include "experiments/trace/rows/trace_error.h"

namespace weir::experiments::trace {

namespace {

constexpr std::size_t kMostKeyColumns = 3;

template <class Row>
std::array<std::int64_t, kMostKeyColumns> key_of(const Row& row) {
    const Table<Row>& table = table_of<Row>();
    std::array<std::int64_t, kMostKeyColumns> key{};
    auto part = key.begin();
    for (const Column<Row>& column : table.columns.first(table.key_columns)) {
        *part++ = column.get(row);
    }
    return key;
}

// The key of a message is its id: source and sequence.
template <>
std::array<std::int64_t, kMostKeyColumns> key_of(const MessageRow& row) {
    return {row.id.source.index(), row.id.sequence};
}

template <>
std::array<std::int64_t, kMostKeyColumns> key_of(const CoreIntervalRow& row) {
    return {row.node.index(), row.begin.count()};
}

template <class Row>
bool comes_before(const Row& a, const Row& b) {
    return key_of(a) < key_of(b);
}

template <class Row>
void sort_if_needed(std::span<Row> rows) {
    if (!std::is_sorted(rows.begin(), rows.end(), comes_before<Row>)) {
        std::stable_sort(rows.begin(), rows.end(), comes_before<Row>);
    }
}

// Messages of one source. Their sequence numbers are consecutive, except where a window has cut
// some out, so each message is moved to its place.
template <>
void sort_if_needed(std::span<MessageRow> rows) {
    std::int64_t first = INT64_MAX;
    for (const MessageRow& row : rows) {
        first = std::min(first, row.id.sequence);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        // Each swap takes a message to its place; one whose place is taken by its twin stays.
        for (std::int64_t place = rows[i].id.sequence - first;
             place < std::ssize(rows) && rows[place].id.sequence != place + first;
             place = rows[i].id.sequence - first) {
            std::swap(rows[i], rows[place]);
        }
    }
    if (!std::is_sorted(rows.begin(), rows.end(), comes_before<MessageRow>)) {
        std::stable_sort(rows.begin(), rows.end(), comes_before<MessageRow>);
    }
}

// First part of a row's key.
template <class Row>
std::size_t group_of(const Row& row) {
    return static_cast<std::size_t>(key_of(row).front());
}

// Rows in the order of their groups, which are less than `groups`; rows of one group keep their
// order. The ends of the groups are in `ends`.
template <class Row>
std::vector<Row> grouped(const std::vector<Row>& rows, std::size_t groups,
                         std::vector<std::size_t>& ends) {
    ends.assign(groups + 1, 0);  // at first, each is the end of the previous group
    for (const Row& row : rows) {
        ends[group_of(row) + 1] += 1;
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<Row> result(rows.size());
    for (const Row& row : rows) {
        result[ends[group_of(row)]++] = row;
    }
    ends.pop_back();
    return result;
}

// Sorts the rows by their keys; rows of equal keys keep their order. Rows are grouped first: most
// groups are nodes, whose rows are nearly in order.
template <class Row>
void sort_by_key(std::vector<Row>& rows) {
    if (std::is_sorted(rows.begin(), rows.end(), comes_before<Row>)) {
        return;
    }
    std::size_t groups = 1;
    for (const Row& row : rows) {
        groups = std::max(groups, group_of(row) + 1);
    }
    if (groups > rows.size()) {
        std::stable_sort(rows.begin(), rows.end(), comes_before<Row>);
        return;
    }
    std::vector<std::size_t> ends;
    rows = grouped(rows, groups, ends);
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        sort_if_needed(std::span(rows).subspan(begin, end - begin));
        begin = end;
    }
}

void keep_last_of_each_cycle(std::vector<QueueLevelRow>& levels) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        if (i + 1 == levels.size() || comes_before(levels[i], levels[i + 1])) {
            levels[kept++] = levels[i];
        }
    }
    levels.resize(kept);
}

template <class Row>
std::string key_text(const Row& row) {
    const Table<Row>& table = table_of<Row>();
    std::string text;
    for (const Column<Row>& column : table.columns.first(table.key_columns)) {
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", column.name, column.get(row));
    }
    return text;
}

template <class Row>
void require_unique_keys(const std::string& path, const std::vector<Row>& rows) {
    const auto twice = std::adjacent_find(
        rows.begin(), rows.end(), [](const Row& a, const Row& b) { return !comes_before(a, b); });
    if (twice != rows.end()) {
        throw TraceError(fmt::format("{}: table {} has several rows with {}", path,
                                     table_of<Row>().name, key_text(*twice)));
    }
}

}  // namespace

bool Trace::has(std::string_view table) const {
    return std::find(absent_tables.begin(), absent_tables.end(), table) == absent_tables.end();
}

void Trace::sort() {
    for_each_table([this](auto& rows) {
        using Row = typename std::decay_t<decltype(rows)>::value_type;
        sort_by_key(rows);
        if constexpr (std::is_same_v<Row, QueueLevelRow>) {
            keep_last_of_each_cycle(rows);
        } else {
            require_unique_keys(path_, rows);
        }
    });
    node_messages_ = rows_by_node(messages, [](const MessageRow& row) { return row.source(); });
    node_intervals_ =
        rows_by_node(core_intervals, [](const CoreIntervalRow& row) { return row.node; });
}

const MessageRow* Trace::find(hw::MessageId id) const {
    const NodeRows* of = rows_of(node_messages_, id.source);
    if (of == nullptr) {
        return nullptr;
    }
    // Sequence numbers are consecutive, except where a window has cut some out.
    const auto rows = std::span(messages).subspan(of->first, of->count);
    const std::int64_t guess = id.sequence - rows.front().id.sequence;
    if (guess < 0) {
        return nullptr;
    }
    const auto place = static_cast<std::size_t>(guess);
    if (place < rows.size() && rows[place].id == id) {
        return &rows[place];
    }
    const auto found = std::lower_bound(
        rows.begin(), rows.end(), id,
        [](const MessageRow& row, const hw::MessageId& wanted) { return row.id < wanted; });
    return found == rows.end() || found->id != id ? nullptr : &*found;
}

std::span<const CoreIntervalRow> Trace::intervals_of(hw::NodeId node) const {
    const NodeRows* of = rows_of(node_intervals_, node);
    if (of == nullptr) {
        return {};
    }
    return std::span(core_intervals).subspan(of->first, of->count);
}

std::span<const CoreIntervalRow> IntervalCursor::from(hw::NodeId node, hw::Cycles cycle) {
    if (node != node_ || intervals_.empty()) {
        node_ = node;
        intervals_ = trace_.intervals_of(node);
        place_ = 0;
    }
    if (place_ < intervals_.size() && intervals_[place_].begin > cycle) {
        const auto after = std::upper_bound(
            intervals_.begin(), intervals_.end(), cycle,
            [](hw::Cycles wanted, const CoreIntervalRow& row) { return wanted < row.begin; });
        place_ = after == intervals_.begin() ? 0 : after - intervals_.begin() - 1;
    }
    while (place_ + 1 < intervals_.size() && intervals_[place_ + 1].begin <= cycle) {
        ++place_;
    }
    return intervals_.subspan(place_);
}

const Trace::NodeRows* Trace::rows_of(const std::vector<NodeRows>& nodes, hw::NodeId node) {
    // Usually all nodes have rows.
    const auto guess = static_cast<std::size_t>(node.index());
    if (guess < nodes.size() && nodes[guess].node == node) {
        return &nodes[guess];
    }
    const auto found = std::lower_bound(
        nodes.begin(), nodes.end(), node,
        [](const NodeRows& rows, hw::NodeId wanted) { return rows.node < wanted; });
    return found == nodes.end() || found->node != node ? nullptr : &*found;
}

template <class Row, class NodeOf>
std::vector<Trace::NodeRows> Trace::rows_by_node(const std::vector<Row>& rows,
                                                 const NodeOf& node_of) {
    std::vector<NodeRows> nodes;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const hw::NodeId node = node_of(rows[i]);
        if (nodes.empty() || nodes.back().node != node) {
            nodes.push_back({node, i, 0});
        }
        nodes.back().count += 1;
    }
    return nodes;
}

ColumnRange range_of(ColumnKind kind, const Trace& trace) {
    switch (kind) {
        case ColumnKind::kCount:
            return {0, kMostTraceNumber - 1};
        case ColumnKind::kStage:
            return {0, kMostTraceNumber - 1, true};
        case ColumnKind::kAny:
            return {kAbsent + 1, INT64_MAX};
        case ColumnKind::kNode:
            return {0, std::numeric_limits<std::int32_t>::max()};
        case ColumnKind::kMessage:
            return {0, INT64_MAX};
        case ColumnKind::kMessageOrNone:
            return {0, INT64_MAX, true};
        case ColumnKind::kFlag:
            return {0, 1};
        case ColumnKind::kChannel:
            return {0, static_cast<std::int64_t>(trace.channel_names.size()) - 1};
        case ColumnKind::kMarkName:
            return {0, static_cast<std::int64_t>(trace.mark_names.size()) - 1};
        default:
            return {0, static_cast<std::int64_t>(name_table_of(kind)->names.size()) - 1};
    }
}

}  // namespace weir::experiments::trace
