#include "network/router/oldest_first_router.h"

#include <memory>

#include "network/router/output_queued_router.h"

namespace weir::network {

const RouterKind& oldest_first_router_kind() {
    static const RouterKind kind{
        "oldest_first", "output queues that serve the oldest message",
        [](const sc_core::sc_module_name& name, hw::ClockDomain& domain, const Router::Site& site,
           const Router::Design& design) -> std::unique_ptr<Router> {
            Router::Design own = design;
            own.arbitration = Arbitration::kOldest;
            return std::make_unique<OutputQueuedRouter>(name, domain, site, own);
        }};
    return kind;
}

}  // namespace weir::network
