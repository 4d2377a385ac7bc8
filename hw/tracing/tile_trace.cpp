#include "hw/tracing/tile_trace.h"

#include <algorithm>

namespace weir::hw {

template <class Fact>
void TileTrace::tell_facts(Tiles tiles, TraceSink& sink) {
    std::vector<std::size_t> told(tiles.size());
    for (;;) {
        Cycles earliest = kNever;
        for (std::size_t i = 0; i < tiles.size(); ++i) {
            const auto& reports = std::get<Reports<Fact>>(tiles[i]->reports_);
            if (told[i] < reports.size()) {
                earliest = std::min(earliest, reports[told[i]].cycle);
            }
        }
        if (earliest == kNever) {
            break;
        }
        for (std::size_t i = 0; i < tiles.size(); ++i) {
            const auto& reports = std::get<Reports<Fact>>(tiles[i]->reports_);
            for (; told[i] < reports.size() && reports[told[i]].cycle == earliest; ++told[i]) {
                tell(reports[told[i]].fact, sink);
            }
        }
    }
    for (const auto& tile : tiles) {
        std::get<Reports<Fact>>(tile->reports_).clear();
    }
}

void TileTrace::tell_all(Tiles tiles, TraceSink& sink) {
    std::apply(
        [&]<class... Fact>(const Reports<Fact>&...) { (tell_facts<Fact>(tiles, sink), ...); },
        decltype(reports_)());
}

}  // namespace weir::hw
