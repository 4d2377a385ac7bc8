#include "hw/tile_trace.h"

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
    tell_facts<Mark>(tiles, sink);
    tell_facts<Message>(tiles, sink);
    tell_facts<CoreInterval>(tiles, sink);
    tell_facts<QueueLevel>(tiles, sink);
    tell_facts<DmaTransfer>(tiles, sink);
    tell_facts<Stall>(tiles, sink);
}

}  // namespace weir::hw
