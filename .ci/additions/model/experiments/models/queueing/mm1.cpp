#include <memory>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {

namespace {

class Mm1 final : public Model {
  public:
    Mm1()
        : Model("mm1", "Queue with Poisson arrivals, exponential service times and one server",
                "Kleinrock, Queueing Systems, Volume 1 (1975), Chapter 3") {
        input(interarrival_cycles_, "interarrival_cycles", "1/lambda",
              "Mean time between arrivals");
        input(service_cycles_, "service_cycles", "1/mu", "Mean service time");
        output(response_cycles_, "response_cycles", "T",
               "Mean time of a request in the system, waiting and service", "(3.26)");
    }

  private:
    void evaluate() override {
        if (service_cycles_ >= interarrival_cycles_) {
            throw ModelError("service_cycles (1/mu) is not below interarrival_cycles (1/lambda)",
                             "a utilisation below 1");
        }
        response_cycles_ = service_cycles_ / (1.0 - service_cycles_ / interarrival_cycles_);
    }

    double interarrival_cycles_ = 0.0;
    double service_cycles_ = 0.0;
    double response_cycles_ = 0.0;
};

}  // namespace

std::unique_ptr<Model> mm1_model() { return std::make_unique<Mm1>(); }

}  // namespace weir::experiments::models
