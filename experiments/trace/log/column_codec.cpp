#include "experiments/trace/log/column_codec.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "experiments/trace/rows/table_columns.h"
#include "experiments/trace/rows/trace_schema.h"

namespace weir::experiments::trace {

static_assert(std::endian::native == std::endian::little,
              "numbers are copied in the host's byte order, which must be little-endian");

namespace {

/// Encoding of a column's values, given by its first byte.
enum class Form : std::uint8_t {
    kConstant = 0,  ///< the same value in all rows
    /// The column's least value, then for each row an offset from it: 0 for absent values,
    /// otherwise 1 or more.
    kOneByte = 1,
    kTwoBytes = 2,
    kFourBytes = 4,
    kEightBytes = 8,
    kMessages = 16,  ///< message ids as two columns: sources, and sequence numbers at the source
};

constexpr std::size_t kWord = 8;
/// Least range of a column of message ids that is split into two columns: ids of different sources
/// differ by more.
constexpr std::uint64_t kLeastSplit = std::uint64_t{1} << 32;

struct Range {
    std::int64_t least = 0;
    std::int64_t most = 0;
    bool has_values = false;
    bool has_absent = false;
};

Range extent_of(std::span<const std::int64_t> values) {
    Range range{.least = INT64_MAX, .most = INT64_MIN};
    for (const std::int64_t value : values) {
        if (value == kAbsent) {
            range.has_absent = true;
        } else {
            range.has_values = true;
            range.least = std::min(range.least, value);
            range.most = std::max(range.most, value);
        }
    }
    return range;
}

Form form_for(std::uint64_t largest_offset) {
    if (largest_offset <= UINT8_MAX) {
        return Form::kOneByte;
    }
    if (largest_offset <= UINT16_MAX) {
        return Form::kTwoBytes;
    }
    return largest_offset <= UINT32_MAX ? Form::kFourBytes : Form::kEightBytes;
}

// Unsigned differences wrap, so that every value has an offset.
std::uint64_t offset_of(std::int64_t value, std::int64_t least) {
    return value == kAbsent
               ? 0
               : static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(least) + 1;
}

std::int64_t value_at(std::uint64_t offset, std::int64_t least) {
    return offset == 0 ? kAbsent
                       : static_cast<std::int64_t>(static_cast<std::uint64_t>(least) + offset - 1);
}

template <class Offset>
void append_offsets(std::string& out, std::span<const std::int64_t> values, std::int64_t least) {
    const std::size_t begin = out.size();
    out.resize(begin + values.size() * sizeof(Offset));
    char* place = out.data() + begin;
    for (const std::int64_t value : values) {
        const auto offset = static_cast<Offset>(offset_of(value, least));
        std::memcpy(place, &offset, sizeof(Offset));
        place += sizeof(Offset);
    }
}

template <class Offset>
void read_offsets(ByteReader& in, std::span<std::int64_t> values) {
    const auto least = static_cast<std::int64_t>(in.number(kWord));
    const char* place = in.text(values.size() * sizeof(Offset)).data();
    for (std::int64_t& value : values) {
        Offset offset{};
        std::memcpy(&offset, place, sizeof(Offset));
        value = value_at(offset, least);
        place += sizeof(Offset);
    }
}

void append_form(std::string& out, Form form) {
    append_number(out, static_cast<std::uint64_t>(form), 1);
}

void append_plain(std::string& out, std::span<const std::int64_t> values, const Range& range) {
    const std::uint64_t span = range.has_values ? offset_of(range.most, range.least) : 0;
    if (span == 0 || (span == 1 && !range.has_absent)) {
        append_form(out, Form::kConstant);
        append_number(out, static_cast<std::uint64_t>(span == 0 ? kAbsent : range.least), kWord);
        return;
    }
    const Form form = form_for(span);
    append_form(out, form);
    append_number(out, static_cast<std::uint64_t>(range.least), kWord);
    switch (form) {
        case Form::kOneByte:
            return append_offsets<std::uint8_t>(out, values, range.least);
        case Form::kTwoBytes:
            return append_offsets<std::uint16_t>(out, values, range.least);
        case Form::kFourBytes:
            return append_offsets<std::uint32_t>(out, values, range.least);
        default:
            return append_offsets<std::uint64_t>(out, values, range.least);
    }
}

void read_plain(ByteReader& in, Form form, std::span<std::int64_t> values) {
    switch (form) {
        case Form::kConstant:
            std::fill(values.begin(), values.end(), static_cast<std::int64_t>(in.number(kWord)));
            return;
        case Form::kOneByte:
            return read_offsets<std::uint8_t>(in, values);
        case Form::kTwoBytes:
            return read_offsets<std::uint16_t>(in, values);
        case Form::kFourBytes:
            return read_offsets<std::uint32_t>(in, values);
        case Form::kEightBytes:
            return read_offsets<std::uint64_t>(in, values);
        default:
            throw DamagedBytes();
    }
}

Form read_form(ByteReader& in) { return static_cast<Form>(in.number(1)); }

void append_messages(std::string& out, std::span<const std::int64_t> values) {
    append_form(out, Form::kMessages);
    std::vector<std::int64_t> part(values.size());
    for (const bool is_source : {true, false}) {
        std::transform(values.begin(), values.end(), part.begin(), [&](std::int64_t value) {
            if (value == kAbsent) {
                return kAbsent;
            }
            return is_source ? value / kMessageIdsPerSource : value % kMessageIdsPerSource;
        });
        append_plain(out, part, extent_of(part));
    }
}

void read_messages(ByteReader& in, std::span<std::int64_t> values) {
    constexpr std::int64_t kMostSource = INT64_MAX / kMessageIdsPerSource;
    read_plain(in, read_form(in), values);
    std::vector<std::int64_t> sequences(values.size());
    read_plain(in, read_form(in), sequences);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool is_absent = values[i] == kAbsent;
        if (is_absent && sequences[i] == kAbsent) {
            continue;
        }
        if (values[i] < 0 || values[i] > kMostSource || sequences[i] < 0 ||
            sequences[i] >= kMessageIdsPerSource) {
            throw DamagedBytes();
        }
        values[i] = values[i] * kMessageIdsPerSource + sequences[i];
    }
}

}  // namespace

std::uint64_t ByteReader::number(std::size_t bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, text(bytes).data(), bytes);
    return value;
}

std::string_view ByteReader::text(std::size_t bytes) {
    if (bytes_.size() < bytes) {
        throw DamagedBytes();
    }
    const std::string_view taken = bytes_.substr(0, bytes);
    bytes_.remove_prefix(bytes);
    return taken;
}

void append_number(std::string& out, std::uint64_t value, std::size_t bytes) {
    out.append(reinterpret_cast<const char*>(&value), bytes);
}

void append_column(std::string& out, std::span<const std::int64_t> values) {
    const Range range = extent_of(values);
    const bool is_wide = range.has_values && range.least >= 0 &&
                         static_cast<std::uint64_t>(range.most - range.least) >= kLeastSplit;
    if (is_wide) {
        append_messages(out, values);
    } else {
        append_plain(out, values, range);
    }
}

void read_column(ByteReader& in, std::span<std::int64_t> values) {
    const Form form = read_form(in);
    if (form == Form::kMessages) {
        read_messages(in, values);
    } else {
        read_plain(in, form, values);
    }
}

}  // namespace weir::experiments::trace
