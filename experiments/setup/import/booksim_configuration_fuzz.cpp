#include <string>
#include <string_view>
#include <vector>

#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/import/booksim_configuration.h"
#include "experiments/setup/import/booksim_experiment.h"
#include "experiments/setup/import/booksim_network.h"
#include "hw/testing/fuzz_target.h"

namespace weir::experiments::setup {
namespace {

const hw::testing::FuzzTarget kBooksimFuzz({
    .name = "booksim",
    .sources = {"experiments/setup/import/booksim_configuration.cpp",
                "experiments/setup/import/booksim_experiment.cpp"},
    .read =
        [](const std::string& input) {
            const BooksimExperiment made = booksim_experiment(
                BooksimConfiguration(input, "a.cfg"), "network.dot",
                [](std::string_view /*key*/, std::string_view /*value*/) { return true; });
            static_cast<void>(parse_toml(made.toml, "made.toml"));
        },
    .seeds =
        [] {
            return std::vector<std::string>{
                "// a mesh\ntopology = mesh;\nrouting_function = dor;\nk = 4; n=2;\n"
                "num_vcs = 2;\ninjection_rate = 0.15;\npacket_size = {{4}};\nseed = time;\n",
                "topology=dragonflynew;routing_function=min;k=2;n=1;num_vcs=2;watch_out=-;\n"
                "injection_rate_uses_flits=1;injection_process=on_off;burst_r1=-1.0;\n",
                "topology = mesh; routing_function = min_adapt; "
                "traffic=hotspot({{27,36},{1,3}}); stopping_thres = -1.0; buf_size = 12;\n",
                "topology=anynet;routing_function=min;network_file=some/file.txt;\n"};
        },
    .words = {"topology", "routing_function", "traffic", "hotspot({", "})", "= ", ";", "// ", "-1",
              "0.5", "packet_size", "fly", "fattree", "torus"},
});

const hw::testing::FuzzTarget kBooksimNetworkFuzz({
    .name = "booksim-network",
    .sources = {"experiments/setup/import/booksim_network.cpp"},
    .read =
        [](const std::string& input) {
            static_cast<void>(booksim_network_as_dot(input, "a.txt", {}));
        },
    .seeds =
        [] {
            return std::vector<std::string>{
                "router 0 node 0 node 1 router 1 5\nrouter 1 node 2 2\n",
                "node 0 router 0\r\nnode 1 router 0 3\r\n"};
        },
    .words = {"router ", "node ", " 0", " 1", "\n"},
});

}  // namespace
}  // namespace weir::experiments::setup
