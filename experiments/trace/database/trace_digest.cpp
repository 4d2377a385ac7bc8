#include "experiments/trace/database/trace_digest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <string_view>
#include <tuple>
#include <vector>

#include "experiments/trace/database/stored_trace.h"
#include "experiments/trace/database/trace_database.h"
#include "experiments/trace/log/read_log.h"

namespace weir::experiments::trace {

namespace {

/// Hash of a sequence of values. Each value is a tag byte and its bytes, so that different
/// sequences never have the same bytes. Whole numbers and IEEE doubles are 8 bytes, low byte first.
/// A text is its length as a whole number and its bytes.
class FactHash {
  public:
    FactHash() {
        if (state_ == nullptr) {
            throw std::bad_alloc();
        }
        XXH3_128bits_reset(state_.get());
    }

    void add_null() { add_tag('n'); }
    void add_integer(std::int64_t value) { add_word('i', static_cast<std::uint64_t>(value)); }
    void add_real(double value) { add_word('r', std::bit_cast<std::uint64_t>(value)); }
    void add_text(std::string_view text, char tag = 't') {
        add_word(tag, text.size());
        hash_bytes();
        XXH3_128bits_update(state_.get(), text.data(), text.size());
    }
    void add_blob(std::string_view blob) { add_text(blob, 'b'); }
    void end_row() { add_tag('R'); }
    void end_table() { add_tag('T'); }

    [[nodiscard]] std::string hex() {
        hash_bytes();
        const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
        return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
    }

  private:
    struct Free {
        void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
    };
    static_assert(std::endian::native == std::endian::little, "words are hashed as they are");

    void add_tag(char tag) {
        make_room();
        bytes_[size_++] = tag;
    }
    void add_word(char tag, std::uint64_t word) {
        add_tag(tag);
        std::memcpy(&bytes_[size_], &word, sizeof(word));
        size_ += sizeof(word);
    }
    void make_room() {
        if (size_ + 1 + sizeof(std::uint64_t) > bytes_.size()) {
            hash_bytes();
        }
    }
    void hash_bytes() {
        XXH3_128bits_update(state_.get(), bytes_.data(), size_);
        size_ = 0;
    }

