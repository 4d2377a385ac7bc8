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

template <class Row>
bool comes_before(const Row& a, const Row& b) {
    return key_of(a) < key_of(b);
}

// Numbers of the rows in the order of their keys; rows of equal keys keep their order. Rows are
// grouped by the first part of the key first: most groups are nodes, whose rows are nearly in
// order.
template <class Row>
std::vector<std::size_t> order_of(const std::vector<Row>& rows) {
    const auto group_of = [&rows](std::size_t row) {
        return static_cast<std::size_t>(key_of(rows[row]).front());
    };
    std::size_t groups = 1;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        groups = std::max(groups, group_of(row) + 1);
    }
    std::vector<std::size_t> order(rows.size());
    const auto sort = [&rows](auto begin, auto end) {
        const auto is_before = [&rows](std::size_t a, std::size_t b) {
            return comes_before(rows[a], rows[b]);
        };
        if (!std::is_sorted(begin, end, is_before)) {
            std::stable_sort(begin, end, is_before);
        }
    };
    if (groups > rows.size()) {
        std::iota(order.begin(), order.end(), std::size_t{0});
        sort(order.begin(), order.end());
        return order;
    }
    std::vector<std::size_t> ends(groups + 1);  // for each group, end of the previous group's range
    for (std::size_t row = 0; row < rows.size(); ++row) {
        ends[group_of(row) + 1] += 1;
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        order[ends[group_of(row)]++] = row;
    }
    auto begin = order.begin();
    for (std::size_t group = 0; group < groups; ++group) {
        const auto end = order.begin() + static_cast<std::ptrdiff_t>(ends[group]);
        sort(begin, end);
        begin = end;
    }
    return order;
}

// Rows are long, so each row is moved only once, along the permutation's cycles.
template <class Row>
void sort_by_key(std::vector<Row>& rows) {
    if (std::is_sorted(rows.begin(), rows.end(), comes_before<Row>)) {
        return;
    }
    std::vector<std::size_t> order = order_of(rows);
    for (std::size_t begin = 0; begin < rows.size(); ++begin) {
        if (order[begin] == begin) {
            continue;
        }
        const Row first = rows[begin];
        std::size_t place = begin;
        while (order[place] != begin) {
            const std::size_t next = std::exchange(order[place], place);
            rows[place] = rows[next];
            place = next;
        }
        order[place] = place;
        rows[place] = first;
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

std::span<const CoreIntervalRow> Trace::intervals_of(hw::NodeId node, hw::Cycles from) const {
    const auto intervals = intervals_of(node);
    auto first = std::upper_bound(
        intervals.begin(), intervals.end(), from,
        [](hw::Cycles cycle, const CoreIntervalRow& row) { return cycle < row.begin; });
    if (first != intervals.begin()) {
        --first;
    }
    return {first, intervals.end()};
}

const Trace::NodeRows* Trace::rows_of(const std::vector<NodeRows>& nodes, hw::NodeId node) {
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
