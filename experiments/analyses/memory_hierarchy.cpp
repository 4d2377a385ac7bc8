#include "experiments/analyses/memory_hierarchy.h"

namespace weir::experiments::analyses {

models::TransferTimingInputs transfer_timing_inputs(const nodes::MachineConfiguration& machine,
                                                    std::int64_t element_bytes,
                                                    hw::Cycles loop_cycles) {
    const hw::MemoryPortParameters& port = machine.memory_port;
    const hw::Cycles more =
        element_bytes == 8 ? machine.memory.double_cycles.value() : hw::Cycles(0);
    models::TransferTimingInputs inputs{
        .load_cycles = (machine.memory.load_cycles.value() + more).count(),
        .store_cycles = (machine.memory.store_cycles.value() + more).count(),
        .loop_cycles = loop_cycles.count(),
        .walk_cycles = machine.caches.tlb.walk_cycles.value().count(),
        .levels = {},
        .port_access_cycles = port.access_cycles.value().count(),
        .port_beat_bytes = port.beat_bytes.value().count(),
        .port_beat_cycles = port.beat_cycles.value().count(),
        .port_row_bytes = port.row_bytes.value().count(),
        .port_row_access_cycles = port.row_access_cycles.value().count()};
    for (std::int64_t i = 0; i < machine.memory.caches.value(); ++i) {
        const memory::CacheLevelParameters& level = machine.caches.levels[i];
        inputs.levels.push_back({.access_cycles = level.access_cycles.value().count(),
                                 .busy_cycles = level.busy_cycles.value().count(),
                                 .miss_cycles = level.miss_cycles.value().count(),
                                 .write_buffer_entries = level.write_buffer_entries.value()});
    }
    return inputs;
}

models::MemoryHierarchyGeometry memory_hierarchy_geometry(
    const nodes::MachineConfiguration& machine, const models::TransferTimingInputs& inputs) {
    const memory::CacheParameters& caches = machine.caches;
    models::MemoryHierarchyGeometry geometry;
    for (std::size_t i = 0; i < inputs.levels.size(); ++i) {
        const memory::CacheLevelParameters& level = caches.levels[i];
        geometry.levels.push_back({.bytes = level.bytes.value().count(),
                                   .line_bytes = level.line_bytes.value().count(),
                                   .ways = level.ways.value()});
    }
    geometry.tlb = {.entries = caches.tlb.entries.value(),
                    .ways = caches.tlb.ways.value(),
                    .page_bytes = caches.tlb.page_bytes.value().count()};
    return models::with_unloaded_costs(geometry, inputs);
}

}  // namespace weir::experiments::analyses