    std::unique_ptr<XXH3_state_t, Free> state_{XXH3_createState()};
    std::array<char, 4096> bytes_{};  // added, but not hashed yet
    std::size_t size_ = 0;
};

void begin_table(FactHash& hash, std::string_view table, const std::vector<std::string>& columns) {
    hash.add_text(table);
    for (const std::string& column : columns) {
        hash.add_text(column);
    }
    hash.end_row();
}

// A trace in a database, which may be a foreign one with tables and columns of its own.

std::string quoted_name(std::string_view name) {
    std::string text = "\"";
    for (const char c : name) {
        text += c;
        if (c == '"') {
            text += c;
        }
    }
    return text + '"';
}

std::vector<std::string> names(const TraceDatabase& database, std::string_view sql,
                               std::string_view table = {}) {
    Statement rows(database, sql);
    if (!table.empty()) {
        rows.bind(1, table);
    }
    std::vector<std::string> found;
    while (rows.step()) {
        found.emplace_back(rows.text(0));
    }
    return found;
}

std::string rows_in_order(const std::string& table, const std::vector<std::string>& columns,
                          const std::vector<std::string>& key) {
    const auto list = [](const std::vector<std::string>& column_names) {
        std::vector<std::string> quoted_names;
        quoted_names.reserve(column_names.size());
        for (const std::string& name : column_names) {
            quoted_names.push_back(quoted_name(name));
        }
        return fmt::format("{}", fmt::join(quoted_names, ", "));
    };
    return fmt::format("SELECT {} FROM {} {} ORDER BY {}", list(columns), quoted_name(table),
                       table == "run" ? "WHERE key NOT GLOB 'host_*'" : "",
                       list(key.empty() ? columns : key));
}

void add_table(FactHash& hash, const TraceDatabase& database, const std::string& table) {
    const auto columns =
        names(database, "SELECT name FROM pragma_table_info(?1) ORDER BY name", table);
    const auto key =
        names(database, "SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk", table);

    begin_table(hash, table, columns);
    Statement rows(database, rows_in_order(table, columns, key));
    while (rows.step()) {
        for (int column = 0; column < rows.columns(); ++column) {
            switch (rows.type(column)) {
                case SQLITE_INTEGER:
                    hash.add_integer(rows.integer(column));
                    break;
                case SQLITE_FLOAT:
                    hash.add_real(rows.real(column));
                    break;
                case SQLITE_TEXT:
                    hash.add_text(rows.text(column));
                    break;
                case SQLITE_BLOB:
                    hash.add_blob(rows.text(column));
                    break;
                default:
                    hash.add_null();
            }
        }
        hash.end_row();
    }
    hash.end_table();
}

std::string digest_of(const TraceDatabase& database) {
    const auto tables = names(database,
                              "SELECT name FROM sqlite_schema "
                              "WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY name");
    FactHash hash;
    for (const std::string& table : tables) {
        add_table(hash, database, table);
    }
    return hash.hex();
}

// A trace in memory: the same values in the same order as from a database of the trace.

void add_run_info(FactHash& hash, const Trace& trace) {
    begin_table(hash, "run", {"key", "value"});
    for (const auto& [key, value] : trace.run) {
        if (!key.starts_with("host_")) {
            hash.add_text(key);
            hash.add_text(value);
            hash.end_row();
        }
    }
}

void add_names(FactHash& hash, const Trace& trace, const NameTable& table) {
    std::vector<std::string> columns{table.number, "name"};
    std::sort(columns.begin(), columns.end());
    const bool is_number_first = columns.front() != "name";
    begin_table(hash, table.name, columns);
    for (const auto& [number, name] : stored_names(trace, table)) {
        if (is_number_first) {
            hash.add_integer(number);
        }
        hash.add_text(name);
        if (!is_number_first) {
            hash.add_integer(number);
        }
        hash.end_row();
    }
}

template <class Row>
const std::vector<Row>& in_order(const Trace& /*trace*/, const std::vector<Row>& rows) {
    return rows;
}

// A database has the names of marks, and not their numbers, in the key.
std::vector<MarkRow> in_order(const Trace& trace, std::vector<MarkRow> marks) {
    std::sort(marks.begin(), marks.end(), [&trace](const MarkRow& a, const MarkRow& b) {
        return std::tie(a.node, trace.name_of(a), a.occurrence) <
               std::tie(b.node, trace.name_of(b), b.occurrence);
    });
    return marks;
}

template <class Row>
void add_rows(FactHash& hash, const Trace& trace, const std::vector<Row>& rows) {
    const Table<Row>& table = table_of<Row>();
    std::vector<Column<Row>> columns(table.columns.begin(), table.columns.end());
    std::sort(columns.begin(), columns.end(), [](const auto& a, const auto& b) {
        return std::string_view(a.name) < std::string_view(b.name);
    });
    std::vector<std::string> column_names;
    column_names.reserve(columns.size());
    for (const Column<Row>& column : columns) {
        column_names.emplace_back(column.name);
    }
    begin_table(hash, table.name, column_names);
    for (const Row& row : in_order(trace, rows)) {
        for (const Column<Row>& column : columns) {
            const std::int64_t value = column.get(row);
            if (value == kAbsent) {
                hash.add_null();
            } else if (column.kind == ColumnKind::kMarkName) {
                hash.add_text(trace.mark_names[value]);
            } else {
                hash.add_integer(value);
            }
        }
        hash.end_row();
    }
}

}  // namespace

std::string trace_digest(const std::filesystem::path& path) {
    return is_log(path) ? trace_digest(read_log(path)) : digest_of(TraceDatabase::open(path));
}

std::string trace_digest(const Trace& trace) {
    std::map<std::string_view, std::function<void(FactHash&)>> tables;
    tables["run"] = [&](FactHash& hash) { add_run_info(hash, trace); };
    for (const NameTable& table : name_tables()) {
        tables[table.name] = [&](FactHash& hash) { add_names(hash, trace, table); };
    }
    trace.for_each_table([&](const auto& rows) {
        using Row = typename std::decay_t<decltype(rows)>::value_type;
        tables[table_of<Row>().name] = [&](FactHash& hash) { add_rows(hash, trace, rows); };
    });
    FactHash hash;
    for (const auto& [name, add] : tables) {
        add(hash);
        hash.end_table();
    }
    return hash.hex();
}

}  // namespace weir::experiments::trace
