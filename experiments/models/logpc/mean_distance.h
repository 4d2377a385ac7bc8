#pragma once

#include <vector>

/// Mean distances of messages in meshes and k-ary n-cubes: the k_d of LoGPC's network model.
///
/// Source: Moritz and Frank, "LoGPC" (2001), section 3.3, gives the mean distance (11) of a mesh,
/// (12) to numbered neighbours, and locality within a span. Section 4: networks with end-around
/// channels, in one direction or both.
///
/// Distances are hops of shortest routes in dimension order. A shape without nodes is a ModelError;
/// so is one whose nodes cannot all reach each other.
namespace weir::experiments::models {

struct NetworkShape {
    std::vector<int> extents;  ///< nodes along each dimension, 1 or more; x first
    bool end_around = false;   ///< true: a torus (k-ary n-cube); false: a mesh
    /// True: channels lead in one direction only; needs end-around channels.
    bool unidirectional = false;
};

/// n k_d: mean hops between two random nodes; a node may be its own destination. (11) for a mesh.
double mean_hops(const NetworkShape& shape);

/// n k_d: mean hops between two random nodes, where a node never sends to itself. The shape has two
/// nodes or more.
double mean_hops_to_others(const NetworkShape& shape);

/// n k_dl: mean hops to a random node at most `span_hops` away in each dimension (section 3.3). The
/// edges of a mesh cut the span off. Accepts at most ten thousand nodes.
double mean_hops_within_span(const NetworkShape& shape, int span_hops, bool self_destination);

/// Neighbour of the last node. Node numbers run along the first dimension, then the second.
enum class NumberingEnds {
    /// The neighbour is in a further row, as at any row's end; on a torus, in the first row.
    kGoOn,
    kEndAround,  ///< the neighbour is node 0
    kNone,       ///< no neighbour: only pairs of existing nodes are counted
};

/// 2 k_dl: mean hops from node p to nodes p - j and p + j with j from 1 to `span`, all equally
/// likely. (12) has span 1. Accepts at most a million nodes and a hundred million pairs.
///
/// The paper's 1.875 hops of the 4 x 8 mesh are those of kGoOn, with 28 steps of 1 hop and 4 of 8.
/// From node 31 back to node 0 are 10 hops, so kEndAround gives 1.9375 in (12).
double mean_hops_to_numbered_neighbours(const NetworkShape& shape, int span, NumberingEnds ends);

}  // namespace weir::experiments::models
