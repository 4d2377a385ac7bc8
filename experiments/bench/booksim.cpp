#include "experiments/bench/booksim.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <optional>
#include <stdexcept>
#include <vector>

#include "experiments/records/run_file.h"
#include "experiments/setup/files/temporary_folder.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::bench {

namespace {

// Flit-hops of the shorter of two runs; the difference to a run of twice the length is timed.
constexpr double kFlitHops = 400'000.0;
constexpr std::int64_t kLeastCycles = 500;

std::string configuration_of(const BooksimNetwork& network, std::int64_t cycles) {
    return fmt::format(
        "{}\nvc_buf_size = {};\nwait_for_tail_credit = 0;\npacket_size = {};\n"
        "injection_rate_uses_flits = 1;\ntraffic = uniform;\ninjection_rate = {};\nseed = 1;\n"
        "sim_type = throughput;\nwarmup_periods = 1;\nmax_samples = 2;\nsample_period = {};\n",
        network.options, network.packet_flits, network.packet_flits, network.load, cycles);
}

struct BooksimRun {
    double seconds = 0.0;  ///< processor time
    double cycles = 0.0;
    double accepted = 0.0;  ///< flits per node and cycle
    double hops = 0.0;      ///< routers on a packet's route
};

/// Number behind the last occurrence of `label`, which is the total over all classes of packets.
std::optional<double> last_number(const std::string& output, const std::string& label) {
    const std::size_t at = output.rfind(label);
    if (at == std::string::npos) {
        return std::nullopt;
    }
    try {
        return std::stod(output.substr(at + label.size()));
    } catch (const std::logic_error&) {
        return std::nullopt;
    }
}

BooksimRun run(const std::string& program, const BooksimNetwork& network, std::int64_t cycles) {
    const setup::TemporaryFolder folder("weir-booksim");
    const auto file = folder.path() / "network";
    records::write_run_file(file, configuration_of(network, cycles));
    const TimedOutput timed =
        timed_output_of(quoted(program) + " " + quoted(file.string()) + " 2>&1");
    const auto taken = last_number(timed.output, "Time taken is ");
    const auto accepted = last_number(timed.output, "Accepted flit rate average = ");
    const auto hops = last_number(timed.output, "Hops average = ");
    if (!taken || !accepted || !hops) {
        throw setup::UserFault(
            {"--booksim " + program},
            "its output lacks BookSim 2's results (" +
                (WIFSIGNALED(timed.status)
                     ? fmt::format("killed by signal {}", WTERMSIG(timed.status))
                     : fmt::format("exit status {}", WEXITSTATUS(timed.status))) +
                ")",
            "the path of the program that BookSim 2's Makefile builds");
    }
    return {timed.seconds, *taken, *accepted, *hops};
}

}  // namespace

BooksimNetwork booksim_mesh(std::int64_t extent, double load, std::int64_t packet_flits,
                            std::int64_t virtual_channels) {
    const auto k = static_cast<double>(extent);
    return {.options =
                fmt::format("topology = mesh; k = {}; n = 2; routing_function = dor; num_vcs = {};",
                            extent, virtual_channels),
            .nodes = k * k,
            .routers = 2.0 * k / 3.0 + 1.0,
            .load = load,
            .packet_flits = packet_flits};
}

double booksim_speed(const std::string& program, const BooksimNetwork& network) {
    const double flit_hops_a_cycle = network.nodes * network.load * network.routers;
    const auto cycles =
        std::max(kLeastCycles, static_cast<std::int64_t>(std::ceil(kFlitHops / flit_hops_a_cycle)));
    const BooksimRun shorter = run(program, network, cycles);
    const BooksimRun longer = run(program, network, 2 * cycles);
    return longer.accepted * network.nodes * longer.hops * (longer.cycles - shorter.cycles) /
           (longer.seconds - shorter.seconds);
}

void check_booksim(const std::string& program) {
    if (access(program.c_str(), X_OK) != 0) {
        throw setup::UserFault({"--booksim " + program}, "no such program",
                               "the path of the program that BookSim 2's Makefile builds");
    }
    (void)run(program, booksim_mesh(4, 0.1, 8, 1), kLeastCycles);
}

BesideBooksim time_beside_booksim(const std::function<void()>& window,
                                  const std::function<double()>& flit_hops, const Effort& effort,
                                  const BooksimNetwork& network) {
    std::vector<double> ratios;
    std::vector<double> weir_speeds;
    std::vector<double> speeds;
    for (int i = 0; i < effort.repetitions; ++i) {
        const double hops = flit_hops();
        const std::clock_t begin = std::clock();
        window();
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        weir_speeds.push_back((flit_hops() - hops) / seconds);
        speeds.push_back(booksim_speed(effort.booksim, network));
        ratios.push_back(weir_speeds.back() / speeds.back());
    }
    return {median(ratios), median(weir_speeds), median(speeds)};
}

}  // namespace weir::experiments::bench
