#include "firmware/kernels/compiled_registry.h"

#include "firmware/kernels/body_ping/compiled_body_ping.h"
#include "firmware/kernels/broadcast/compiled_broadcast.h"
#include "firmware/kernels/diamond_dag/compiled_diamond_dag.h"
#include "firmware/kernels/image/image_kernel.h"
#include "firmware/kernels/jacobi/compiled_jacobi.h"
#include "firmware/kernels/multithread/compiled_multithread.h"
#include "firmware/kernels/ping/compiled_ping.h"
#include "firmware/kernels/remap/compiled_remap.h"
#include "firmware/kernels/shared_jacobi/compiled_shared_jacobi.h"
#include "firmware/kernels/shared_latencies/compiled_shared_latencies.h"
#include "firmware/kernels/shared_lock/compiled_shared_lock.h"
#include "firmware/kernels/shared_wavefront/compiled_shared_wavefront.h"
#include "firmware/kernels/spmv/compiled_spmv.h"

namespace weir::firmware {

namespace {

template <class K>
std::unique_ptr<CompiledKernel> make_compiled() {
    return std::make_unique<K>();
}

}  // namespace

const std::vector<CompiledKernelEntry>& compiled_kernels() {
    static const std::vector<CompiledKernelEntry> entries{
        {"ping", "one message at a time between every pair of nodes", make_compiled<CompiledPing>},
        {"remap", "each node asks a random or the next node and waits for its reply",
         make_compiled<CompiledRemap>},
        {"spmv", "y = A x, remote elements of x fetched one by one", make_compiled<CompiledSpmv>},
        {"body-ping", "one long message at a time, its body moved by DMA engines",
         make_compiled<CompiledBodyPing>},
        {"broadcast", "a datum from node 0 to all nodes, down a tree",
         make_compiled<CompiledBroadcast>},
        {"diamond-dag", "two DNA sequences compared, stripe by stripe",
         make_compiled<CompiledDiamondDag>},
        {"multithread", "remote reads by threads in a node's hardware contexts",
         make_compiled<CompiledMultithread>},
        {"jacobi", "a square grid relaxed by strips, neighbours exchange rows",
         make_compiled<CompiledJacobi>},
        {"shared-jacobi", "a square grid relaxed by strips, by shared memory",
         make_compiled<CompiledSharedJacobi>},
        {"shared-wavefront", "a recurrence over a grid, by barriers, flags or J-structures",
         make_compiled<CompiledSharedWavefront>},
        {"shared-latencies", "one access to shared memory at a time",
         make_compiled<CompiledSharedLatencies>},
        {"shared-lock", "a counter in shared memory under a lock",
         make_compiled<CompiledSharedLock>},
        {"image", "a compiled program of the user's own", make_compiled<ImageKernel>},
    };
    return entries;
}

std::unique_ptr<CompiledKernel> make_compiled_kernel(std::string_view name) {
    for (const CompiledKernelEntry& entry : compiled_kernels()) {
        if (entry.name == name) {
            return entry.make();
        }
    }
    return nullptr;
}

}  // namespace weir::firmware
