#include <algorithm>

#include "experiments/analyses/explanations/assumption.h"

namespace weir::experiments::analyses {

// Functions that make the assumptions; each is defined in the file of its assumption.
using MakeAssumption = Assumption();
MakeAssumption run_ends_assumption, queues_assumption, network_contention_assumption,
    memory_assumption, latency_assumption, work_assumption, service_times_assumption,
    reply_at_end_assumption, finite_population_assumption, arrivals_assumption,
    thread_interference_assumption, gap_per_byte_assumption, body_receive_assumption,
    overlap_assumption, phases_assumption, memory_port_assumption;

const std::vector<Assumption>& assumptions() {
    static const std::vector<Assumption> all{
        run_ends_assumption(),      queues_assumption(),
        memory_assumption(),        memory_port_assumption(),
        latency_assumption(),       work_assumption(),
        service_times_assumption(), gap_per_byte_assumption(),
        body_receive_assumption(),  network_contention_assumption(),
        overlap_assumption(),       phases_assumption(),
        reply_at_end_assumption(),  finite_population_assumption(),
        arrivals_assumption(),      thread_interference_assumption()};
    return all;
}

bool comes_before(const Assumption& first, const Assumption& second) {
    return std::any_of(second.after.begin(), second.after.end(), [&](const std::string& name) {
        const auto& all = assumptions();
        const auto found = std::find_if(all.begin(), all.end(), [&](const Assumption& assumption) {
            return assumption.name == name;
        });
        return found->name == first.name || comes_before(first, *found);
    });
}

}  // namespace weir::experiments::analyses
