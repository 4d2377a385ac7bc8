#include "experiments/running/testing/small_experiments.h"

namespace weir::experiments::running {

namespace {

const std::string kTwoNodes = "machine.nodes = 2\nnetwork.dimensions = [2, 1]\n";
const std::string kFourNodes = "machine.nodes = 4\nnetwork.dimensions = [2, 2]\n";
const std::string kEightNodes = "machine.nodes = 8\nnetwork.dimensions = [4, 2]\n";

/// A kernel with these parameters.
std::string workload(const std::string& kernel, const std::string& parameters) {
    return "[workload]\nkernel = \"" + kernel + "\"\n" + parameters;
}

const std::string kRequests = workload("remap", R"(iterations = 4
argument_words = 4
)");
const std::string kMessages = workload("remap", R"(style = "asynchronous"
destinations = "ascending"
iterations = 8
argument_words = 4
)");
const std::string kBodies = workload("remap", R"(style = "asynchronous"
destinations = "ascending"
iterations = 3
body_bytes = 256
)");
const std::string kSixteenRows = "rows = 16\nnonzeros = 48\n";
const std::string kRows = workload("spmv", kSixteenRows);
const std::string kThreads = workload("multithread", R"(reads = 4
)");
const std::string kChunks = workload("workpile", R"(servers = 1
chunks = 6
)");
const std::string kDag = workload("diamond-dag", R"(tasks_per_side = 8
blocks = 2
)");

/// Messages that come together at each node in turn, through queues of 64 bytes.
const std::string kFullQueues = kFourNodes + R"(controller.output_queue_bytes = 64
controller.input_queue_bytes = 64
controller.overflow_trap = true
controller.overflow_timeout_cycles = 32
)" + kBodies;

const std::string kPackets = R"(workload.kernel = "open-loop"
[traffic]
load = 0.4
warm_up_cycles = 50
measurement_cycles = 100
)";
const std::string kTraffic = "network.dimensions = [4, 4]\n" + kPackets;

std::string copies(const std::string& kernel) {
    return workload(kernel, R"(sizes_bytes = [64, 512]
strides_bytes = [8, 24]
repetitions = 2
)");
}
/// Arrays that do not fit into the caches, with several misses under way.
const std::string kMisses = kTwoNodes + R"(memory.caches = 4
l1 = { bytes = 64, ways = 2, store_misses_wait = false }
l2 = { bytes = 128, ways = 1, line_bytes = 32 }
l3 = { bytes = 256, ways = 1, line_bytes = 64 }
l4 = { bytes = 512, ways = 1, line_bytes = 128 }
)" + copies("memcpy");
/// The same with lines that come ahead, and levels that take long for each.
const std::string kSlowCaches = kTwoNodes + R"(memory.caches = 4
l1 = { bytes = 64, prefetch_next_line = true }
l2 = { bytes = 128, ways = 1, busy_cycles = 100 }
l3 = { bytes = 256, ways = 1, busy_cycles = 100 }
l4 = { bytes = 512, ways = 1, busy_cycles = 100 }
)" + copies("memcpy");

const std::string kCompiled = kTwoNodes + "core.kind = \"sparcle\"\n";
/// An instruction of each class, and a loop as long as an argument says.
const std::string kInstructions =
    kCompiled + workload("image", "image = \"{images}/instruction_classes.elf\"\n");
/// A program with the fault of that number (firmware/sparcle/testing/faults.c), which a check of
/// the parameter finds.
SmallExperiment with_fault(const std::string& parameter, int number, const std::string& fault) {
    return {.parameters = {parameter},
            .text = kCompiled + workload("image", "image = \"{images}/faults.elf\"\narguments = [" +
                                                      std::to_string(number) + "]\n"),
            .fault = fault};
}
/// A program that reads the experiment's work.txt from its host.
const std::string kHostCalls =
    kCompiled + workload("image", "image = \"{images}/host_calls.elf\"\n");

