#include "experiments/setup/files/path_text.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <string_view>

#include "experiments/setup/text/utf8_text.h"

namespace weir::experiments::setup {

namespace {

constexpr std::string_view kScheme = "file://";
constexpr std::string_view kThisHost = "localhost";
constexpr int kHexadecimal = 16;

bool is_unreserved(char byte) {
    return std::isalnum(static_cast<unsigned char>(byte)) != 0 ||
           std::string_view("-._~/").find(byte) != std::string_view::npos;
}

std::string escaped(char byte) {
    return fmt::format("%{:02X}", static_cast<unsigned int>(static_cast<unsigned char>(byte)));
}

// The byte of the escape that begins at `at`.
char byte_at(const Place& place, const std::string& uri, std::size_t at) {
    const std::string digits = uri.substr(at + 1, 2);
    unsigned int value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value, kHexadecimal);
    if (digits.size() != 2 || stop != end || error != std::errc() || value == 0) {
        throw UserFault(place, fmt::format("the URI has the escape \"%{}\"", digits),
                        "% and two hexadecimal digits, for a byte other than 0");
    }
    return static_cast<char>(static_cast<unsigned char>(value));
}

}  // namespace

std::string path_as_text(const std::filesystem::path& path) {
    std::string text = path.string();
    if (is_utf8(text) && !is_file_uri(text)) {
        return text;
    }
    std::string uri(kScheme);
    for (const char byte : std::filesystem::absolute(path).lexically_normal().string()) {
        uri += is_unreserved(byte) ? std::string(1, byte) : escaped(byte);
    }
    return uri;
}

bool is_file_uri(const std::string& text) { return text.starts_with(kScheme); }

std::string path_of_uri(const Place& place, const std::string& uri) {
    std::size_t at = kScheme.size();
    if (uri.compare(at, kThisHost.size(), kThisHost) == 0) {
        at += kThisHost.size();
    }
    if (at >= uri.size() || uri[at] != '/') {
        throw UserFault(place, fmt::format("\"{}\" is no URI of a file on this computer", uri),
                        "file:// and an absolute path");
    }
    std::string path;
    for (; at < uri.size(); ++at) {
        const bool is_escape = uri[at] == '%';
        path += is_escape ? byte_at(place, uri, at) : uri[at];
        at += is_escape ? 2 : 0;
    }
    return path;
}

}  // namespace weir::experiments::setup
