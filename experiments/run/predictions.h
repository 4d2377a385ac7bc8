#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "experiments/run/metrics.h"
#include "firmware/kernel.h"
#include "nodes/behavioural_core.h"

namespace weir::experiments::run {

/// What one model says of a run: the metric, and the inputs it was asked with.
struct Prediction {
    std::string model;  ///< "lopc"; "lopc_given" when asked with the file's [models.inputs]
    Metrics metrics;
    Metrics inputs;
    std::string not_applicable;  ///< why the model gives nothing, or empty
};

/// The machine and kernel as far as the models need them.
struct PredictionContext {
    std::vector<int> mesh_extents;
    bool is_plain_mesh = true;  ///< of routers without virtual channels, and wormholes
    nodes::ReceiveMode receive_mode = nodes::ReceiveMode::kInterrupt;
    bool network_contends = true;             ///< routers and worms; no delay network
    double gap_cycles = 0.0;                  ///< g of a network that has one
    double channel_cycles_per_byte = 0.5;     ///< G of the channels
    double memory_cycles_per_byte = 0.34375;  ///< Gm: of a DMA engine that has the port to itself
    double notify_cycles = 10.0;              ///< header's arrival to interrupt
    double double_load_cycles = 3.0;          ///< of a double in memory, where nothing is cached
    double double_store_cycles = 4.0;
    double input_queue_bytes = 256.0;
    bool bodies_block = true;  ///< sends and receives of bodies hold the processor
    firmware::Communication communication = firmware::Communication::kRequestReply;
    Metrics kernel_facts;
};

/// Asks each model twice: with what the trace showed, and with the file's own inputs if it has any.
///
/// LogP and LoGPC split a handler's time into o_r and the o_s of the reply it sends; LoPC's S_o is
/// the whole handler, and its W what the thread itself does, its sends included (LoPC Section 3.1.2
/// says that send cost can be added). Where messages have bodies, LogGP is LoGPC without
/// contention: (2) of one message, the sum of Section 5.1.3 of a remap, (15) of a Diamond DAG.
/// Requests that visit several nodes are LoPC's general model's (Appendix A), and so are records
/// for a hot node, with the V that says who sends to whom. A model whose assumptions the machine or
/// the kernel does not meet says so and predicts nothing.
std::vector<Prediction> predict(std::span<const std::string> models, const Metrics& measured_inputs,
                                const Metrics& given_inputs, const PredictionContext& context);

/// What the models predict first of all, as measured_metrics names it.
const char* main_metric(firmware::Communication communication);

const std::vector<std::string>& known_models();
const std::vector<std::string>& known_model_inputs();

}  // namespace weir::experiments::run
