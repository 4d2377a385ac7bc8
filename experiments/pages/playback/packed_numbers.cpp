#include "experiments/pages/playback/packed_numbers.h"

#include <zlib.h>

#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <cstddef>
#include <new>
#include <vector>

namespace weir::experiments::pages {

std::string packed_bytes(std::span<const std::uint8_t> bytes) {
    namespace iterators = boost::archive::iterators;
    using Base64 =
        iterators::base64_from_binary<iterators::transform_width<const std::uint8_t*, 6, 8>>;
    uLongf length = compressBound(bytes.size());
    // The last group of three bytes is read whole.
    std::vector<std::uint8_t> packed(length + 3);
    if (compress2(packed.data(), &length, bytes.data(), bytes.size(), Z_BEST_COMPRESSION) != Z_OK) {
        throw std::bad_alloc();
    }
    std::string text(Base64(packed.data()), Base64(packed.data() + length));
    text.append((4 - text.size() % 4) % 4, '=');
    return text;
}

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

}  // namespace weir::experiments::pages
