#include "api_culprits/known_apis.hpp"

#include <algorithm>
#include <iterator>

namespace opdebug::api_culprits {
namespace {

template <class Table>
bool holds(const Table& table, std::string_view function) {
    return std::find(std::begin(table), std::end(table), function) != std::end(table);
}

// Sources of these tables: the documents of torch and torch.distributed on what the functions return and take;
// msprobe's rules for what its own analysis passes over (overflow_check/utils.py: Torch.empty, Torch.fill;
// graph_visualize: receive buffers). That a value of theirs is meant and not an accident is inferred.

/// -Inf or the negative limit as a constant, or by definition: log of zero.
constexpr std::string_view kMaskMakers[] = {"full",
                                            "full_like",
                                            "new_full",
                                            "fill",
                                            "fill_",
                                            "masked_fill",
                                            "masked_fill_",
                                            "where",
                                            "triu",
                                            "triu_",
                                            "tril",
                                            "tril_",
                                            "log",
                                            "log_",
                                            "log2",
                                            "log10",
                                            "log1p",
                                            "finfo",
                                            "fill_diagonal_",
                                            "tensor",
                                            "as_tensor",
                                            "scalar_tensor",
                                            "new_tensor",
                                            "index_fill",
                                            "index_fill_",
                                            "_masked_fill_scalar",
                                            "__setitem__",
                                            "Fill",
                                            "FillV2",
                                            "Fills",
                                            "MaskedFill",
                                            "Select",
                                            "SelectV2",
                                            "Triu",
                                            "Tril",
                                            "Log"};

constexpr std::string_view kMaskedValueTakers[] = {"softmax",  "softmax_",    "log_softmax",
                                                   "_softmax", "logsumexp",   "npu_scaled_masked_softmax",
                                                   "where",    "masked_fill", "masked_fill_"};

constexpr std::string_view kInPlaceOperators[] = {
    "__iadd__", "__isub__", "__imul__", "__itruediv__", "__idiv__",    "__ifloordiv__", "__imod__",   "__ipow__",
    "__iand__", "__ior__",  "__ixor__", "__ilshift__",  "__irshift__", "__imatmul__",   "__setitem__"};

/// First argument: its shape, type or device is read, or it is overwritten.
constexpr std::string_view kFirstNotRead[] = {"copy_",
                                              "zero_",
                                              "fill_",
                                              "ones_",
                                              "normal_",
                                              "uniform_",
                                              "random_",
                                              "bernoulli_",
                                              "cauchy_",
                                              "exponential_",
                                              "geometric_",
                                              "log_normal_",
                                              "trunc_normal_",
                                              "zeros_like",
                                              "ones_like",
                                              "full_like",
                                              "empty_like",
                                              "rand_like",
                                              "randn_like",
                                              "randint_like",
                                              "new_zeros",
                                              "new_ones",
                                              "new_full",
                                              "new_empty",
                                              "new_tensor",
                                              "new_empty_strided",
                                              "constant_",
                                              "kaiming_uniform_",
                                              "kaiming_normal_",
                                              "xavier_uniform_",
                                              "xavier_normal_",
                                              "zeros_",
                                              "eye_"};

struct WeightArguments {
    std::string_view function;
    std::string_view positions;  ///< one digit each
};
constexpr WeightArguments kWeights[] = {{"linear", "12"},           {"conv1d", "12"},
                                        {"conv2d", "12"},           {"conv3d", "12"},
                                        {"conv_transpose1d", "12"}, {"conv_transpose2d", "12"},
                                        {"conv_transpose3d", "12"}, {"embedding", "1"},
                                        {"layer_norm", "23"},       {"group_norm", "23"},
                                        {"batch_norm", "1234"},     {"npu_rms_norm", "1"},
                                        {"rms_norm", "2"},          {"prelu", "1"}};

// Positions and names of arguments: torch.distributed 2.x.
constexpr CommunicationApi kCommunication[] = {
    {"all_reduce", Flow::everyone, "", "", "", "", true},
    {"all_reduce_coalesced", Flow::everyone, "", "", "", "", true},
    {"reduce", Flow::to_root, "", "", "1", "dst", true},
    {"broadcast", Flow::from_root, "", "", "1", "src"},
    {"all_gather", Flow::everyone, "0", "tensor_list", "", "", false, false, true},
    {"all_gather_into_tensor", Flow::everyone, "0", "output_tensor", "", ""},
    {"_all_gather_base", Flow::everyone, "0", "output_tensor", "", ""},
    {"all_gather_coalesced", Flow::everyone, "0", "output_tensor_lists", "", ""},
    {"reduce_scatter", Flow::everyone, "0", "output", "", "", true},
    {"reduce_scatter_tensor", Flow::everyone, "0", "output", "", "", true},
    {"_reduce_scatter_base", Flow::everyone, "0", "output", "", "", true},
    {"all_to_all", Flow::everyone, "0", "output_tensor_list", "", "", false, false, true},
    {"all_to_all_single", Flow::everyone, "0", "output", "", ""},
    {"gather", Flow::to_root, "1", "gather_list", "2", "dst", false, false, true},
    {"scatter", Flow::from_root, "0", "tensor", "2", "src"},
    {"send", Flow::send, "", "", "1", "dst"},
    {"isend", Flow::send, "", "", "1", "dst"},
    {"recv", Flow::receive, "0", "tensor", "1", "src"},
    {"irecv", Flow::receive, "0", "tensor", "1", "src"},
    {"send_object_list", Flow::send, "", "", "1", "dst"},
    {"recv_object_list", Flow::receive, "0", "object_list", "1", "src"},
    {"batch_isend_irecv", Flow::batch, "", "", "", ""},
    {"barrier", Flow::everyone, "", "", "", ""},
    {"monitored_barrier", Flow::everyone, "", "", "", ""},
    {"all_gather_object", Flow::everyone, "0", "object_list", "", ""},
    {"gather_object", Flow::to_root, "1", "object_gather_list", "2", "dst"},
    {"broadcast_object_list", Flow::from_root, "", "", "1", "src"},
    {"scatter_object_list", Flow::from_root, "0", "scatter_object_output_list", "2", "src"}};

// MindSpore's operators, as primitives and as kernels (mindspore.ops.communication; types of HCCL's operators). Group,
// root and partner are attributes, which no dump tells.
constexpr CommunicationApi kOperators[] = {{"AllReduce", Flow::everyone, "", "", "", "", true, true},
                                           {"AllGather", Flow::everyone, "", "", "", "", false, true},
                                           {"ReduceScatter", Flow::everyone, "", "", "", "", true, true},
                                           {"Broadcast", Flow::everyone, "", "", "", "", false, true},
                                           {"AlltoAll", Flow::everyone, "", "", "", "", false, true},
                                           {"AllToAll", Flow::everyone, "", "", "", "", false, true},
                                           {"AlltoAllV", Flow::everyone, "", "", "", "", false, true},
                                           {"Send", Flow::send, "", "", "", "", false, true},
                                           {"Receive", Flow::receive, "", "", "", "", false, true}};

template <class Table>
const CommunicationApi* find_in(const Table& table, std::string_view function) {
    const auto* const known = std::find_if(std::begin(table), std::end(table), [function](const CommunicationApi& row) {
        return row.function == function;
    });
    return known == std::end(table) ? nullptr : known;
}

}  // namespace

std::string_view first_of(std::string_view index) {
    return index.substr(0, index.find('.'));
}

std::string_view function_of(std::string_view api) {
    if (api.starts_with("Aten.")) {
        const std::string_view rest = api.substr(5);
        return rest.substr(0, rest.find('.'));
    }
    return api.substr(api.rfind('.') + 1);
}

bool leaves_memory_as_it_is(std::string_view function) {
    constexpr std::string_view kStarts[] = {"empty", "new_empty", "_empty",  // torch, mindspore.mint
                                            "Empty", "NewEmpty"};            // MindSpore's primitives and kernels
    return std::any_of(std::begin(kStarts), std::end(kStarts),
                       [function](std::string_view start) { return function.starts_with(start); });
}

bool makes_masks(std::string_view function) {
    return holds(kMaskMakers, function);
}

bool takes_masked_values(std::string_view function) {
    return holds(kMaskedValueTakers, function);
}

bool is_not_read(std::string_view function, const ApiValue& argument) {
    if (argument.kind == ApiValueKind::keyword) {
        return first_of(argument.index) == "out";
    }
    return argument.kind == ApiValueKind::input && first_of(argument.index) == "0" && holds(kFirstNotRead, function);
}

bool is_no_result(std::string_view function, const ApiValue& output) {
    const std::string_view position = first_of(output.index);
    return function == "npu_fusion_attention" && (position == "4" || position == "5");
}

bool is_in_place(std::string_view function) {
    const bool one_underscore = function.size() > 1 && function.back() == '_' && function[function.size() - 2] != '_';
    return one_underscore || holds(kInPlaceOperators, function);
}

bool is_weight_argument(std::string_view function, const ApiValue& argument) {
    const auto* const known = std::find_if(std::begin(kWeights), std::end(kWeights),
                                           [function](const WeightArguments& row) { return row.function == function; });
    if (known == std::end(kWeights)) {
        return false;
    }
    if (argument.kind == ApiValueKind::keyword) {
        return argument.index == "weight" || argument.index == "bias" || argument.index == "gamma" ||
               argument.index == "beta";
    }
    return argument.kind == ApiValueKind::input && argument.index.size() == 1 &&
           known->positions.find(argument.index) != std::string_view::npos;
}

const CommunicationApi* communication_api(std::string_view api) {
    const bool distributed = api.starts_with("Distributed.") || api.starts_with("MintDistributed.");
    return distributed ? find_in(kCommunication, function_of(api)) : find_in(kOperators, function_of(api));
}

}  // namespace opdebug::api_culprits
