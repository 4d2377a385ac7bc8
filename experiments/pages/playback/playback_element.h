#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "experiments/records/playback.h"

namespace weir::experiments::pages {

/// HTML of a figure that playback_script() plays. The script draws its map from numbers inside the
/// element, which are compressed by zlib and encoded in base 64.
[[nodiscard]] std::string playback_element(const records::PlaybackFigure& figure,
                                           const records::Playback& playback, std::size_t number);

/// Script to be written once per page, after its figures.
[[nodiscard]] std::string_view playback_script();

}  // namespace weir::experiments::pages
