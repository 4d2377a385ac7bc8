#include "experiments/trace/database/trace_digest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <bit>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>
#include <vector>

#include "experiments/trace/database/trace_database.h"

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
    void add_integer(std::int64_t value) {
        add_tag('i');
        add_word(static_cast<std::uint64_t>(value));
    }
    void add_real(double value) {
        add_tag('r');
        add_word(std::bit_cast<std::uint64_t>(value));
    }
    void add_text(std::string_view text, char tag = 't') {
        add_tag(tag);
        add_word(text.size());
        bytes_ += text;
    }
    void add_blob(std::string_view blob) { add_text(blob, 'b'); }
    void end_row() {
        add_tag('R');
        hash_bytes();
    }
    void end_table() {
        add_tag('T');
        hash_bytes();
    }

    [[nodiscard]] std::string hex() const {
        const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
        return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
    }

  private:
    struct Free {
        void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
    };

    void add_tag(char tag) { bytes_ += tag; }
    void add_word(std::uint64_t word) {
        for (int byte = 0; byte < 8; ++byte) {
            bytes_ += static_cast<char>(word >> (8 * byte));
        }
    }
    void hash_bytes() {
        XXH3_128bits_update(state_.get(), bytes_.data(), bytes_.size());
        bytes_.clear();
    }

    std::unique_ptr<XXH3_state_t, Free> state_{XXH3_createState()};
    std::string bytes_;
};

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

    hash.add_text(table);
    for (const std::string& column : columns) {
        hash.add_text(column);
    }
    hash.end_row();

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

}  // namespace

std::string trace_digest(const std::filesystem::path& path) {
    return digest_of(TraceDatabase::open(path));
}

std::string trace_digest(const Trace& trace) { return digest_of(TraceDatabase::of(trace)); }

}  // namespace weir::experiments::trace
