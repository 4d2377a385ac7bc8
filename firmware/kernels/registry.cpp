#include "firmware/kernels/registry.h"

#include "firmware/kernels/bulk_ping/bulk_ping.h"
#include "firmware/kernels/diamond_dag/diamond_dag.h"
#include "firmware/kernels/flood/flood.h"
#include "firmware/kernels/ping/ping.h"
#include "firmware/kernels/remap/remap.h"
#include "firmware/kernels/spmv/spmv.h"

namespace weir::firmware {

namespace {

template <class K>
std::unique_ptr<Kernel> make() {
    return std::make_unique<K>();
}

}  // namespace

const std::vector<KernelEntry>& kernels() {
    static const std::vector<KernelEntry> entries{
        {"ping", "one message at a time between every pair of nodes", make<Ping>},
        {"flood", "messages as fast as one sender, or one receiver, can take them", make<Flood>},
        {"remap", "each node asks a random or the next node and waits for its reply", make<Remap>},
        {"spmv", "y = A x, remote elements of x fetched one by one", make<Spmv>},
        {"bulk-ping", "one long message at a time, its body moved by DMA engines", make<BulkPing>},
        {"diamond-dag", "two DNA sequences compared, stripe by stripe", make<DiamondDag>},
    };
    return entries;
}

std::unique_ptr<Kernel> make_kernel(std::string_view name) {
    for (const KernelEntry& entry : kernels()) {
        if (entry.name == name) {
            return entry.make();
        }
    }
    return nullptr;
}

}  // namespace weir::firmware
