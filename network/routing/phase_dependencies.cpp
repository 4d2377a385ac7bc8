#include "network/routing/phase_dependencies.h"

#include <cstddef>
#include <vector>

namespace weir::network {

namespace {

using Vertex = EdgeSet::Vertex;

class PhaseComposition {
  public:
    PhaseComposition(const Routing& phase, const EdgeSet& of_a_phase, const ChannelIndex& channels)
        : topology_(phase.topology()),
          channels_(channels),
          vcs_(phase.virtual_channels()),
          of_a_phase_(of_a_phase),
          ends_(topology_.switch_count()),
          all_(channels.count() * 2 * vcs_) {}

    [[nodiscard]] EdgeSet compose() {
        for (Vertex from = 0; from < of_a_phase_.vertex_count(); ++from) {
            for (const Vertex into : of_a_phase_.behind(from)) {
                add(from, into);
            }
        }
        for (const RouterEnd& end : ends_) {
            for (const Vertex last : end.lasts) {
                for (const Vertex next : end.firsts) {
                    all_.add(last, next);
                }
            }
        }
        return std::move(all_);
    }

  private:
    // Channels by which messages end their first phase at a router, and those by which they begin
    // the second phase, or leave for the destination.
    struct RouterEnd {
        std::vector<Vertex> lasts;
        std::vector<Vertex> firsts;
    };

    [[nodiscard]] Channel channel_of(Vertex of_a_phase) const {
        return channels_.channel(of_a_phase / vcs_);
    }
    // Number of a phase's virtual channel among those of both phases.
    [[nodiscard]] Vertex in_phase(std::size_t phase, Vertex of_a_phase) const {
        return static_cast<Vertex>(of_a_phase / vcs_ * 2 * vcs_ + phase * vcs_ + of_a_phase % vcs_);
    }
    void add(Vertex from, Vertex into) {
        const Channel held = channel_of(from);
        RouterEnd& router = ends_[target(held, topology_.graph())];
        const bool ejects = topology_.is_ejection(channel_of(into));
        if (topology_.is_injection(held)) {
            router.firsts.push_back(in_phase(ejects ? 0 : 1, into));
            all_.add(in_phase(0, from), in_phase(0, into));
            all_.add(in_phase(0, from), router.firsts.back());
        } else if (ejects) {
            router.lasts.push_back(in_phase(0, from));
            all_.add(in_phase(0, from), in_phase(0, into));
            all_.add(in_phase(1, from), in_phase(0, into));
        } else {
            all_.add(in_phase(0, from), in_phase(0, into));
            all_.add(in_phase(1, from), in_phase(1, into));
        }
    }

    const Topology& topology_;
    const ChannelIndex& channels_;
    std::size_t vcs_;
    const EdgeSet& of_a_phase_;
    std::vector<RouterEnd> ends_;  // by router
    EdgeSet all_;
};

}  // namespace

EdgeSet phase_dependencies(const Routing& phase, const EdgeSet& of_a_phase,
                           const ChannelIndex& channels) {
    return PhaseComposition(phase, of_a_phase, channels).compose();
}

}  // namespace weir::network
