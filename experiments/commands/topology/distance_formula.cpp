#include "experiments/commands/topology/distance_formula.h"

namespace weir::experiments::commands {

using network::NetworkTopology;

std::string formula_text(NetworkTopology network) {
    switch (network) {
        case NetworkTopology::kHypercube:
            return "1/2 log2(P)";
        case NetworkTopology::kButterfly:
            return "log2(P)";
        case NetworkTopology::kFatTree:
            return "2 log4(P) - 2/3";
        case NetworkTopology::kTorus3d:
            return "3/4 P^(1/3)";
        case NetworkTopology::kMesh3d:
            return "P^(1/3)";
        case NetworkTopology::kTorus2d:
            return "1/2 P^(1/2)";
        case NetworkTopology::kMesh2d:
            break;
    }
    return "2/3 P^(1/2)";
}

double printed_distance(NetworkTopology network) {
    switch (network) {
        case NetworkTopology::kHypercube:
            return 5.0;
        case NetworkTopology::kButterfly:
        case NetworkTopology::kMesh3d:
            return 10.0;
        case NetworkTopology::kFatTree:
            return 9.33;
        case NetworkTopology::kTorus3d:
            return 7.5;
        case NetworkTopology::kTorus2d:
            return 16.0;
        case NetworkTopology::kMesh2d:
            break;
    }
    return 21.0;
}

}  // namespace weir::experiments::commands
