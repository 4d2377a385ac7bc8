#include <mpi.h>

#include <array>
#include <string>

#include "experiments/running/clusters/mpi_functions.h"

/// Calls of MPI, as a module of the program.
namespace weir::experiments::running {

namespace {

std::string library() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
    int length = 0;
    MPI_Get_library_version(version.data(), &length);
    const std::string text(version.data(), length);
    return text.substr(0, text.find(','));
}

void begin(int& rank, int& count) {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
}

void end() { MPI_Finalize(); }

void send(int to, const std::string& text) {
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, to, 0, MPI_COMM_WORLD);
}

bool receive(int& from, std::string& text) {
    int has_come = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &has_come, &status);
    if (has_come == 0) {
        return false;
    }
    int length = 0;
    MPI_Get_count(&status, MPI_CHAR, &length);
    from = status.MPI_SOURCE;
    text.assign(length, '\0');
    MPI_Recv(text.data(), length, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return true;
}

}  // namespace

}  // namespace weir::experiments::running

extern "C" const weir::experiments::running::MpiFunctions* weir_mpi_functions() {
    using namespace weir::experiments;
    static constexpr running::MpiFunctions kFunctions{
        &running::library, &running::begin, &running::end, &running::send, &running::receive};
    return &kFunctions;
}
