/* Reads a file and standard input by calls to the host, without the C library. The program's time
 * depends on all properties of a program that the image kernel sets. */
#include "firmware/sparcle/active_messages.h"
#include "firmware/sparcle/host_call.h"

static volatile uint32_t call[WEIR_CALL_WORDS];
static char bytes[64];

static uint32_t ask(uint32_t operation, uint32_t one, uint32_t two, uint32_t three) {
    call[WEIR_CALL_OPERATION] = operation;
    call[WEIR_CALL_ARGUMENT] = one;
    call[WEIR_CALL_ARGUMENT + 1] = two;
    call[WEIR_CALL_ARGUMENT + 2] = three;
    WEIR_DEVICE(WEIR_HOST_CALL) = (uint32_t)call;
    weir_wait_until(weir_cycle() + call[WEIR_CALL_CYCLES]);
    return call[WEIR_CALL_RESULT];
}

int main(int count, const unsigned* words) {
    static const char name[] = "work.txt";
    const uint32_t file = ask(WEIR_CALL_OPEN, (uint32_t)name, sizeof name - 1, 0);
    const uint32_t read = ask(WEIR_CALL_READ, file, (uint32_t)bytes, sizeof bytes);
    const uint32_t input = ask(WEIR_CALL_READ, WEIR_FILE_INPUT, (uint32_t)bytes, sizeof bytes);
    weir_work(weir_boot.stack_bytes / 256);
    weir_work(100 * (uint32_t)count + (count > 0 ? words[0] : 0));
    return input > sizeof bytes || (read > sizeof bytes && read != ~0u);
}
