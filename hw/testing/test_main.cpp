#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <exception>
#include <iostream>
#include <systemc>

#include "hw/testing/forked_tests.h"

#ifdef WEIR_HAS_SANITIZERS
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace {

// Fails a test in which SystemC reports an unexpected warning or error.
void report_handler(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    if (report.get_severity() == sc_core::SC_WARNING) {
        ADD_FAILURE() << report.get_msg_type() << ": " << report.get_msg();
    }
    sc_core::sc_report_handler::default_handler(report, actions);
}

/// Tells the address sanitizer at the end of the process where the first stack is. libsystemc
/// announces a switch of stacks, but not the bounds of the first stack when it returns to it. The
/// sanitizer would keep the bounds of a thread's stack, which may include unreadable pages. The
/// sanitizer's search for leaks would fail at such a page.
class FirstStack {
  public:
    FirstStack() = default;
    FirstStack(const FirstStack&) = delete;
    FirstStack& operator=(const FirstStack&) = delete;
#ifdef WEIR_HAS_SANITIZERS
    ~FirstStack() {
        pthread_attr_t attributes;
        void* bottom = nullptr;
        std::size_t bytes = 0;
        if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
            return;
        }
        pthread_attr_getstack(&attributes, &bottom, &bytes);
        pthread_attr_destroy(&attributes);
        void* fake = nullptr;
        __sanitizer_start_switch_fiber(&fake, bottom, bytes);
        __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
    }
#endif
};

}  // namespace

int sc_main(int argc, char** argv) {
    [[maybe_unused]] const FirstStack stack;
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
