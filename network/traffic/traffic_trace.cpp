#include "network/traffic/traffic_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <string_view>

#include "hw/input_limits.h"

namespace weir::network {

namespace {

constexpr std::array<const char*, 4> kFields{"cycle", "source", "destination", "bytes"};
constexpr std::int64_t kLatestCycle = 1'000'000'000'000;
constexpr std::int64_t kMostBytes = 1'000'000'000;

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kSeparators = " \t\r,";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == std::string_view::npos
               ? std::string_view()
               : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// Between two fields stands a comma, or blanks. What is between two commas is a field, if empty.
std::vector<std::string> fields_of(std::string_view line) {
    line = trimmed(line.substr(0, line.find('#')));
    std::vector<std::string> fields;
    while (!line.empty()) {
        const std::size_t end = std::min(line.find_first_of(kSeparators), line.size());
        fields.emplace_back(line.substr(0, end));
        line = trimmed(line.substr(end));
        if (line.starts_with(',')) {
            line = trimmed(line.substr(1));
            if (line.empty()) {
                fields.emplace_back();
            }
        }
    }
    return fields;
}

bool is_heading(const std::vector<std::string>& fields) {
    return std::all_of(fields.begin(), fields.end(), [](const std::string& field) {
        return !field.empty() && std::isalpha(static_cast<unsigned char>(field.front())) != 0;
    });
}

// A line of the file, as far as faults need it.
struct Line {
    const std::string& file;
    int number;

    [[nodiscard]] TrafficFault fault(const std::string& found, const std::string& accepted) const {
        return {"", fmt::format("{}:{}: {}", file, number, found), accepted};
    }
    [[nodiscard]] std::int64_t whole_number(const std::string& text, const char* what,
                                            std::int64_t least, std::int64_t most) const {
        std::int64_t value = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, value);
        if (error != std::errc() || stop != end || value < least || value > most) {
            throw fault(fmt::format("{} is \"{}\"", what, text),
                        fmt::format("a whole number from {} to {}", least, most));
        }
        return value;
    }
};

}  // namespace

std::vector<std::vector<GeneratedPacket>> read_traffic_trace(
    std::istream& file, const std::string& file_name, std::size_t node_count, hw::Bytes flit_bytes,
    std::optional<hw::Flits> longest_packet) {
    std::vector<std::vector<GeneratedPacket>> packets(node_count);
    const auto last_node = static_cast<std::int64_t>(node_count) - 1;
    std::int64_t last_cycle = 0;
    bool is_first = true;
    bool has_packets = false;
    Line line{file_name, 0};
    hw::skip_byte_order_mark(file);
    for (std::string text; hw::next_line(file, text, hw::kTrafficLimits);) {
        ++line.number;
        if (const auto fault = hw::line_fault(text, hw::kTrafficLimits)) {
            throw line.fault(fault->found, fault->accepted);
        }
        const std::vector<std::string> fields = fields_of(text);
        if (fields.empty()) {
            continue;
        }
        if (is_first && is_heading(fields)) {
            is_first = false;
            continue;
        }
        is_first = false;
        if (fields.size() != kFields.size()) {
            throw line.fault(
                fmt::format("{} field{}", fields.size(), fields.size() == 1 ? "" : "s"),
                "four: cycle, source, destination, bytes");
        }
        const std::int64_t cycle =
            line.whole_number(fields[0], kFields[0], last_cycle, kLatestCycle);
        const std::int64_t source = line.whole_number(fields[1], kFields[1], 0, last_node);
        const std::int64_t destination = line.whole_number(fields[2], kFields[2], 0, last_node);
        const std::int64_t bytes = line.whole_number(fields[3], kFields[3], 1, kMostBytes);
        const hw::Flits flits = hw::flits_of(hw::Bytes(bytes), flit_bytes);
        if (longest_packet && flits > *longest_packet) {
            throw line.fault(
                fmt::format("a packet of {} bytes is {} flits, which never have room in a buffer "
                            "of {}",
                            bytes, flits.count(), longest_packet->count()),
                fmt::format("at most {} bytes, a larger network.buffer_flits, or "
                            "network.switching = \"wormhole\"",
                            longest_packet->count() * flit_bytes.count()));
        }
        last_cycle = cycle;
        has_packets = true;
        packets[source].push_back(
            {hw::Cycles(cycle), static_cast<std::int32_t>(destination), flits});
    }
    if (!has_packets) {
        throw TrafficFault("", file_name + ": has no packets",
                           "a line for each: cycle, source, destination, bytes");
    }
    return packets;
}

}  // namespace weir::network
