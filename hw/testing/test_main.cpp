#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <exception>
#include <iostream>
#include <systemc>

#include "hw/testing/forked_tests.h"

namespace {

// A SystemC warning or error that a test didn't ask for fails the test.
void report_handler(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    if (report.get_severity() == sc_core::SC_WARNING) {
        ADD_FAILURE() << report.get_msg_type() << ": " << report.get_msg();
    }
    sc_core::sc_report_handler::default_handler(report, actions);
}

}  // namespace

int sc_main(int argc, char** argv) {
    testing::InitGoogleMock(&argc, argv);
    sc_core::sc_report_handler::set_handler(report_handler);
    try {
        const auto share = weir::hw::testing::share_of_arguments(argc, argv);
        return share ? weir::hw::testing::run_forked(*share) : RUN_ALL_TESTS();
    } catch (const std::exception& fault) {
        std::cerr << fault.what() << '\n';
        return 2;
    }
}
