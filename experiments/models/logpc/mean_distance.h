#pragma once

#include <vector>

/// How far messages go in meshes and k-ary n-cubes: the k_d that LoGPC's network model is given.
///
/// Source: Moritz and Frank, "LoGPC" (2001), section 3.3: the mean distance (11) of a mesh, that of
/// messages to numbered neighbours (12), locality within a span; section 4: networks with
/// end-around channels, of one direction or two.
///
/// Distances are hops on a shortest way, one dimension after the other. A shape without nodes, or
/// one whose nodes cannot all reach each other, is a ModelError.
namespace weir::experiments::models {

struct NetworkShape {
    std::vector<int> extents;     ///< nodes along each dimension, 1 or more; x first
    bool end_around = false;      ///< a torus (k-ary n-cube) rather than a mesh
    bool unidirectional = false;  ///< channels lead one way; needs end-around channels
};

/// n k_d: mean hops between two random nodes; a node may be its own destination. (11) for a mesh.
double mean_hops(const NetworkShape& shape);

/// The same where a node never sends to itself. The shape has two nodes or more.
double mean_hops_to_others(const NetworkShape& shape);

/// n k_dl: a message goes at most `span_hops` in each dimension, and is as likely to go to one node
/// within that span as to another (section 3.3). At the edges of a mesh the span is cut off. Up to
/// ten thousand nodes.
double mean_hops_within_span(const NetworkShape& shape, int span_hops, bool self_destination);

/// Node numbers run along the first dimension, then the second. What lies beyond the last node?
enum class NumberingEnds {
    kGoOn,       ///< another row, as after any row's end; the first row of a torus
    kEndAround,  ///< node 0
    kNone,       ///< nothing: only pairs of nodes that exist are counted
};

/// 2 k_dl: mean hops from node p to nodes p - j and p + j with j from 1 to `span`, all equally
/// likely; (12) has span 1. Up to a million nodes, and a hundred million pairs.
///
/// Of the 4 x 8 mesh the paper gives 1.875 hops, which is what kGoOn makes of it: 28 steps of 1 hop
/// and 4 ends of a row of 8 hops. From node 31 back to node 0 it is 10 hops, so that with
/// kEndAround (12) gives 1.9375.
double mean_hops_to_numbered_neighbours(const NetworkShape& shape, int span, NumberingEnds ends);

}  // namespace weir::experiments::models
