#include "nodes/programming/call_fault.h"

#include <exception>
#include <new>
#include <system_error>
#include <utility>

#include "nodes/programming/processor.h"

namespace weir::nodes {

std::string text_of(const CallPlace& call) {
    return call.line() == 0
               ? ""
               : std::string(", in ") + call.file_name() + ":" + std::to_string(call.line());
}

void refuse_call(const Processor& processor, const CallPlace& call, std::string found,
                 std::string accepted) {
    throw ProgramFault("node " + std::to_string(processor.node().index()) + ", cycle " +
                           std::to_string(processor.now().count()),
                       std::move(found) + text_of(call), std::move(accepted));
}

void refuse_call(const CallPlace& call, std::string found, std::string accepted) {
    throw ProgramFault(hw::Fault{{}, std::move(found) + text_of(call), std::move(accepted), {}});
}

void rethrow_from_program(const std::string& what) {
    try {
        throw;
    } catch (const hw::Refusal&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::system_error&) {
        throw;
    } catch (const std::exception& exception) {
        throw ProgramFault(what + " ends with an exception: " + exception.what());
    } catch (...) {
        throw ProgramFault(what + " ends with an exception");
    }
}

}  // namespace weir::nodes
