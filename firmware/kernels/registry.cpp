#include "firmware/kernels/registry.h"

#include "firmware/kernels/all_pairs_exchange/all_pairs_exchange.h"
#include "firmware/kernels/body_ping/body_ping.h"
#include "firmware/kernels/boundary_exchange/boundary_exchange.h"
#include "firmware/kernels/broadcast/broadcast.h"
#include "firmware/kernels/diamond_dag/diamond_dag.h"
#include "firmware/kernels/em3d/em3d.h"
#include "firmware/kernels/fft/fft.h"
#include "firmware/kernels/flood/flood.h"
#include "firmware/kernels/goal/goal.h"
#include "firmware/kernels/image/image_kernel.h"
#include "firmware/kernels/jacobi/jacobi.h"
#include "firmware/kernels/lu/lu.h"
#include "firmware/kernels/meetings/meetings.h"
#include "firmware/kernels/memory_transfer/memory_transfer.h"
#include "firmware/kernels/message_lock/message_lock.h"
#include "firmware/kernels/multithread/multithread.h"
#include "firmware/kernels/ping/ping.h"
#include "firmware/kernels/pointer_chase/pointer_chase.h"
#include "firmware/kernels/radix_sort/radix_sort.h"
#include "firmware/kernels/record_delivery/record_delivery.h"
#include "firmware/kernels/remap/remap.h"
#include "firmware/kernels/sample_sort/sample_sort.h"
#include "firmware/kernels/shared_em3d/shared_em3d.h"
#include "firmware/kernels/shared_jacobi/shared_jacobi.h"
#include "firmware/kernels/shared_latencies/shared_latencies.h"
#include "firmware/kernels/shared_lock/shared_lock.h"
#include "firmware/kernels/shared_lu/shared_lu.h"
#include "firmware/kernels/shared_radix_sort/shared_radix_sort.h"
#include "firmware/kernels/shared_reads/shared_reads.h"
#include "firmware/kernels/shared_spmv/shared_spmv.h"
#include "firmware/kernels/shared_wavefront/shared_wavefront.h"
#include "firmware/kernels/spmv/spmv.h"
#include "firmware/kernels/summation/summation.h"
#include "firmware/kernels/workpile/workpile.h"