std::vector<SmallExperiment> of_networks() {
    return {
        {{"network.allow_deadlock"},
         R"(network.topology = "torus"
network.dimensions = [8]
network.virtual_channels = 1
network.allow_deadlock = true
)" + kPackets,
         {"network.allow_deadlock=false"},
         "not free of deadlock"},
        {{"network.barrier"},
         kFourNodes + "network.barrier = true\n" + kRequests + "barrier_messages = 2\n",
         {"network.barrier=false"},
         "which this machine has not"},
        {{"network.barrier_cycles"},
         kFourNodes + "network.barrier = true\n" + kRequests + "barrier_messages = 2\n"},
        {{"network.dimensions"}, kEightNodes + kRequests},
        {{"network.graph_file"},
         R"(machine.nodes = 4
network.topology = "graph"
network.graph_file = "ring.dot"
)" + kRequests,
         {"network.graph_file={folder}/line.dot"}},
        {{"network.flit_by_flit", "network.tiles"}, kFourNodes + kBodies},
        {{"network.escapes_last", "network.leave_escapes"},
         "network.routing = \"minimal_adaptive\"\n" + kTraffic},
        {{"network.switching"}, "network.buffer_flits = 16\n" + kTraffic},
        {{"network.tag_bytes"}, kFourNodes + "network.topology = \"torus\"\n" + kRequests},
        {{"network.*"}, kTraffic},
        {{"traffic.trace_file"},
         R"(network.dimensions = [4, 4]
workload.kernel = "open-loop"
[traffic]
pattern = "trace"
trace_file = "packets.csv"
warm_up_cycles = 50
measurement_cycles = 100
)",
         {"traffic.trace_file={folder}/other_packets.csv"}},
        {{"traffic.interleave_packets"}, "network.virtual_channels = 2\n" + kTraffic},
        {{"traffic.drain_cycles"}, kTraffic, {"traffic.drain_cycles=1"}},
        {{"traffic.hot_spot_rates"},
         kTraffic + "pattern = \"hot_spot\"\nhot_spot_nodes = [0, 5]\nhot_spot_share = 0.5\n",
         {"traffic.hot_spot_rates=[1, 9]"}},
        {{"traffic.*"}, kTraffic},
    };
}

std::vector<SmallExperiment> of_faults() {
    std::vector<SmallExperiment> experiments{
        {{"faults.dead_channels"}, kTraffic, {"faults.dead_channels=(1,0) +x; (2,0) -x"}},
        {{"faults.dead_link_percent"}, kTraffic, {"faults.dead_link_percent=10"}},
        {{"faults.failing_nodes"}, kFourNodes + kRequests, {"faults.failing_nodes=1 @ 300"}},
        {{"faults.stuck_credits"},
         kFourNodes + "network.buffer_flits = 1\n" + kRequests,
         {"faults.stuck_credits=(0,0) +x @ 300"}},
    };
    for (const char* list : {"failing_channels", "lost_flits", "flipped_flits"}) {
        const std::string key = std::string("faults.") + list;
        experiments.push_back({{key}, kFourNodes + kRequests, {key + "=(0,0) +x @ 300"}, {}});
    }
    for (const char* rate : {"lost_flits_per_million", "flipped_flits_per_million"}) {
        const std::string key = std::string("faults.") + rate;
        experiments.push_back({{key}, kFourNodes + kRequests, {key + "=50000"}, {}});
    }
    return experiments;
}

