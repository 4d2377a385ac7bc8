#include "experiments/running/clusters/mpi_ranks.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "experiments/running/clusters/mpi_functions.h"
#include "experiments/running/processes/host_module.h"
#include "experiments/setup/user_fault.h"

namespace weir::experiments::running {

namespace {

const MpiFunctions& functions_of_mpi() {
    static const auto* const functions = static_cast<const MpiFunctions*>(functions_of(
        {"weir_mpi.so", WEIR_MPI_LIBRARY, "weir_mpi_functions", "libopenmpi3", "libopenmpi-dev"},
        "mpirun has started several processes"));
    return *functions;
}

}  // namespace

std::size_t MpiRanks::started() {
    const auto size_in = [](const char* name) -> std::size_t {
        const char* const text = std::getenv(name);
        if (text == nullptr) {
            return 0;
        }
        std::size_t size = 0;
        const char* const end = text + std::strlen(text);
        const auto [stopped, error] = std::from_chars(text, end, size);
        if (error != std::errc() || stopped != end || size == 0) {
            throw setup::UserFault({std::string(name) + "=" + text}, "no number of processes",
                                   "a whole number of at least 1, as mpirun sets it");
        }
        return size;
    };
    // Under srun --mpi=pmix the number of processes is not in PMIx's own variables.
    const bool is_of_pmix = std::getenv("PMIX_RANK") != nullptr;
    for (const std::size_t size : {size_in("OMPI_COMM_WORLD_SIZE"), size_in("PMI_SIZE"),
                                   is_of_pmix ? size_in("SLURM_NTASKS") : 0}) {
        if (size != 0) {
            return size;
        }
    }
    return 1;
}

std::string MpiRanks::library() {
    try {
        return functions_of_mpi().library();
    } catch (const setup::UserFault&) {
        return "";
    }
}

MpiRanks::MpiRanks() { functions_of_mpi().begin(rank_, count_); }

MpiRanks::~MpiRanks() { functions_of_mpi().end(); }

void MpiRanks::send(int to, const std::string& text) const { functions_of_mpi().send(to, text); }

std::optional<MpiRanks::Message> MpiRanks::receive() const {
    Message message;
    return functions_of_mpi().receive(message.from, message.text) ? std::optional(message)
                                                                  : std::nullopt;
}

}  // namespace weir::experiments::running
