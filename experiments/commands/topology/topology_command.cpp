#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/installed_files.h"
#include "experiments/commands/new_file.h"
#include "experiments/commands/topology/topology_choice.h"
#include "experiments/pages/topology/distance_table.h"
#include "experiments/pages/topology/topology_page.h"
#include "experiments/pages/topology/topology_picture.h"
#include "experiments/records/json_output.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/setup/user_fault.h"
#include "network/topology/topology_family.h"

namespace weir::experiments::commands {

namespace {

void check_picture(const std::string& file, const std::vector<network::Topology>& topologies) {
    const std::string option = "--svg " + file;
    if (std::filesystem::path(file).extension() != ".svg") {
        throw setup::UserFault({option}, "this picture format is not supported",
                               "a file name that ends in .svg");
    }
    if (topologies.size() > 1) {
        throw setup::UserFault(
            {option},
            "the experiment's points have " + std::to_string(topologies.size()) + " networks",
            "one of them: --set network.dimensions=[...], or --topology");
    }
    if (topologies.front().node_count() > pages::kMostDrawnNodes) {
        throw setup::UserFault(
            {option},
            "the network has " + std::to_string(topologies.front().node_count()) + " nodes",
            "up to " + std::to_string(pages::kMostDrawnNodes));
    }
}

void draw(const std::string& file, const network::Topology& topology,
          const pages::TopologyFigures& figures) {
    NewFile picture(file, "--svg " + file);
    std::ofstream out(picture.unfinished_path());
    out << pages::topology_picture(topology, figures.bisection);
    out.close();
    if (!out) {
        throw setup::UserFault({"--svg " + file}, "the file can't be written",
                               "a folder on a disk with enough space");
    }
    picture.finish();
}

std::string topologies_in_lines(const std::function<bool(const network::TopologyFamily&)>& holds) {
    constexpr std::size_t kLine = 48;  // width of the help text's column
    std::string text = network::topologies_that(holds);
    for (std::size_t begin = 0; text.size() - begin > kLine;) {
        begin = text.rfind(' ', begin + kLine);
        text[begin++] = '\n';
    }
    return text;
}

std::string topologies_that_read(const char* parameter) {
    return topologies_in_lines(
        [parameter](const network::TopologyFamily& family) { return family.reads(parameter); });
}

/// `weir topology show`: what a network's graph says, without running a machine. `weir topology
/// distances`: LogP's table of mean distances, by its formulas and by search.
class TopologyCommand final : public Command {
  public:
    TopologyCommand() : Command("topology", "Describe and draw a network") {}

  private:
    void declare(CommandSyntax command) override {
        CommandSyntax show =
            command.add_subcommand("show", "Print sizes, distances, bisection; draw a network");
        command.require_subcommand(1, 1);
        show.add_option("FILE", request_.file, "TOML file, or a graph file (.graphml, .dot)")
            .transform(from_own_experiments());
        add_settings(show, request_.set_options, "Override a key of the experiment");
        show.add_option("--topology", request_.name, topologies_that_read("dimensions"))
            .type_name("NAME");
        show.add_option_function(
                "--dimensions",
                [this](const std::string& extents) {
                    request_.dimensions =
                        whole_numbers("--dimensions", extents, 1, network::kMostTopologyNodes);
                },
                "Extents, such as 8,4; for a topology without\n"
                "extents, their product is the number of nodes")
            .type_name("N,N");
        show.add_option("--nodes", request_.nodes,
                        "Number of nodes, instead of --dimensions; not for\n" +
                            topologies_in_lines([](const network::TopologyFamily& family) {
                                return family.has_extents();
                            }))
            .type_name("N")
            .check(whole_number(1, network::kMostTopologyNodes));
        show.add_option("--arity", request_.arity,
                        "Arity of a " + topologies_that_read("arity") + " [4]")
            .type_name("K")
            .check(whole_number(1, network::kMostTopologyNodes));
        Option svg = show.add_option("--svg", picture_file_,
                                     "Draw the network; two colours show the bisection");
        svg.type_name("FILE");
        show.add_flag("--json", json_, "Print one JSON object, with all digits");
        show.footer(
            "In a graph file, a vertex may have the attribute kind=\"node\" or \"switch\".\n"
            "Without any kind, each vertex is a router with a node. An edge may have the\n"
            "attributes direction, output_port and input_port. An undirected edge is two\n"
            "channels, one in each direction.");

        distances_ =
            command.add_subcommand("distances", "Print mean distances: LogP's formulas and exact");
        distances_.add_option("--nodes", processors_, "Number of processors [1024]")
            .type_name("P")
            .check(whole_number(2, network::kMostTopologyNodes));
        distances_.add_flag("--json", json_, "Print one JSON object, with all digits");
    }

    int execute() override { return distances_.is_named() ? show_distances() : show_network(); }

    [[nodiscard]] int show_network() const {
        const std::vector<network::Topology> topologies = chosen_topologies(request_);
        if (!picture_file_.empty()) {
            check_picture(picture_file_, topologies);
        }
        nlohmann::ordered_json document = {{"topologies", nlohmann::ordered_json::array()}};
        std::string page;
        for (const network::Topology& topology : topologies) {
            const pages::TopologyFigures figures = pages::figures_of(topology);
            document["topologies"].push_back(pages::topology_document(topology, figures));
            page += (page.empty() ? "" : "\n") + pages::topology_page(topology, figures);
            if (!picture_file_.empty()) {
                draw(picture_file_, topology, figures);
            }
        }
        std::cout << (json_ ? records::json_text(document, 1) + "\n" : page);
        return running::kSuccess;
    }

    [[nodiscard]] int show_distances() const {
        const std::vector<pages::NetworkDistances> rows = pages::network_distances(processors_);
        std::cout << (json_ ? records::json_text(pages::distance_document(processors_, rows), 1) +
                                  "\n"
                            : pages::distance_table(processors_, rows));
        return running::kSuccess;
    }

    CommandSyntax distances_;
    std::int64_t processors_ = 1024;
    TopologyRequest request_;
    std::string picture_file_;
    bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> topology_command() { return std::make_unique<TopologyCommand>(); }

}  // namespace weir::experiments::commands