std::vector<SmallExperiment> of_nodes() {
    return {
        {{"machine.nodes"},
         kFourNodes + kRequests,
         {"machine.nodes=8", "network.dimensions=[4, 2]"}},
        {{"machine.*"}, R"(network.dimensions = [2, 2]
workload.kernel = "open-loop"
traffic.pattern = "one_at_a_time"
)"},
        {{"clock.processor_mhz"}, kFourNodes + workload("fft", "points = 16\n")},
        {{"clock.*"}, kFullQueues},
        {{"controller.overflow_*", "controller.*_queue_bytes", "firmware.overflow_*"}, kFullQueues},
        {{"memory_port.row*", "remap.receive_buffers"},
         kFourNodes + R"(memory_port.access_cycles = 10
memory_port.row_bytes = 512
)" + kBodies},
        {{"memory_port.bursts_in_flight"}, kTwoNodes + R"(memory.caches = 1
memory_port.access_cycles = 30
l1 = { bytes = 64, store_misses_wait = false }
)" + copies("memcpy")},
        {{"core.loads_in_flight"}, kMisses},
        {{"core.contexts", "multithread.threads"},
         kTwoNodes + kThreads,
         {"core.contexts=2", "workload.threads=2"}},
        {{"core.context_switch_cycles"},
         kTwoNodes + "core.contexts = 2\n" + kThreads + "threads = 2\n"},
        {{"sparcle.remote_wait_trap_cycles"},
         kCompiled + "core.contexts = 2\n" + kThreads + "threads = 2\n"},
        with_fault("sparcle.null_page_bytes", 5, "in the null page"),
        with_fault("sparcle.writable_text", 6, "in the program's text"),
        with_fault("sparcle.check_stack", 7, "stack overflow"),
        with_fault("sparcle.check_uninitialised", 8, "that nothing has written"),
        with_fault("sparcle.handler_most_cycles", 9, "sparcle.handler_most_cycles"),
        {{"sparcle.*"}, kInstructions},
        {{"firmware.poll_to_send"},
         kFourNodes + "controller.output_queue_bytes = 64\n" + kMessages},
    };
}

std::vector<SmallExperiment> of_memories() {
    return {
        {{"memory.bytes"},
         kTwoNodes + "memory.caches = 1\nmemory.bytes = 8192\n" + copies("memcpy"),
         {"memory.bytes=131072"}},
        {{"memory.double_cycles"}, kTwoNodes + copies("memcpy")},
        {{"memory.dma_stores"},
         kTwoNodes + "memory.caches = 1\n" + workload("jacobi", "grid = 4\nmessages = \"long\"\n")},
        {{"memory.*"}, kTwoNodes + kRows},
        {{"tlb.*"}, kTwoNodes + R"(memory.caches = 1
tlb = { entries = 4, ways = 2, page_bytes = 64 }
)" + copies("memcpy")},
        {{"l?.write_policy", "l?.write_buffer_entries", "l?.busy_cycles"}, kSlowCaches},
        {{"l1.*", "l2.*", "l3.*", "l4.*"}, kMisses},
        {{"l1i.*"}, kCompiled + R"(memory = { caches = 1, instruction_cache = true }
l1i = { bytes = 64, miss_registers = 1, prefetch_next_line = true }
)" + kRequests},
    };
}

std::vector<SmallExperiment> of_runs() {
    const std::string precise = "run.relative_precision = 0.000_1\n";
    return {
        {{"run.warmup_cycles"}, kFourNodes + kRequests, {"run.warmup_cycles=1000"}},
        {{"run.batches"}, kFourNodes + workload("remap", "iterations = 100\n")},
        {{"run.most_lengthening"}, kFourNodes + precise + "run.most_lengthening = 2\n" + kRequests},
        {{"run.most_seeds"}, kTwoNodes + precise + "run.most_seeds = 5\n" + kRows},
        {{"run.most_cycles"}, kFourNodes + kRequests, {"run.most_cycles=100"}},
        {{"run.watchdog_cycles"},
         kFourNodes + R"(network.model = "logp"
network.logp_latency_cycles = 100_000
)" + kRequests,
         {"run.watchdog_cycles=1000"}},
        {{"trace.begin_cycle"}, kFourNodes + kRequests, {"trace.begin_cycle=1000"}},
        {{"trace.end_cycle"}, kFourNodes + kRequests, {"trace.end_cycle=1000"}},
        {{"recorded.trace"},
         kFourNodes + "recorded.trace = \"{recorded}\"\n" + kRequests,
         {"recorded.trace={other_recorded}"}},
    };
}

