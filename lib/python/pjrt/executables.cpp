// Compilation, and what callers ask of a compiled program.
#include "python/pjrt/entries.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace nb = nanobind;

namespace hlokit::pjrt {
namespace {

// The number of a kind in MEMORY_KINDS.
size_t memory_of(const std::string &kind) {
  const auto *place = std::find(std::begin(MEMORY_KINDS), std::end(MEMORY_KINDS), kind);
  if (place == std::end(MEMORY_KINDS))
    throw Failure{PJRT_Error_Code_INVALID_ARGUMENT,
                  "a result's memory must be device, pinned_host or unpinned_host, got " + kind};
  return static_cast<size_t>(place - std::begin(MEMORY_KINDS));
}

} // namespace

Program::Program(nb::object compiled) : python(std::move(compiled)) {
  name = nb::cast<std::string>(python.attr("name"));
  fingerprint = nb::cast<std::string>(python.attr("fingerprint"));
  replicas = nb::cast<size_t>(python.attr("replicas"));
  partitions = nb::cast<size_t>(python.attr("partitions"));
  has_effects = nb::cast<bool>(python.attr("has_effects"));
  for (nb::handle device : python.attr("devices"))
    devices.push_back(nb::cast<int>(device));
  for (nb::handle is_donated : python.attr("donated"))
    donated.push_back(nb::cast<bool>(is_donated));
  const nb::object shapes = python.attr("input_shapes");
  for (nb::handle type : python.attr("input_types")) {
    const int number = type.is_none() ? PJRT_Buffer_Type_INVALID : nb::cast<int>(type);
    inputs.push_back({static_cast<PJRT_Buffer_Type>(number), {}});
    for (nb::handle size : shapes[inputs.size() - 1])
      inputs.back().dims.push_back(nb::cast<int64_t>(size));
  }
  for (nb::handle type : python.attr("output_types"))
    outputs.types.push_back(static_cast<PJRT_Buffer_Type>(nb::cast<int>(type)));
  for (nb::handle shape : python.attr("output_shapes")) {
    outputs.ranks.push_back(nb::len(shape));
    for (nb::handle size : shape)
      outputs.dims.push_back(nb::cast<int64_t>(size));
  }
  for (nb::handle kind : python.attr("output_memory_kinds")) {
    outputs.memories.push_back(memory_of(nb::cast<std::string>(kind)));
    outputs.memory_kinds.push_back(MEMORY_KINDS[outputs.memories.back()]);
    outputs.memory_kind_sizes.push_back(std::strlen(outputs.memory_kinds.back()));
  }
}

Program::~Program() {
  if (!is_python_alive()) {
    python.release();
    direct.release();
    return;
  }
  nb::gil_scoped_acquire gil;
  python.reset();
  direct.reset();
}

namespace {

// Bytes that a caller owns, and frees with a function.
template <typename Args, typename Handle> void give_bytes(Args &args, Handle *&owner, void (*&deleter)(Handle *), std::string text) {
  auto *owned = new std::string(std::move(text));
  args.serialized_bytes = owned->data();
  args.serialized_bytes_size = owned->size();
  owner = reinterpret_cast<Handle *>(owned);
  deleter = [](Handle *handle) { delete reinterpret_cast<std::string *>(handle); };
}

std::string bytes_of(nb::handle bytes) {
  const auto data = nb::cast<nb::bytes>(bytes);
  return {data.c_str(), data.size()};
}

PJRT_LoadedExecutable *loaded(PJRT_Client *client, std::shared_ptr<Program> program) {
  auto executable = std::make_unique<PJRT_LoadedExecutable>();
  executable->client = client;
  for (int id : program->devices) {
    if (id < 0 || static_cast<size_t>(id) >= client->devices.size())
      throw Failure{PJRT_Error_Code_INVALID_ARGUMENT, "a program must run on devices of its client, which has " +
                                                          std::to_string(client->devices.size()) + ", got device " +
                                                          std::to_string(id)};
    executable->devices.push_back(client->devices[static_cast<size_t>(id)]);
  }
  executable->program = std::move(program);
  return executable.release();
}

template <typename Args> std::shared_ptr<Program> compiled(const Args &args) {
  return with_python([&] {
    const nb::bytes code(args.program->code, args.program->code_size);
    const nb::bytes options(args.compile_options, args.compile_options_size);
    const nb::str format(args.program->format, args.program->format_size);
    return std::make_shared<Program>(host().attr("compile_program")(code, format, options));
  });
}

void Client_Compile(PJRT_Client_Compile_Args &args) { args.executable = loaded(args.client, compiled(args)); }

// Compilation for devices of a topology.
void Compile(PJRT_Compile_Args &args) { args.executable = new PJRT_Executable{compiled(args)}; }

void Executable_DeserializeAndLoad(PJRT_Executable_DeserializeAndLoad_Args &args) {
  std::shared_ptr<Program> program = with_python([&] {
    const nb::bytes data(args.serialized_executable, args.serialized_executable_size);
    nb::object options = nb::none();
    if (args.overridden_serialized_compile_options)
      options = nb::bytes(args.overridden_serialized_compile_options, args.overridden_serialized_compile_options_size);
    return std::make_shared<Program>(host().attr("deserialize")(data, options));
  });
  args.loaded_executable = loaded(args.client, std::move(program));
}

void Executable_Destroy(PJRT_Executable_Destroy_Args &args) { delete args.executable; }

void Executable_Name(PJRT_Executable_Name_Args &args) {
  args.executable_name = args.executable->program->name.data();
  args.executable_name_size = args.executable->program->name.size();
}

void Executable_NumReplicas(PJRT_Executable_NumReplicas_Args &args) {
  args.num_replicas = args.executable->program->replicas;
}

void Executable_NumPartitions(PJRT_Executable_NumPartitions_Args &args) {
  args.num_partitions = args.executable->program->partitions;
}

void Executable_NumOutputs(PJRT_Executable_NumOutputs_Args &args) {
  args.num_outputs = args.executable->program->outputs.types.size();
}

void Executable_SizeOfGeneratedCodeInBytes(PJRT_Executable_SizeOfGeneratedCodeInBytes_Args &args) {
  args.size_in_bytes = 0;
}

void Executable_Fingerprint(PJRT_Executable_Fingerprint_Args &args) {
  args.executable_fingerprint = args.executable->program->fingerprint.data();
  args.executable_fingerprint_size = args.executable->program->fingerprint.size();
}

void Executable_GetCostAnalysis(PJRT_Executable_GetCostAnalysis_Args &args) {
  Program &program = *args.executable->program;
  with_python([&] {
    if (program.costs)
      return;
    auto costs = std::make_unique<NamedNumbers>();
    nb::dict numbers = nb::cast<nb::dict>(program.python.attr("costs")());
    costs->names.reserve(numbers.size()); // so that no name moves
    for (auto [name, number] : numbers) {
      costs->names.push_back(nb::cast<std::string>(name));
      PJRT_NamedValue value{};
      value.struct_size = PJRT_NamedValue_STRUCT_SIZE;
      value.name = costs->names.back().data();
      value.name_size = costs->names.back().size();
      value.type = PJRT_NamedValue_kFloat;
      value.float_value = nb::cast<float>(number);
      value.value_size = 1;
      costs->values.push_back(value);
    }
    program.costs = std::move(costs);
  });
  args.num_properties = program.costs->values.size();
  args.properties = program.costs->values.data();
}

void Executable_GetCompiledMemoryStats(PJRT_Executable_GetCompiledMemoryStats_Args &args) {
  with_python([&] {
    nb::object sizes = args.executable->program->python.attr("memory")();
    args.argument_size_in_bytes = nb::cast<int64_t>(sizes[0]);
    args.output_size_in_bytes = nb::cast<int64_t>(sizes[1]);
    args.alias_size_in_bytes = nb::cast<int64_t>(sizes[2]);
    args.temp_size_in_bytes = nb::cast<int64_t>(sizes[3]);
  });
  args.generated_code_size_in_bytes = 0;
  args.host_generated_code_size_in_bytes = args.host_argument_size_in_bytes = args.host_output_size_in_bytes = 0;
  args.host_alias_size_in_bytes = args.host_temp_size_in_bytes = 0;
  args.total_size_in_bytes = args.peak_memory_in_bytes =
      args.argument_size_in_bytes + args.output_size_in_bytes - args.alias_size_in_bytes + args.temp_size_in_bytes;
}

void Executable_OutputElementTypes(PJRT_Executable_OutputElementTypes_Args &args) {
  args.output_types = args.executable->program->outputs.types.data();
  args.num_output_types = args.executable->program->outputs.types.size();
}

void Executable_OutputDimensions(PJRT_Executable_OutputDimensions_Args &args) {
  const Outputs &outputs = args.executable->program->outputs;
  args.num_outputs = outputs.types.size();
  args.dims = outputs.dims.data();
  args.dim_sizes = outputs.ranks.data();
}

void Executable_OutputMemoryKinds(PJRT_Executable_OutputMemoryKinds_Args &args) {
  const Outputs &outputs = args.executable->program->outputs;
  args.num_outputs = outputs.types.size();
  args.memory_kinds = outputs.memory_kinds.data();
  args.memory_kind_sizes = outputs.memory_kind_sizes.data();
}

// The program as an HLO module: the caller asks for its size first.
void Executable_OptimizedProgram(PJRT_Executable_OptimizedProgram_Args &args) {
  static constexpr char FORMAT[] = "hlo_with_config";
  const std::string code =
      with_python([&] { return bytes_of(args.executable->program->python.attr("optimized_program")()); });
  args.program->format = FORMAT;
  args.program->format_size = sizeof FORMAT - 1;
  if (args.program->code) {
    if (args.program->code_size < code.size())
      throw Failure{PJRT_Error_Code_INVALID_ARGUMENT, "the program must get " + std::to_string(code.size()) +
                                                          " bytes of memory, got " + std::to_string(args.program->code_size)};
    std::memcpy(args.program->code, code.data(), code.size());
  }
  args.program->code_size = code.size();
}

void Executable_Serialize(PJRT_Executable_Serialize_Args &args) {
  std::string data = with_python([&] { return bytes_of(args.executable->program->python.attr("serialize")()); });
  give_bytes(args, args.serialized_executable, args.serialized_executable_deleter, std::move(data));
}

void Executable_GetCompileOptions(PJRT_Executable_GetCompileOptions_Args &args) {
  std::string data = with_python([&] { return bytes_of(args.executable->program->python.attr("compile_options")); });
  give_bytes(args, args.serialized_compile_options, args.serialized_compile_options_deleter, std::move(data));
}

void LoadedExecutable_GetDeviceAssignment(PJRT_LoadedExecutable_GetDeviceAssignment_Args &args) {
  if (!args.executable->program)
    throw Failure{PJRT_Error_Code_INVALID_ARGUMENT, "the program must exist, got one that was deleted"};
  std::string data =
      with_python([&] { return bytes_of(args.executable->program->python.attr("device_assignment")()); });
  give_bytes(args, args.serialized_device_assignment, args.serialized_device_assignment_deleter, std::move(data));
}

} // namespace

void set_executables(PJRT_Api &api) {
  HLOKIT_PJRT_SET(api, Client_Compile);
  HLOKIT_PJRT_SET(api, Compile);
  HLOKIT_PJRT_SET(api, Executable_DeserializeAndLoad);
  HLOKIT_PJRT_SET(api, Executable_Destroy);
  HLOKIT_PJRT_SET(api, Executable_Name);
  HLOKIT_PJRT_SET(api, Executable_NumReplicas);
  HLOKIT_PJRT_SET(api, Executable_NumPartitions);
  HLOKIT_PJRT_SET(api, Executable_NumOutputs);
  HLOKIT_PJRT_SET(api, Executable_SizeOfGeneratedCodeInBytes);
  HLOKIT_PJRT_SET(api, Executable_Fingerprint);
  HLOKIT_PJRT_SET(api, Executable_GetCostAnalysis);
  HLOKIT_PJRT_SET(api, Executable_GetCompiledMemoryStats);
  HLOKIT_PJRT_SET(api, Executable_OutputElementTypes);
  HLOKIT_PJRT_SET(api, Executable_OutputDimensions);
  HLOKIT_PJRT_SET(api, Executable_OutputMemoryKinds);
  HLOKIT_PJRT_SET(api, Executable_OptimizedProgram);
  HLOKIT_PJRT_SET(api, Executable_Serialize);
  HLOKIT_PJRT_SET(api, Executable_GetCompileOptions);
  HLOKIT_PJRT_SET(api, LoadedExecutable_GetDeviceAssignment);
}

} // namespace hlokit::pjrt
