#include "memory/replacement/replacement_policies.h"

#include <array>
#include <type_traits>

namespace weir::memory {

namespace {

// Tables derived from the list of policies.
template <class List>
struct Listed;

template <ReplacementPolicy... Policies>
struct Listed<std::variant<Policies...>> {
    template <class Policy>
    static std::optional<WaysFault> fault_of_ways(std::size_t ways) {
        if constexpr (requires { Policy::fault_of_ways(ways); }) {
            return Policy::fault_of_ways(ways);
        } else {
            return std::nullopt;
        }
    }
    static std::vector<ReplacementKind> kinds() {
        std::size_t place = 0;
        return {ReplacementKind{Policies::kName, Policies::kSentence, &fault_of_ways<Policies>,
                                place++}...};
    }

    template <class Policy>
    static AnyReplacement make(const ReplacementShape& shape, const hw::RandomStream& random) {
        return Policy(shape, random);
    }
    using Maker = AnyReplacement (*)(const ReplacementShape&, const hw::RandomStream&);
    static constexpr std::array<Maker, sizeof...(Policies)> kMakers{&make<Policies>...};
};

}  // namespace

const std::vector<ReplacementKind>& replacement_kinds() {
    static const std::vector<ReplacementKind> kinds = Listed<AnyReplacement>::kinds();
    return kinds;
}

AnyReplacement make_replacement(const ReplacementKind& kind, const ReplacementShape& shape,
                                const hw::RandomStream& random) {
    return Listed<AnyReplacement>::kMakers[kind.place](shape, random);
}

}  // namespace weir::memory