std::vector<SmallExperiment> of_kernels_on_memory() {
    std::vector<SmallExperiment> all;
    for (const std::string kernel : {"memcpy", "pack", "unpack"}) {
        const std::string one_cache = kTwoNodes + "memory.caches = 1\n" + copies(kernel);
        all.push_back({{kernel + ".leave_out_what_does_not_fit"},
                       kTwoNodes + "memory.bytes = 8192\n" + workload(kernel, R"(
sizes_bytes = [64, 4096]
strides_bytes = [8, 24]
leave_out_what_does_not_fit = true
)"),
                       {"workload.leave_out_what_does_not_fit=false"},
                       "do not fit"});
        all.push_back(
            {{kernel + ".destination_address"}, one_cache, {"workload.destination_address=8200"}});
        all.push_back({{kernel + ".*"}, one_cache});
    }
    return all;
}

std::vector<SmallExperiment> of_kernels_with_files() {
    return {
        {{"spmv.matrix"}, kTwoNodes + kRows, {"workload.matrix={folder}/four_rows.mtx"}},
        {{"diamond-dag.first_sequence"},
         kTwoNodes + kDag,
         {"workload.first_sequence={folder}/four_letters.fasta"}},
        {{"diamond-dag.second_sequence"},
         kTwoNodes + kDag,
         {"workload.second_sequence={folder}/four_letters.fasta"}},
        {{"workpile.work_file"},
         kFourNodes + kChunks + "work = \"file\"\nwork_file = \"work.txt\"\n",
         {"workload.work_file={folder}/other_work.txt"}},
        {{"replay.trace"},
         kFourNodes + workload("replay", "trace = \"{recorded}\"\n"),
         {"workload.trace={other_recorded}"}},
        {{"replay.*"},
         kFourNodes + "network.hop_cycles = 20\n" + workload("replay", "trace = \"{recorded}\"\n")},
        {{"image.image"}, kInstructions, {"workload.image={images}/bare.elf"}},
        {{"image.files"}, kHostCalls, {"workload.files={images}"}},
        {{"image.shares_memory"},
         kInstructions + "[memory]\ncaches = 1\n",
         {"workload.shares_memory=true"},
         "not compiled for shared memory"},
        {{"image.threads"},
         kCompiled + "memory.caches = 1\n" +
             workload("image",
                      "image = \"{images}/sharing_faults.elf\"\narguments = [1]\nshares_memory = "
                      "true\n"),
         {"workload.threads=2"},
         "more threads than contexts"},
        {{"image.*"}, kHostCalls},
    };
}

