#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "experiments/setup/testing/small_machine.h"
#include "experiments/setup/user_fault.h"
#include "hw/parameter.h"
#include "hw/testing/fuzz_target.h"
#include "hw/testing/test_folder.h"

namespace weir::experiments::setup {

/// Temporary directory, the current one during the test, so that messages name files by their short
/// names. Presets are in presets/.
class ConfigTest : public ::testing::Test {
  protected:
    ConfigTest() { std::filesystem::create_directory("presets"); }

    static void write(const std::string& file, const std::string& text) {
        hw::testing::note_seed("experiment-file", text);
        std::ofstream(file) << text;
    }

    SmallMachine machine_;
    NetworkParameters& network_ = machine_.network;
    ControllerParameters& controller_ = machine_.controller;
    TraceFileParameters& trace_ = machine_.trace;
    RemapParameters& remap_ = machine_.remap;
    FftParameters& fft_ = machine_.fft;
    SpmvParameters& spmv_ = machine_.spmv;
    std::vector<hw::ParameterGroup*> remap_machine_ = machine_.remap_machine;
    std::vector<hw::ParameterGroup*> fft_machine_ = {&network_, &controller_, &trace_, &fft_};
    std::vector<hw::ParameterGroup*> spmv_machine_ = {&network_, &controller_, &trace_, &spmv_};

  private:
    hw::testing::CurrentTestFolder folder_;
};

/// Message of the UserFault that `action` throws; a text saying so if it throws none.
template <class Action>
std::string fault_of(Action action) {
    try {
        action();
    } catch (const UserFault& fault) {
        return fault.what();
    }
    return "none";
}

}  // namespace weir::experiments::setup
