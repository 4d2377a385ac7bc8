#include "network/router/dynamic_node_router.h"
#include "network/router/output_queued_router.h"
#include "network/router/router.h"
#include "network/router/virtual_channel_router.h"

namespace weir::network {

const std::vector<const RouterKind*>& router_kinds() {
    static const std::vector<const RouterKind*> all{
        &virtual_channel_router_kind(),  //
        &output_queued_router_kind(),    //
        &dynamic_node_router_kind(),     //
    };
    return all;
}

}  // namespace weir::network
