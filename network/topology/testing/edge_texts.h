#pragma once

#include <string>
#include <utility>
#include <vector>

#include "network/topology/graph_content.h"

namespace weir::network::testing {

/// Edges in the order of the file: "a--b", or "a->b" if directed.
inline std::vector<std::string> edge_texts(const GraphContent& content) {
    std::vector<std::string> texts;
    for (const GraphEdge& edge : content.edges) {
        texts.push_back(content.vertices[edge.source].name + (edge.is_directed ? "->" : "--") +
                        content.vertices[edge.target].name);
    }
    return texts;
}

/// The fault's message, with the place in the file; "no fault" if `read` throws none.
template <typename Read>
std::string graph_fault_of(Read read) {
    try {
        read();
    } catch (const GraphFault& fault) {
        return fault.what();
    }
    return "no fault";
}

}  // namespace weir::network::testing
