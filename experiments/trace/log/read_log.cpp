#include "experiments/trace/log/read_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/setup/surroundings_fault.h"
#include "experiments/trace/log/column_codec.h"
#include "experiments/trace/log/log_format.h"
#include "experiments/trace/rows/trace_error.h"
#include "experiments/trace/rows/trace_schema.h"
#include "hw/refusal.h"

namespace weir::experiments::trace {

namespace {

struct Record {
    LogTag tag;
    std::int64_t begin;  ///< position of the record in the file
    std::string bytes;
};

[[noreturn]] void refuse(const std::string& path, std::string_view what, const Record& record) {
    throw TraceError(fmt::format("{}: the trace is damaged: {} in the record at byte {}", path,
                                 what, record.begin));
}

/// Reads the records of a log.
class LogFile {
  public:
    explicit LogFile(const std::filesystem::path& path)
        : path_(path.string()), file_(std::fopen(path.c_str(), "rb"), std::fclose) {
        if (file_ == nullptr) {
            throw setup::SurroundingsFault(path_, setup::system_reason(errno));
        }
        if (take(kLogMagic.size()) != kLogMagic) {
            throw TraceError(path_ +
                             ": this is no trace of this version of Weir; repeat the run to "
                             "get one");
        }
    }

    /// Next record; empty at the end of the file, which may be inside a record.
    [[nodiscard]] std::optional<Record> next() {
        const std::int64_t begin = std::ftell(file_.get());
        const std::string head = take(kTagBytes + kLengthBytes);
        if (head.size() < kTagBytes + kLengthBytes) {
            return std::nullopt;
        }
        ByteReader numbers(head);
        const auto tag = static_cast<LogTag>(numbers.number(kTagBytes));
        const std::uint64_t length = numbers.number(kLengthBytes);
        Record record{.tag = tag, .begin = begin, .bytes = {}};
        if (length > kMostRecordBytes) {
            refuse(path_, "a record's length", record);
        }
        record.bytes = take(length);
        return record.bytes.size() == length ? std::optional(std::move(record)) : std::nullopt;
    }

  private:
    /// Reads the next `bytes` bytes of the file, or all up to the file's end.
    [[nodiscard]] std::string take(std::size_t bytes) {
        std::string taken(bytes, '\0');
        taken.resize(std::fread(taken.data(), 1, bytes, file_.get()));
        if (std::ferror(file_.get()) != 0) {
            throw setup::SurroundingsFault(path_, setup::system_reason(errno));
        }
        return taken;
    }

    std::string path_;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

void read_run_info(const std::string& bytes, Trace& trace) {
    ByteReader in(bytes);
    const std::size_t key_bytes = in.number(kLengthBytes);
    const std::string key(in.text(key_bytes));
    trace.run[key] = bytes.substr(kLengthBytes + key_bytes);
}

template <class Row>
void read_block(const Record& record, Trace& trace, std::vector<Row>& rows) {
    ByteReader in(record.bytes);
    const std::size_t count = in.number(kLengthBytes);
    // Rows with unique keys take at least a byte each. Only levels of a queue may repeat a key.
    const bool has_keys = !std::is_same_v<Row, QueueLevelRow>;
    if (count > kMostBlockRows || (has_keys && count > record.bytes.size())) {
        refuse(trace.path(), "the number of rows", record);
    }
    const std::size_t first = rows.size();
    rows.resize(first + count);
    std::vector<std::int64_t> values(count);
    for (const Column<Row>& column : table_of<Row>().columns) {
        read_column(in, values);
        const ColumnRange range = range_of(column.kind, trace);
        for (std::size_t i = 0; i < count; ++i) {
            if (!range.holds(values[i]) || !column.agrees(rows[first + i], values[i])) {
                refuse(trace.path(),
                       fmt::format("column {} of table {}", column.name, table_of<Row>().name),
                       record);
            }
            column.set(rows[first + i], values[i]);
        }
    }
    if (!in.at_end()) {
        refuse(trace.path(), "the block's length", record);
    }
}

/// Calls `visit` with the rows of the table whose blocks have the tag `tag`. Returns false if no
/// table has this tag.
template <class Visit>
bool visit_rows(LogTag tag, Trace& trace, const Visit& visit) {
    bool is_block = false;
    trace.for_each_table([&](auto& rows) {
        using Row = typename std::decay_t<decltype(rows)>::value_type;
        if (tag == static_cast<LogTag>(table_of<Row>().log_tag)) {
            visit(rows);
            is_block = true;
        }
    });
    return is_block;
}

// Reserves memory for all rows. Row counts of damaged blocks are detected when they are read.
void reserve_rows(const std::vector<Record>& records, Trace& trace) {
    std::map<LogTag, std::size_t> counts;
    for (const Record& record : records) {
        if (record.bytes.size() >= kLengthBytes) {
            counts[record.tag] += std::min({ByteReader(record.bytes).number(kLengthBytes),
                                            kMostBlockRows, record.bytes.size()});
        }
    }
    for (const auto& [tag, count] : counts) {
        visit_rows(tag, trace, [count = count](auto& rows) { rows.reserve(count); });
    }
}

void read_record(const Record& record, Trace& trace) {
    if (record.tag == LogTag::kRunInfo) {
        read_run_info(record.bytes, trace);
    } else if (record.tag == LogTag::kMarkName) {
        trace.mark_names.push_back(record.bytes);
    } else if (record.tag == LogTag::kChannelName) {
        trace.channel_names.push_back(record.bytes);
    } else if (!visit_rows(record.tag, trace,
                           [&](auto& rows) { read_block(record, trace, rows); })) {
        refuse(trace.path(), "the tag", record);
    }
}

void read_checked(const Record& record, Trace& trace) {
    try {
        read_record(record, trace);
    } catch (const DamagedBytes&) {
        refuse(trace.path(), "its bytes", record);
    }
}

void require_version(const Trace& trace) {
    const auto version = trace.run.find("schema_version");
    if (version == trace.run.end() || version->second != std::to_string(kTraceSchemaVersion)) {
        throw TraceError(
            fmt::format("{}: the trace's schema version is {}; accepted: {}", trace.path(),
                        version == trace.run.end() ? "none" : hw::shortened(version->second),
                        kTraceSchemaVersion));
    }
}

}  // namespace

bool is_log(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::array<char, kAnyLogMagic.size()> magic{};
    in.read(magic.data(), magic.size());
    return in && std::string_view(magic.data(), magic.size()) == kAnyLogMagic;
}

Trace read_log(const std::filesystem::path& path) {
    LogFile log(path);
    Trace trace(path.string());
    std::vector<Record> records;
    while (std::optional<Record> record = log.next()) {
        records.push_back(std::move(*record));
    }
    reserve_rows(records, trace);
    for (const Record& record : records) {
        read_checked(record, trace);
    }
    require_version(trace);
    trace.sort();
    return trace;
}

Trace read_log_head(const std::filesystem::path& path) {
    LogFile log(path);
    Trace trace(path.string());
    const auto is_of_head = [](const std::optional<Record>& record) {
        return record && (record->tag == LogTag::kRunInfo || record->tag == LogTag::kChannelName);
    };
    for (std::optional<Record> record = log.next(); is_of_head(record); record = log.next()) {
        read_checked(*record, trace);
    }
    require_version(trace);
    return trace;
}

}  // namespace weir::experiments::trace
