// The plugin, its client, and topologies.
#include "python/pjrt/entries.h"

#include <algorithm>

namespace nb = nanobind;

PJRT_TopologyDescription::PJRT_TopologyDescription(int devices) {
  for (int id = 0; id < devices; ++id) {
    owned.push_back(std::make_unique<PJRT_DeviceDescription>());
    owned.back()->id = id;
    owned.back()->name = "HlokitDevice(id=" + std::to_string(id) + ")";
    descriptions.push_back(owned.back().get());
  }
}

PJRT_Client::PJRT_Client(int count) : topology(count) {
  for (PJRT_DeviceDescription *description : topology.descriptions) {
    owned_devices.push_back(std::make_unique<PJRT_Device>());
    PJRT_Device *device = owned_devices.back().get();
    devices.push_back(device);
    device->client = this;
    device->description = description;
    int kind_id = 0;
    for (const char *kind : hlokit::pjrt::MEMORY_KINDS) {
      const int id = static_cast<int>(memories.size());
      owned_memories.push_back(std::make_unique<PJRT_Memory>());
      PJRT_Memory *memory = owned_memories.back().get();
      *memory = {id, kind_id++, kind, "HlokitMemory(id=" + std::to_string(id) + ", kind=" + kind + ")", device};
      memories.push_back(memory);
      device->memories.push_back(memory);
    }
  }
}

