#include "experiments/running/clusters/mpi_ranks.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "experiments/setup/user_fault.h"

#ifdef WEIR_HAS_MPI
#include <mpi.h>

#include <array>
#endif

namespace weir::experiments::running {

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

#ifdef WEIR_HAS_MPI

std::string MpiRanks::library() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
    int length = 0;
    MPI_Get_library_version(version.data(), &length);
    const std::string text(version.data(), length);
    return text.substr(0, text.find(','));
}

MpiRanks::MpiRanks() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
}

MpiRanks::~MpiRanks() { MPI_Finalize(); }

void MpiRanks::send(int to, const std::string& text) const {
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, to, 0, MPI_COMM_WORLD);
}

std::optional<MpiRanks::Message> MpiRanks::receive() const {
    int has_come = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &has_come, &status);
    if (has_come == 0) {
        return std::nullopt;
    }
    int length = 0;
    MPI_Get_count(&status, MPI_CHAR, &length);
    Message message{status.MPI_SOURCE, std::string(length, '\0')};
    MPI_Recv(message.text.data(), length, MPI_CHAR, message.from, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return message;
}

#else

std::string MpiRanks::library() { return ""; }

MpiRanks::MpiRanks() {
    throw setup::UserFault(
        {"mpirun"}, "it has started several processes of this weir, which was built without MPI",
        "a build with libopenmpi-dev installed, or a single process");
}

MpiRanks::~MpiRanks() = default;

void MpiRanks::send(int /*to*/, const std::string& /*text*/) const {}

std::optional<MpiRanks::Message> MpiRanks::receive() const { return std::nullopt; }

#endif

}  // namespace weir::experiments::running
