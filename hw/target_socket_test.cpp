#include "hw/target_socket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "hw/testing/names.h"
#include "hw/testing/plain_dram.h"

namespace weir::hw {
namespace {

using weir::testing::Names;

TEST(TargetSocketTest, RefusesBlockingTransportAndMovesNothingForADebugger) {
    testing::PlainDram dram("dram", 64);
    tlm::tlm_fw_transport_if<>& way = dram.socket.get_base_interface();
    tlm::tlm_generic_payload payload;
    sc_core::sc_time delay;
    std::string message;
    try {
        way.b_transport(payload, delay);
    } catch (const sc_core::sc_report& report) {
        message = report.get_msg();
    }
    EXPECT_THAT(message, Names("dram.socket", "non-blocking", "ProcessPort"));
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(way.transport_dbg(payload), 0U);
    tlm::tlm_dmi direct;
    EXPECT_FALSE(way.get_direct_mem_ptr(payload, direct));
}

}  // namespace
}  // namespace weir::hw
