#include "network/topology/graph_content.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace weir::network {

namespace {

// An attribute with a meaning belongs to vertices or to edges, as a text or a whole number.
struct KnownAttribute {
    std::string_view name;
    std::string GraphVertex::*of_vertex = nullptr;
    std::string GraphEdge::*of_edge = nullptr;
    int GraphEdge::*number = nullptr;
    int least = 0;
    int most = 0;
    bool may_be_elsewhere = false;
};

constexpr std::array<KnownAttribute, 6> kKnownAttributes{{
    {.name = "name", .of_vertex = &GraphVertex::name, .may_be_elsewhere = true},
    {.name = "kind", .of_vertex = &GraphVertex::kind},
    {.name = "direction", .of_edge = &GraphEdge::direction},
    {.name = "output_port", .number = &GraphEdge::output_port, .most = kMostPorts - 1},
    {.name = "input_port", .number = &GraphEdge::input_port, .most = kMostPorts - 1},
    {.name = "latency", .number = &GraphEdge::latency, .least = 1, .most = kMostLatency},
}};

const KnownAttribute* find_known(std::string_view name) {
    const auto* const found =
        std::find_if(kKnownAttributes.begin(), kKnownAttributes.end(),
                     [&](const KnownAttribute& attribute) { return attribute.name == name; });
    return found == kKnownAttributes.end() ? nullptr : found;
}

[[noreturn]] void refuse_element(const GraphAttribute& attribute, const std::string& element) {
    throw GraphFault(
        attribute.place, attribute.name + " is given for a " + element,
        attribute.name +
            (find_known(attribute.name)->of_vertex != nullptr ? " of a vertex" : " of an edge"));
}

std::string_view without_blanks(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(kBlanks);
    return begin == std::string_view::npos
               ? std::string_view()
               : text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// Whole number, which may be written as a real number: "3", "+3", "3.0".
int whole_number(const GraphAttribute& attribute, int least, int most) {
    std::string_view text = without_blanks(attribute.value);
    if (text.starts_with('+') && !text.starts_with("+-")) {
        text.remove_prefix(1);
    }
    double number = 0.0;
    const char* const end = text.data() + text.size();
    const auto [after, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || after != end || number != std::trunc(number) || number < least ||
        number > most) {
        throw GraphFault(
            attribute.place, attribute.name + " is " + in_quotes(attribute.value),
            "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return static_cast<int>(number);
}

std::string text_of_place(FilePlace place) {
    return place.line == 0 ? std::string()
                           : std::to_string(place.line) + ":" + std::to_string(place.column);
}

}  // namespace

TextPlaces::TextPlaces(std::string_view text) : line_begins_{0} {
    for (std::size_t end = text.find('\n'); end != std::string_view::npos;
         end = text.find('\n', end + 1)) {
        line_begins_.push_back(end + 1);
    }
}

FilePlace TextPlaces::of(std::size_t offset) const {
    const auto after = std::upper_bound(line_begins_.begin(), line_begins_.end(), offset);
    return {static_cast<std::uint32_t>(after - line_begins_.begin()),
            static_cast<std::uint32_t>(offset - *(after - 1) + 1)};
}

GraphFault::GraphFault(FilePlace place, std::string found, std::string accepted)
    : Refusal(text_of_place(place), std::move(found), std::move(accepted)) {}

std::optional<GraphElement> element_of_attribute(std::string_view name) {
    const KnownAttribute* const known = find_known(name);
    if (known == nullptr) {
        return std::nullopt;
    }
    return known->of_vertex != nullptr ? GraphElement::kVertex : GraphElement::kEdge;
}

void require_no_meaning(const GraphAttribute& attribute, const std::string& element) {
    const KnownAttribute* const known = find_known(attribute.name);
    if (known != nullptr && !known->may_be_elsewhere) {
        refuse_element(attribute, element);
    }
}

void GraphVertex::set(const GraphAttribute& attribute) {
    const KnownAttribute* const known = find_known(attribute.name);
    if (known != nullptr && known->of_vertex != nullptr) {
        this->*known->of_vertex = attribute.value;
    } else {
        require_no_meaning(attribute, "vertex");
    }
}

void GraphEdge::set(const GraphAttribute& attribute) {
    const KnownAttribute* const known = find_known(attribute.name);
    if (known != nullptr && known->of_edge != nullptr) {
        this->*known->of_edge = attribute.value;
    } else if (known != nullptr && known->number != nullptr) {
        this->*known->number = attribute.value.empty()
                                   ? kUnsetNumber
                                   : whole_number(attribute, known->least, known->most);
    } else {
        require_no_meaning(attribute, "edge");
    }
}

std::string utf8_of_latin1(std::string_view text) {
    constexpr unsigned kAsciiEnd = 0x80;
    constexpr unsigned kBitsBehind = 6;
    std::string converted;
    for (const char letter : text) {
        const auto code = static_cast<unsigned char>(letter);
        if (code < kAsciiEnd) {
            converted += letter;
        } else {
            converted += static_cast<char>(0xC0U | (code >> kBitsBehind));
            converted += static_cast<char>(kAsciiEnd | (code & 0x3FU));
        }
    }
    return converted;
}

std::string in_lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return text;
}

std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }

}  // namespace weir::network