namespace hlokit::pjrt {
namespace {

// JAX takes the CPU's rules of lowering, exports programs for the CPU, and shares memory with NumPy and through dlpack.
constexpr char PLATFORM[] = "cpu";

void Plugin_Initialize(PJRT_Plugin_Initialize_Args &) {
  with_python([] { nb::module_::import_("hlokit._pjrt"); });
}

void Plugin_Attributes(PJRT_Plugin_Attributes_Args &args) {
  // Versions of StableHLO, for callers that write portable artifacts: what the bindings of the process read.
  static int64_t current[3], minimum[3];
  static PJRT_NamedValue attributes[2];
  with_python([] {
    nb::object versions = host().attr("stablehlo_versions")();
    for (size_t i = 0; i < 3; ++i) {
      current[i] = nb::cast<int64_t>(versions[0][i]);
      minimum[i] = nb::cast<int64_t>(versions[1][i]);
    }
  });
  const char *names[] = {"stablehlo_current_version", "stablehlo_minimum_version"};
  for (int i = 0; i < 2; ++i) {
    attributes[i] = {};
    attributes[i].struct_size = PJRT_NamedValue_STRUCT_SIZE;
    attributes[i].name = names[i];
    attributes[i].name_size = std::string(names[i]).size();
    attributes[i].type = PJRT_NamedValue_kInt64List;
    attributes[i].int64_array_value = i ? minimum : current;
    attributes[i].value_size = 3;
  }
  args.attributes = attributes;
  args.num_attributes = 2;
}

// All clients.
std::mutex clients_lock;
std::vector<PJRT_Client *> clients;

// The number of devices: an option of the client, else HLOKIT_DEVICES, else 1.
int device_count(const PJRT_NamedValue *options, size_t count) {
  return with_python([&] {
    nb::object asked = nb::none();
    for (size_t i = 0; i < count; ++i)
      if (std::string(options[i].name, options[i].name_size) == "devices" && options[i].type == PJRT_NamedValue_kInt64)
        asked = nb::int_(options[i].int64_value);
    return nb::cast<int>(host().attr("device_count")(asked));
  });
}

void Client_Create(PJRT_Client_Create_Args &args) {
  auto client = std::make_unique<PJRT_Client>(device_count(args.create_options, args.num_options));
  client->platform_version = with_python([] { return nb::cast<std::string>(host().attr("platform_version")()); });
  args.client = client.release();
  std::lock_guard guard(clients_lock);
  clients.push_back(args.client);
}

void Client_Destroy(PJRT_Client_Destroy_Args &args) {
  {
    std::lock_guard guard(clients_lock);
    clients.erase(std::remove(clients.begin(), clients.end(), args.client), clients.end());
  }
  delete args.client;
}

void Client_PlatformName(PJRT_Client_PlatformName_Args &args) {
  args.platform_name = PLATFORM;
  args.platform_name_size = sizeof PLATFORM - 1;
}

void Client_ProcessIndex(PJRT_Client_ProcessIndex_Args &args) { args.process_index = 0; }

void Client_PlatformVersion(PJRT_Client_PlatformVersion_Args &args) {
  args.platform_version = args.client->platform_version.c_str();
  args.platform_version_size = args.client->platform_version.size();
}

void Client_TopologyDescription(PJRT_Client_TopologyDescription_Args &args) { args.topology = &args.client->topology; }

void Client_Devices(PJRT_Client_Devices_Args &args) {
  args.devices = args.client->devices.data();
  args.num_devices = args.client->devices.size();
}

void Client_AddressableDevices(PJRT_Client_AddressableDevices_Args &args) {
  args.addressable_devices = args.client->devices.data();
  args.num_addressable_devices = args.client->devices.size();
}

PJRT_Device *device_of(PJRT_Client *client, int id) {
  if (id < 0 || static_cast<size_t>(id) >= client->devices.size())
    throw Failure{PJRT_Error_Code_INVALID_ARGUMENT, "the id of a device must be below " +
                                                        std::to_string(client->devices.size()) + ", got " +
                                                        std::to_string(id)};
  return client->devices[static_cast<size_t>(id)];
}

void Client_LookupDevice(PJRT_Client_LookupDevice_Args &args) { args.device = device_of(args.client, args.id); }

void Client_LookupAddressableDevice(PJRT_Client_LookupAddressableDevice_Args &args) {
  args.addressable_device = device_of(args.client, args.local_hardware_id);
}

void Client_AddressableMemories(PJRT_Client_AddressableMemories_Args &args) {
  args.addressable_memories = args.client->memories.data();
  args.num_addressable_memories = args.client->memories.size();
}

void Client_DefaultDeviceAssignment(PJRT_Client_DefaultDeviceAssignment_Args &args) {
  const size_t count = static_cast<size_t>(args.num_replicas) * static_cast<size_t>(args.num_partitions);
  if (count > args.default_assignment_size || count > args.client->devices.size())
    throw Failure{PJRT_Error_Code_INVALID_ARGUMENT, std::to_string(count) + " processes must have as many devices, got " +
                                                        std::to_string(args.client->devices.size())};
  for (size_t i = 0; i < count; ++i)
    args.default_assignment[i] = static_cast<int>(i);
}

void TopologyDescription_Create(PJRT_TopologyDescription_Create_Args &args) {
  args.topology = new PJRT_TopologyDescription(device_count(args.create_options, args.num_options));
}

void TopologyDescription_Destroy(PJRT_TopologyDescription_Destroy_Args &args) { delete args.topology; }

void TopologyDescription_PlatformName(PJRT_TopologyDescription_PlatformName_Args &args) {
  args.platform_name = PLATFORM;
  args.platform_name_size = sizeof PLATFORM - 1;
}

void TopologyDescription_PlatformVersion(PJRT_TopologyDescription_PlatformVersion_Args &args) {
  static const std::string version = with_python([] { return nb::cast<std::string>(host().attr("platform_version")()); });
  args.platform_version = version.c_str();
  args.platform_version_size = version.size();
}

void TopologyDescription_GetDeviceDescriptions(PJRT_TopologyDescription_GetDeviceDescriptions_Args &args) {
  args.descriptions = args.topology->descriptions.data();
  args.num_descriptions = args.topology->descriptions.size();
}

// For the keys of JAX's cache of compiled programs.
void TopologyDescription_Serialize(PJRT_TopologyDescription_Serialize_Args &args) {
  auto *text = new std::string("hlokit devices " + std::to_string(args.topology->descriptions.size()));
  args.serialized_bytes = text->data();
  args.serialized_bytes_size = text->size();
  args.serialized_topology = reinterpret_cast<PJRT_SerializedTopology *>(text);
  args.serialized_topology_deleter = [](PJRT_SerializedTopology *serialized) {
    delete reinterpret_cast<std::string *>(serialized);
  };
}

void TopologyDescription_Attributes(PJRT_TopologyDescription_Attributes_Args &args) {
  args.attributes = nullptr;
  args.num_attributes = 0;
}

} // namespace

void stop_workers() {
  std::lock_guard guard(clients_lock);
  for (PJRT_Client *client : clients)
    client->worker.stop();
}

void wait_for_runs() {
  std::lock_guard guard(clients_lock);
  for (PJRT_Client *client : clients)
    client->worker.wait_until_idle();
}

void set_client(PJRT_Api &api) {
  HLOKIT_PJRT_SET(api, Plugin_Initialize);
  HLOKIT_PJRT_SET(api, Plugin_Attributes);
  HLOKIT_PJRT_SET(api, Client_Create);
  HLOKIT_PJRT_SET(api, Client_Destroy);
  HLOKIT_PJRT_SET(api, Client_PlatformName);
  HLOKIT_PJRT_SET(api, Client_ProcessIndex);
  HLOKIT_PJRT_SET(api, Client_PlatformVersion);
  HLOKIT_PJRT_SET(api, Client_TopologyDescription);
  HLOKIT_PJRT_SET(api, Client_Devices);
  HLOKIT_PJRT_SET(api, Client_AddressableDevices);
  HLOKIT_PJRT_SET(api, Client_LookupDevice);
  HLOKIT_PJRT_SET(api, Client_LookupAddressableDevice);
  HLOKIT_PJRT_SET(api, Client_AddressableMemories);
  HLOKIT_PJRT_SET(api, Client_DefaultDeviceAssignment);
  HLOKIT_PJRT_SET(api, TopologyDescription_Create);
  HLOKIT_PJRT_SET(api, TopologyDescription_Destroy);
  HLOKIT_PJRT_SET(api, TopologyDescription_PlatformName);
  HLOKIT_PJRT_SET(api, TopologyDescription_PlatformVersion);
  HLOKIT_PJRT_SET(api, TopologyDescription_GetDeviceDescriptions);
  HLOKIT_PJRT_SET(api, TopologyDescription_Serialize);
  HLOKIT_PJRT_SET(api, TopologyDescription_Attributes);
}

} // namespace hlokit::pjrt
