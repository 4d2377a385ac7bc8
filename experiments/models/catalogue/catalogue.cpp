#include "experiments/models/catalogue/catalogue.h"

namespace weir::experiments::models {

// Functions that make one model each; every function is defined at the end of the file with its
// model's equations.
using MakeModel = std::unique_ptr<Model>();
MakeModel logp_point_to_point_model, logp_long_message_model, logp_unloaded_time_model,
    logp_network_distance_model, logp_broadcast_model, logp_summation_model,
    logp_summation_time_model, bsp_superstep_model, logp_fft_model, logp_lu_model,
    lopc_all_to_any_model, lopc_rule_of_thumb_model, lopc_sparse_product_model,
    lopc_client_server_model, lopc_general_model, lopc_pattern_model, lopc_mva_model,
    lopc_nonblocking_model, lopc_shared_memory_model, md1_all_to_any_model,
    loggp_long_message_model, logpc_long_message_model, logpc_short_messages_model,
    logpc_mean_distance_model, agarwal_open_network_model, logpc_closed_network_model,
    logpc_long_remap_model, logpc_diamond_dag_model, logpc_em3d_model, memory_logp_model,
    memory_logp_measured_model, memory_logp_message_model, memory_logp_curve_fit_model,
    memory_logp_stack_distance_model, log_np_model, log_3p_model, plogp_model, loggps_message_model;

Models all_models() {
    Models all;
    for (MakeModel* make : {logp_point_to_point_model,
                            logp_long_message_model,
                            loggps_message_model,
                            plogp_model,
                            logp_unloaded_time_model,
                            logp_network_distance_model,
                            logp_broadcast_model,
                            logp_summation_model,
                            logp_summation_time_model,
                            bsp_superstep_model,
                            logp_fft_model,
                            logp_lu_model,
                            lopc_all_to_any_model,
                            lopc_rule_of_thumb_model,
                            lopc_sparse_product_model,
                            lopc_client_server_model,
                            lopc_general_model,
                            lopc_pattern_model,
                            lopc_mva_model,
                            lopc_nonblocking_model,
                            lopc_shared_memory_model,
                            md1_all_to_any_model,
                            loggp_long_message_model,
                            logpc_long_message_model,
                            logpc_short_messages_model,
                            logpc_mean_distance_model,
                            agarwal_open_network_model,
                            logpc_closed_network_model,
                            logpc_long_remap_model,
                            logpc_diamond_dag_model,
                            logpc_em3d_model,
                            memory_logp_model,
                            memory_logp_measured_model,
                            memory_logp_message_model,
                            memory_logp_curve_fit_model,
                            memory_logp_stack_distance_model,
                            log_np_model,
                            log_3p_model}) {
        all.push_back(make());
    }
    return all;
}

}  // namespace weir::experiments::models
