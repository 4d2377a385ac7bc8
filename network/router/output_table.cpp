#include "network/router/output_table.h"

#include <algorithm>
#include <systemc>

namespace weir::network {

std::uint16_t CandidateSets::number_of(const Candidates& candidates) {
    const auto known = numbers_.find(candidates);
    if (known != numbers_.end()) {
        return known->second;
    }
    const auto number = static_cast<std::uint16_t>(sets_.size());
    const auto place = numbers_.emplace(candidates, number).first;
    sets_.push_back(&place->first);
    sc_assert(sets_.size() <= kUnknown);
    return number;
}

OutputTable::OutputTable(const Routing& routing, std::size_t vertex, int ports, int vcs,
                         bool escapes_last, CandidateSets& sets)
    : routing_(routing),
      sets_(sets),
      vertex_(vertex),
      vcs_(vcs),
      escapes_last_(escapes_last),
      looks_at_input_(routing.looks_at_input()),
      outputs_(place_of(ports, 0), Output::kNone),
      rows_(looks_at_input_ ? outputs_.size() : 1) {}

// Asks the routing for the candidates of a class, and keeps their number.
std::uint16_t OutputTable::add(std::size_t message_class, int input_vc, bool is_injection,
                               const Flit& header) {
    std::vector<std::uint16_t>& row = rows_[row_of(input_vc)];
    if (row.empty()) {
        row.resize(routing_.message_classes(vertex_), CandidateSets::kUnknown);
    }
    row[message_class] = sets_.number_of(ask_routing(input_vc, is_injection, header));
    return row[message_class];
}

Candidates OutputTable::ask_routing(int input_vc, bool is_injection, const Flit& header) const {
    const int virtual_channel = is_injection ? 0 : input_vc % vcs_;
    Candidates candidates;
    candidates.reserve(vcs_);
    for (const RoutedOutput& output : routing_.outputs(
             {vertex_, input_vc / vcs_, virtual_channel, header.lot}, header.destination)) {
        const bool to_node = outputs_[place_of(output.port, 0)] == Output::kToNode;
        for (int vc = to_node ? 0 : output.virtual_channel;
             vc < (to_node ? vcs_ : output.virtual_channel + 1); ++vc) {
            if (outputs_[place_of(output.port, vc)] != Output::kNone) {
                candidates.push_back(
                    {output.port * vcs_ + vc, escapes_last_ && !to_node && output.is_escape});
            }
        }
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    sc_assert(!candidates.empty());
    return candidates;
}

}  // namespace weir::network
