#pragma once

#include "firmware/sparcle/compiled_kernel.h"

namespace weir::firmware {

/// A user's own program on Sparcle nodes, compiled with firmware/sparcle or without it: the same
/// image on every node. Its main(count, words) gets the arguments; it has gone well when every
/// node's status is 0.
class ImageKernel final : public CompiledKernel {
  public:
    struct Parameters : hw::ParameterGroup {
        Parameters() : ParameterGroup("workload", "image: a compiled program of the user's own") {}

        hw::Parameter<hw::FilePath> image{
            *this, "image", "", {}, "The program: an ELF file for SPARC V7"};
        hw::Parameter<std::vector<std::int64_t>> arguments{
            *this,
            "arguments",
            {},
            {-(std::int64_t{1} << 31), (std::int64_t{1} << 32) - 1},
            "Words that every node's main(count, words) gets"};
    };

    hw::ParameterGroup& parameters() override { return parameters_; }
    [[nodiscard]] Communication communication() const override { return Communication::kSingle; }

  protected:
    [[nodiscard]] ElfImage load_image() override;
    [[nodiscard]] std::vector<std::uint32_t> arguments() const override;
    void write_data(const nodes::MachineShape& /*machine*/, std::uint64_t /*seed*/,
                    ImageMemory& /*memory*/) override {}
    [[nodiscard]] std::optional<std::string> check_answer(ImageMemory& /*memory*/) override {
        return std::nullopt;  // the nodes' statuses are
    }

  private:
    Parameters parameters_;
};

}  // namespace weir::firmware
