#include "experiments/pages/playback/playback_element.h"

#include <fmt/format.h>
#include <zlib.h>

#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <cstddef>
#include <cstdint>
#include <new>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "experiments/setup/text/xml_text.h"

namespace weir::experiments::pages {

namespace {

using nlohmann::ordered_json;
using records::Playback;
using setup::xml_escaped;

/// The bytes, compressed by zlib and encoded in base 64.
std::string packed_bytes(std::span<const std::uint8_t> bytes) {
    namespace iterators = boost::archive::iterators;
    using Base64 =
        iterators::base64_from_binary<iterators::transform_width<const std::uint8_t*, 6, 8>>;
    uLongf length = compressBound(bytes.size());
    // Padding: the encoder reads the last group of three bytes whole.
    std::vector<std::uint8_t> packed(length + 3);
    if (compress2(packed.data(), &length, bytes.data(), bytes.size(), Z_BEST_COMPRESSION) != Z_OK) {
        throw std::bad_alloc();
    }
    std::string text(Base64(packed.data()), Base64(packed.data() + length));
    text.append((4 - text.size() % 4) % 4, '=');
    return text;
}

/// The numbers, compressed and encoded as bytes: first the lowest byte of each, then the second
/// ones, and so on. Small numbers make most of these bytes zero, which compress well.
std::string packed_numbers(std::span<const std::uint32_t> numbers) {
    constexpr std::size_t kPlanes = sizeof(std::uint32_t);
    std::vector<std::uint8_t> planes;
    planes.reserve(kPlanes * numbers.size());
    for (std::size_t plane = 0; plane < kPlanes; ++plane) {
        for (const std::uint32_t number : numbers) {
            planes.push_back(static_cast<std::uint8_t>(number >> (8 * plane) & 0xffU));
        }
    }
    return packed_bytes(planes);
}

ordered_json json_of(const std::vector<Playback::Place>& places) {
    ordered_json all = ordered_json::array();
    for (const Playback::Place& place : places) {
        all.push_back({place.x, place.y});
    }
    return all;
}

ordered_json json_of(const Playback& playback) {
    ordered_json channels = ordered_json::array();
    for (const Playback::Channel& each : playback.channels) {
        channels.push_back({each.name, each.from.x, each.from.y, each.to.x, each.to.y, each.sender,
                            each.receiver, each.rank});
    }
    const Playback::Frames& frames = playback.frames;
    const Playback::Messages& messages = playback.messages;
    ordered_json json{{"begin", playback.begin_cycle},
                      {"end", playback.end_cycle},
                      {"frameCycles", playback.frame_cycles},
                      {"flitsACycle", playback.flits_a_cycle},
                      {"switchCount", playback.switch_count},
                      {"channels", std::move(channels)},
                      {"nodes", json_of(playback.nodes)},
                      {"switches", json_of(playback.switches)},
                      {"frames",
                       {{"flits", packed_numbers(frames.flits)},
                        {"headerWaits", packed_numbers(frames.header_waits)},
                        {"input", packed_numbers(frames.input_byte_cycles)},
                        {"output", packed_numbers(frames.output_byte_cycles)}}},
                      {"messages",
                       {{"source", packed_numbers(messages.source)},
                        {"destination", packed_numbers(messages.destination)},
                        {"sequence", packed_numbers(messages.sequence)},
                        {"launch", packed_numbers(messages.launch)},
                        {"entry", packed_numbers(messages.entry)},
                        {"arrival", packed_numbers(messages.arrival)},
                        {"disposal", packed_numbers(messages.disposal)}}}};
    if (playback.ways) {
        json["first"] = playback.ways->first;
        json["next"] = packed_bytes(playback.ways->next);
    }
    return json;
}

// JSON for a script element, escaped so that no text ends the element.
std::string script_text(const ordered_json& json) {
    std::string text;
    for (const char letter : json.dump(-1, ' ', true, ordered_json::error_handler_t::replace)) {
        text += letter == '<' ? std::string("\\u003c") : std::string(1, letter);
    }
    return text;
}

}  // namespace

std::string playback_element(const records::PlaybackFigure& figure, const Playback& playback,
                             std::size_t number) {
    return fmt::format(
        "<figure class=\"playback\" id=\"playback-{0}\">\n"
        "<canvas hidden role=\"img\" aria-label=\"{1}\"></canvas>\n"
        "<canvas hidden class=\"over-time\" role=\"img\" "
        "aria-label=\"The whole machine over time\"></canvas>\n"
        "<noscript><p>Without scripts it can't be played.</p></noscript>\n"
        "<div class=\"controls\" hidden><button type=\"button\">Play</button>\n"
        "<input type=\"range\" min=\"0\" value=\"0\" aria-label=\"time\">\n<output></output>\n"
        "<label>channels <select><option value=\"flits\">flits</option>"
        "<option value=\"headerWaits\">headers that wait</option></select></label>\n"
        "<label>nodes <select><option value=\"input\">input queue</option>"
        "<option value=\"output\">output queue</option></select></label></div>\n"
        "<div class=\"colours\" hidden><span></span><span></span></div>\n"
        "<p class=\"pointed\"></p>\n"
        "<figcaption><b>Figure {0}.</b> {1}. {2} <span class=\"scale\"></span></figcaption>\n"
        "<script type=\"application/json\">{3}</script>\n</figure>\n",
        number, xml_escaped(figure.title), xml_escaped(figure.caption),
        script_text(json_of(playback)));
}

}  // namespace weir::experiments::pages
