#include "experiments/analyses/question.h"

#include <functional>
#include <numeric>
#include <optional>

#include "experiments/models/model_input.h"

namespace weir::experiments::analyses {

int MachineView::processors() const {
    return std::accumulate(mesh_extents.begin(), mesh_extents.end(), 1, std::multiplies<>());
}

double Inputs::take(std::string_view name) {
    const std::optional<double> value = records::find_metric(metrics_, name);
    if (value && !records::find_metric(taken_, name)) {
        taken_.emplace_back(name, *value);
    }
    if (!value) {
        missing_ = name;
    }
    return value.value_or(models::kNotGiven);
}

const std::vector<std::string>& known_model_inputs() {
    static const std::vector<std::string> names{"latency_cycles",
                                                "send_overhead_cycles",
                                                "receive_overhead_cycles",
                                                "handler_cycles",
                                                "handler_squared_cv",
                                                "request_handler_cycles",
                                                "request_handler_squared_cv",
                                                "reply_handler_cycles",
                                                "reply_handler_squared_cv",
                                                "work_cycles",
                                                "message_bytes",
                                                "long_send_overhead_cycles",
                                                "long_receive_overhead_cycles",
                                                "first_byte_latency_cycles",
                                                "header_to_dma_cycles",
                                                "mean_hops",
                                                "messages_per_node",
                                                "bodies_per_node",
                                                "program_work_cycles",
                                                "access_cycles",
                                                "directory_cycles",
                                                "fill_cycles",
                                                "trapped_share",
                                                "trap_cycles",
                                                "trap_after_reply_cycles",
                                                "reply_channel_cycles",
                                                "run_length_cycles",
                                                "read_latency_cycles",
                                                "switch_cycles"};
    return names;
}

}  // namespace weir::experiments::analyses
