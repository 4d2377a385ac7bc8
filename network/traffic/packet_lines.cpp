#include "network/traffic/packet_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>
#include <utility>

#include "hw/input_limits.h"

namespace weir::network {

namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kSeparators = " \t\r,";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == std::string_view::npos
               ? std::string_view()
               : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// Fields are separated by a comma or by blanks. Two successive commas have an empty field between
// them.
std::vector<std::string> fields_of(std::string_view line, std::string_view comment_signs) {
    line = trimmed(line.substr(0, line.find_first_of(comment_signs)));
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

}  // namespace

PacketLines::PacketLines(std::istream& file, std::string file_name, std::string comment_signs)
    : file_(file), file_name_(std::move(file_name)), comment_signs_(std::move(comment_signs)) {
    hw::skip_byte_order_mark(file_);
}

bool PacketLines::next() {
    for (std::string text; hw::next_line(file_, text, hw::kTrafficLimits);) {
        ++line_;
        if (const auto limit = hw::line_fault(text, hw::kTrafficLimits)) {
            throw fault(limit->found, limit->accepted);
        }
        fields_ = fields_of(text, comment_signs_);
        if (fields_.empty()) {
            continue;
        }
        if (!std::exchange(may_be_heading_, false) || !is_heading(fields_)) {
            return true;
        }
    }
    return false;
}

std::int64_t PacketLines::number(std::size_t field, const char* what, std::int64_t least,
                                 std::int64_t most) const {
    const std::string& text = fields_[field];
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || value < least || value > most) {
        throw fault(fmt::format("{} is \"{}\"", what, text),
                    fmt::format("a whole number from {} to {}", least, most));
    }
    return value;
}

double PacketLines::real(std::size_t field, const char* what, double least, double most) const {
    const std::string& text = fields_[field];
    double value = 0.0;
    const char* const end = text.data() + text.size();
    const bool has_plus = text.starts_with('+') && !text.starts_with("+-");
    const auto [stop, error] = std::from_chars(text.data() + (has_plus ? 1 : 0), end, value);
    if (error != std::errc() || stop != end || !(value >= least && value <= most)) {
        throw fault(fmt::format("{} is \"{}\"", what, text),
                    fmt::format("a number from {:g} to {:g}", least, most));
    }
    return value;
}

TrafficFault PacketLines::fault(const std::string& found, const std::string& accepted) const {
    return {"", fmt::format("{}:{}: {}", file_name_, line_, found), accepted};
}

TrafficFault PacketLines::fault_of_field_count(const std::string& accepted) const {
    return fault(fmt::format("{} field{}", fields_.size(), fields_.size() == 1 ? "" : "s"),
                 accepted);
}

}  // namespace weir::network
