#include "experiments/analyses/compared_models/registry.h"

namespace weir::experiments::analyses {

namespace {

/// Only analyses of programs that share memory speak of it.
class LopcChannels final : public ComparedModel {
  public:
    LopcChannels()
        : ComparedModel(
              "lopc_channels",
              "LoPC of shared memory, where replies queue for the channel out of a home") {}

    [[nodiscard]] double round_trip(Question& /*question*/) const override {
        return only_shared_reads();
    }
    [[nodiscard]] double one_way(Question& /*question*/) const override {
        return only_shared_reads();
    }
};

/// The same of threads that are switched at each miss.
class Multithreading final : public ComparedModel {
  public:
    Multithreading()
        : ComparedModel("multithreading",
                        "Threads in turn: run length, latency and switch of each read") {}

    [[nodiscard]] double round_trip(Question& /*question*/) const override {
        return only_shared_reads();
    }
    [[nodiscard]] double one_way(Question& /*question*/) const override {
        return only_shared_reads();
    }
};

}  // namespace

std::unique_ptr<ComparedModel> lopc_channels_compared() { return std::make_unique<LopcChannels>(); }
std::unique_ptr<ComparedModel> multithreading_compared() {
    return std::make_unique<Multithreading>();
}

}  // namespace weir::experiments::analyses
