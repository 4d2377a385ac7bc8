#include "network/router/allocator.h"
#include "network/router/input_first_allocator.h"
#include "network/router/virtual_channel_router.h"
#include "network/router/wavefront_allocator.h"

namespace weir::network {

const std::vector<const AllocatorKind*>& allocator_kinds() {
    static const std::vector<const AllocatorKind*> all{
        &output_first_allocator_kind(),  //
        &input_first_allocator_kind(),   //
        &wavefront_allocator_kind(),     //
    };
    return all;
}

}  // namespace weir::network