std::vector<SmallExperiment> of_kernels() {
    const std::string barrier = "network.barrier = true\n";
    return {
        {{"ping.*"}, kTwoNodes + workload("ping", "argument_words = [2]\n")},
        {{"flood.*"}, kFourNodes + workload("flood", "messages = 4\n")},
        {{"remap.*"},
         kEightNodes + barrier + kRequests + "work_cycles = 50\nhandler_work_cycles = 20\n"},
        {{"all-pairs.*"}, kFourNodes + barrier + workload("all-pairs", "rounds = 2\n")},
        {{"spmv.half_band"}, kTwoNodes + kRows, {"workload.half_band=2"}},
        {{"spmv.*"}, kTwoNodes + kRows},
        {{"body-ping.*"}, kFourNodes + workload("body-ping", "body_bytes = [8, 64]\n")},
        {{"diamond-dag.message_bytes"}, kFourNodes + kDag, {"workload.message_bytes=64"}},
        {{"diamond-dag.match_score"}, kTwoNodes + kDag, {"workload.match_score=-10"}},
        {{"diamond-dag.*"}, kFourNodes + kDag},
        {{"boundary-exchange.*"},
         kFourNodes + workload("boundary-exchange", "block = 4\nsteps = 2\n")},
        {{"jacobi.*"}, kTwoNodes + workload("jacobi", "grid = 4\niterations = 2\n")},
        {{"broadcast.*"}, kEightNodes + workload("broadcast", "")},
        {{"summation.*"}, kEightNodes + workload("summation", "")},
        {{"multithread.*"}, kTwoNodes + kThreads},
        {{"em3d.*"}, kEightNodes + workload("em3d", R"(graph_nodes = 32
degree = 3
span = 1
iterations = 1
block_values = 2
)")},
        {{"fft.*"}, kFourNodes + barrier + workload("fft", "points = 32\n")},
        {{"message-lock.*"}, kFourNodes + workload("message-lock", "acquisitions = 3\n")},
        {{"radix-sort.*"}, kFourNodes + workload("radix-sort", R"(keys = 32
key_bits = 4
radix_bits = 2
)")},
        {{"sample-sort.*"}, kFourNodes + workload("sample-sort", "keys = 32\nsamples = 2\n")},
        {{"workpile.*"}, kFourNodes + kChunks},
        {{"lu.*"}, kFourNodes + workload("lu", "rows = 6\n")},
        {{"pointer-chase.*"}, kFourNodes + workload("pointer-chase", R"(requests = 3
visits_per_request = 2
elements = 8
)")},
        {{"hot-spot.*"}, kFourNodes + workload("hot-spot", "records = 4\n")},
        {{"producer-consumer.*"},
         kEightNodes + workload("producer-consumer", "records = 4\nconsumers = 2\n")},
    };
}

std::vector<SmallExperiment> of_shared_memory() {
    const std::string shared = kEightNodes + "memory.caches = 1\n";
    const std::string lock = workload("shared-lock", "acquisitions = 3\n");
    const std::string threads =
        shared + "core.contexts = 4\nl1.bytes = 64\n" +
        workload("shared-lock", "acquisitions = 3\nlock = \"queue\"\nthreads = 4\n");
    const std::string jacobi = workload("shared-jacobi", "grid = 8\niterations = 2\n");
    const std::string rows = shared + workload("shared-spmv", kSixteenRows);
    return {
        {{"coherence.shared_bytes"},
         shared + workload("shared-jacobi", "grid = 64\niterations = 1\n"),
         {"coherence.shared_bytes=4096"},
         "the program's data take"},
        {{"coherence.fetch_and_op"},
         shared + "coherence.fetch_and_op = true\n" +
             workload("shared-lock", "acquisitions = 3\nmethod = \"fetch_and_add\"\n"),
         {"coherence.fetch_and_op=false"},
         "has a word changed at its home"},
        {{"shared-lock.method"},
         shared + "coherence.fetch_and_op = true\n" + lock,
         {"workload.method=fetch_and_add"}},
        {{"coherence.busy_spread_cycles"}, shared + lock, {"coherence.busy_spread_cycles=40"}},
        {{"coherence.home"}, shared + jacobi + "placement = \"spread\"\n"},
        {{"coherence.transaction_buffers"}, threads},
        {{"coherence.thrashlock"},
         threads + "[run]\nmost_cycles = 200_000\n",
         {"coherence.thrashlock=false"}},
        {{"shared-lock.threads"}, shared + lock, {"core.contexts=2", "workload.threads=2"}},
        // Two nodes take a line from each other, unused, until one of their threads counts as
        // starved.
        {{"coherence.starved_after_accesses"},
         "machine.nodes = 2\nnetwork.dimensions = [2, 1]\nmemory.caches = 1\n"
         "coherence.thrashlock = false\ncore.contexts = 2\n" +
             workload("shared-lock", "acquisitions = 3\nlock = \"queue\"\nthreads = 2\n") +
             "[run]\nmost_cycles = 300_000\n",
         {"coherence.starved_after_accesses=40"}},
        {{"coherence.trap_turns"},
         shared + "coherence.pointers = 1\n" + lock,
         {"coherence.trap_turns=false"}},
        {{"coherence.*", "limitless.*", "shared-lock.*", "trace.shared_accesses",
          "trace.line_states"},
         shared + lock},
        {{"limitless.directory_bytes"},
         shared + "core.kind = \"sparcle\"\n" + lock,
         {"limitless.directory_bytes=16"},
         "at least 32 for this many nodes"},
        {{"shared-reads.threads"},
         shared + workload("shared-reads", "reads = 8\n"),
         {"core.contexts=2", "workload.threads=2"}},
        {{"shared-reads.*"}, shared + workload("shared-reads", "reads = 8\n")},
        {{"shared-jacobi.*"}, shared + jacobi},
        {{"shared-em3d.*"},
         shared +
             workload("shared-em3d", "graph_nodes = 32\ndegree = 3\nspan = 1\niterations = 1\n")},
        {{"shared-spmv.matrix"}, rows, {"workload.matrix={folder}/four_rows.mtx"}},
        {{"shared-spmv.half_band"}, rows, {"workload.half_band=2"}},
        {{"shared-spmv.*"}, rows},
        {{"shared-radix-sort.*"}, shared + workload("shared-radix-sort", R"(keys = 64
key_bits = 4
radix_bits = 2
)")},
        {{"shared-lu.*"}, shared + workload("shared-lu", "rows = 8\n")},
        {{"shared-wavefront.block"},
         shared + workload("shared-wavefront", "grid = 8\nsynchronization = \"barrier\"\n")},
        {{"shared-wavefront.*", "core.full_empty_trap_cycles"},
         shared + workload("shared-wavefront", "grid = 8\n")},
        {{"meetings.*"},
         shared + workload("meetings", "meetings = 3\nbarrier = \"shared_tree\"\n")},
        {{"shared-latencies.*"}, shared + workload("shared-latencies", "rounds = 1\n")},
    };
}

/// What shows most of a machine's parameters.
std::vector<SmallExperiment> of_all() {
    return {{{"*"}, kFourNodes + kMessages},
            {{"*"}, kFourNodes + kRequests},
            {{"*"}, kFourNodes + kBodies}};
}

}  // namespace

const std::vector<SmallExperiment>& small_experiments() {
    static const std::vector<SmallExperiment> all = [] {
        std::vector<SmallExperiment> experiments;
        for (const auto& part : {of_networks(), of_faults(), of_nodes(), of_memories(), of_runs(),
                                 of_kernels_on_memory(), of_kernels_with_files(), of_kernels(),
                                 of_shared_memory(), of_all()}) {
            experiments.insert(experiments.end(), part.begin(), part.end());
        }
        return experiments;
    }();
    return all;
}

const std::vector<SmallFile>& small_files() {
    static const std::vector<SmallFile> all{
        {"ring.dot", "graph { a -- b; b -- c; c -- d; d -- a; }"},
        {"line.dot", "graph { a -- b; b -- c; c -- d; }"},
        {"packets.csv", "cycle,source,destination,bytes\n60,0,5,16\n70,5,0,2\n"},
        {"other_packets.csv", "cycle,source,destination,bytes\n60,0,15,16\n70,5,0,2\n"},
        {"four_rows.mtx",
         "%%MatrixMarket matrix coordinate real general\n4 4 3\n1 1 0.5\n2 3 -1e3\n3 4 2.25\n"},
        {"four_letters.fasta", ">four letters\nACGT\n"},
        {"work.txt", "100\n200\n"},
        {"other_work.txt", "100\n300\n"},
    };
    return all;
}

}  // namespace weir::experiments::running