namespace weir::firmware {

namespace {

template <class K>
std::unique_ptr<Kernel> make() {
    return std::make_unique<K>();
}

template <TransferKind kind>
std::unique_ptr<Kernel> make_transfer() {
    return std::make_unique<MemoryTransfer>(kind);
}

}  // namespace

const std::vector<KernelEntry>& kernels() {
    static const std::vector<KernelEntry> entries{
        {"ping", "one short message at a time between every pair of nodes", make<Ping>},
        {"flood", "messages as fast as one sender, or one receiver, can handle them", make<Flood>},
        {"remap", "every node sends requests or messages to other nodes", make<Remap>},
        {"all-pairs", "every node sends to every other node, in rounds", make<AllPairsExchange>},
        {"spmv", "sparse matrix-vector product y = A x, by requests for elements of x", make<Spmv>},
        {"body-ping", "one message with a body at a time; DMA engines move the body",
         make<BodyPing>},
        {"diamond-dag", "comparison of two DNA sequences, a stripe on each node", make<DiamondDag>},
        {"memcpy", "node 0 copies a strided array to an array with the same stride",
         make_transfer<TransferKind::kCopy>},
        {"pack", "node 0 copies a strided array to a contiguous array",
         make_transfer<TransferKind::kPack>},
        {"unpack", "node 0 copies a contiguous array to a strided array",
         make_transfer<TransferKind::kUnpack>},
        {"boundary-exchange",
         "relaxation of a two-dimensional array; neighbours exchange rows and columns",
         make<BoundaryExchange>},
        {"jacobi", "Jacobi iteration on a square grid; neighbours exchange boundary rows",
         make<Jacobi>},
        {"broadcast", "a datum sent from node 0 to all nodes, along a tree", make<Broadcast>},
        {"summation", "sum of the values of all nodes, along a tree", make<Summation>},
        {"multithread", "remote reads by several threads on each node", make<Multithread>},
        {"em3d", "electric and magnetic values on a bipartite graph", make<Em3d>},
        {"fft", "a fast Fourier transform", make<Fft>},
        {"radix-sort", "keys sorted digit by digit", make<RadixSort>},
        {"sample-sort", "keys sorted by splitters chosen from samples", make<SampleSort>},
        {"workpile", "clients take chunks of work from servers", make<Workpile>},
        {"lu", "LU decomposition with partial pivoting", make<Lu>},
        {"pointer-chase", "requests that visit several nodes before their reply",
         make<PointerChase>},
        {"hot-spot", "all nodes send records to all, one node receives more than the others",
         make<HotSpot>},
        {"goal", "replay of a schedule of LogGOPSim: sends, receives and calculations", make<Goal>},
        {"shared-latencies",
         "one access to shared memory at a time, with copies on different nodes",
         make<SharedLatencies>},
        {"shared-jacobi", "jacobi by shared memory", make<SharedJacobi>},
        {"shared-em3d", "em3d by shared memory", make<SharedEm3d>},
        {"shared-spmv", "spmv by shared memory", make<SharedSpmv>},
        {"shared-radix-sort", "radix-sort by shared memory", make<SharedRadixSort>},
        {"shared-lu", "lu by shared memory", make<SharedLu>},
        {"shared-reads", "remote reads of shared memory, with threads and prefetches",
         make<SharedReads>},
        {"shared-wavefront",
         "a recurrence forth and back over a grid, with barriers, flags or J-structures",
         make<SharedWavefront>},
        {"shared-lock", "additions to a counter in shared memory, under a lock",
         make<SharedLockKernel>},
        {"message-lock", "additions to a counter on node 0, by messages", make<MessageLock>},
        {"meetings", "repeated barriers of all nodes, by shared memory, by messages or by hardware",
         make<Meetings>},
        {"producer-consumer",
         "producers send records to consumers, one consumer receives more than the others",
         make<ProducerConsumer>},
    };
    return entries;
}

std::unique_ptr<Kernel> make_kernel(std::string_view name, const std::vector<KernelEntry>& among) {
    for (const KernelEntry& entry : among) {
        if (entry.name == name) {
            return entry.make();
        }
    }
    return nullptr;
}

namespace {

template <class K>
std::unique_ptr<CompiledKernel> make_compiled() {
    return std::make_unique<K>();
}

}  // namespace

const std::vector<CompiledKernelEntry>& compiled_kernels() {
    static const std::vector<CompiledKernelEntry> entries{
        {"ping", "one short message at a time between every pair of nodes",
         make_compiled<CompiledPing>},
        {"remap", "every node sends requests or messages to other nodes",
         make_compiled<CompiledRemap>},
        {"spmv", "sparse matrix-vector product y = A x, by requests for elements of x",
         make_compiled<CompiledSpmv>},
        {"body-ping", "one message with a body at a time; DMA engines move the body",
         make_compiled<CompiledBodyPing>},
        {"broadcast", "a datum sent from node 0 to all nodes, along a tree",
         make_compiled<CompiledBroadcast>},
        {"diamond-dag", "comparison of two DNA sequences, a stripe on each node",
         make_compiled<CompiledDiamondDag>},
        {"multithread", "remote reads by several threads on each node, each in a hardware context",
         make_compiled<CompiledMultithread>},
        {"jacobi", "Jacobi iteration on a square grid; neighbours exchange boundary rows",
         make_compiled<CompiledJacobi>},
        {"shared-jacobi", "jacobi by shared memory", make_compiled<CompiledSharedJacobi>},
        {"shared-wavefront",
         "a recurrence forth and back over a grid, with barriers, flags or J-structures",
         make_compiled<CompiledSharedWavefront>},
        {"shared-latencies", "one access to shared memory at a time",
         make_compiled<CompiledSharedLatencies>},
        {"shared-lock", "additions to a counter in shared memory, under a lock",
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
