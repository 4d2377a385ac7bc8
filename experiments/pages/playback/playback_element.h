#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "experiments/records/playback.h"

namespace weir::experiments::pages {

/// A figure of that number that a page with playback_script() plays: its map is drawn by the
/// script, from numbers that lie in it, packed by zlib and written in base 64.
[[nodiscard]] std::string playback_element(const records::PlaybackFigure& figure,
                                           const records::Playback& playback, std::size_t number);

/// Once in a page, behind its figures.
[[nodiscard]] std::string_view playback_script();

}  // namespace weir::experiments::pages
