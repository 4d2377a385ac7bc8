#include "nodes/programming/call_fault.h"

#include <exception>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "nodes/programming/processor.h"

namespace weir::nodes {

namespace {

// Shortens the path of a file of Weir to the path inside Weir's source tree.
std::string_view shown_file(std::string_view file) {
    constexpr std::string_view kThis = "nodes/programming/call_fault.cpp";
    const std::string_view own = CallPlace::current().file_name();
    const std::string_view root =
        own.ends_with(kThis) ? own.substr(0, own.size() - kThis.size()) : std::string_view();
    return file.starts_with(root) ? file.substr(root.size()) : file;
}

}  // namespace

std::string text_of(const CallPlace& call) {
    return call.line() == 0 ? ""
                            : ", in " + std::string(shown_file(call.file_name())) + ":" +
                                  std::to_string(call.line());
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
