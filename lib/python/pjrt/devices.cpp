// Devices, their descriptions and their memories.
#include "python/pjrt/entries.h"


namespace hlokit::pjrt {
namespace {

constexpr char KIND[] = "hlokit";

void DeviceDescription_Id(PJRT_DeviceDescription_Id_Args &args) { args.id = args.device_description->id; }

void DeviceDescription_ProcessIndex(PJRT_DeviceDescription_ProcessIndex_Args &args) { args.process_index = 0; }

void DeviceDescription_Attributes(PJRT_DeviceDescription_Attributes_Args &args) {
  args.attributes = nullptr;
  args.num_attributes = 0;
}

void DeviceDescription_Kind(PJRT_DeviceDescription_Kind_Args &args) {
  args.device_kind = KIND;
  args.device_kind_size = sizeof KIND - 1;
}

void DeviceDescription_DebugString(PJRT_DeviceDescription_DebugString_Args &args) {
  args.debug_string = args.device_description->name.c_str();
  args.debug_string_size = args.device_description->name.size();
}

void DeviceDescription_ToString(PJRT_DeviceDescription_ToString_Args &args) {
  args.to_string = args.device_description->name.c_str();
  args.to_string_size = args.device_description->name.size();
}

void Device_GetDescription(PJRT_Device_GetDescription_Args &args) { args.device_description = args.device->description; }

void Device_IsAddressable(PJRT_Device_IsAddressable_Args &args) { args.is_addressable = true; }

void Device_LocalHardwareId(PJRT_Device_LocalHardwareId_Args &args) {
  args.local_hardware_id = args.device->description->id;
}

void Device_AddressableMemories(PJRT_Device_AddressableMemories_Args &args) {
  args.memories = args.device->memories.data();
  args.num_memories = args.device->memories.size();
}

void Device_DefaultMemory(PJRT_Device_DefaultMemory_Args &args) { args.memory = args.device->memories[0]; }

// What the buffers hold; what a run needs besides is not counted.
void Device_MemoryStats(PJRT_Device_MemoryStats_Args &args) {
  const Usage &usage = *args.device->usage;
  args.bytes_in_use = usage.now;
  args.peak_bytes_in_use = usage.most;
  args.num_allocs = usage.allocations;
  args.largest_alloc_size = usage.largest;
  args.peak_bytes_in_use_is_set = args.num_allocs_is_set = args.largest_alloc_size_is_set = true;
  args.bytes_limit_is_set = args.bytes_reserved_is_set = args.peak_bytes_reserved_is_set = false;
  args.bytes_reservable_limit_is_set = args.largest_free_block_bytes_is_set = false;
  args.pool_bytes_is_set = args.peak_pool_bytes_is_set = false;
}

void Memory_Id(PJRT_Memory_Id_Args &args) { args.id = args.memory->id; }

void Memory_Kind(PJRT_Memory_Kind_Args &args) {
  args.kind = args.memory->kind.c_str();
  args.kind_size = args.memory->kind.size();
}

void Memory_Kind_Id(PJRT_Memory_Kind_Id_Args &args) { args.kind_id = args.memory->kind_id; }

void Memory_DebugString(PJRT_Memory_DebugString_Args &args) {
  args.debug_string = args.memory->name.c_str();
  args.debug_string_size = args.memory->name.size();
}

void Memory_ToString(PJRT_Memory_ToString_Args &args) {
  args.to_string = args.memory->name.c_str();
  args.to_string_size = args.memory->name.size();
}

void Memory_AddressableByDevices(PJRT_Memory_AddressableByDevices_Args &args) {
  args.devices = &args.memory->device;
  args.num_devices = 1;
}

} // namespace

void set_devices(PJRT_Api &api) {
  HLOKIT_PJRT_SET(api, DeviceDescription_Id);
  HLOKIT_PJRT_SET(api, DeviceDescription_ProcessIndex);
  HLOKIT_PJRT_SET(api, DeviceDescription_Attributes);
  HLOKIT_PJRT_SET(api, DeviceDescription_Kind);
  HLOKIT_PJRT_SET(api, DeviceDescription_DebugString);
  HLOKIT_PJRT_SET(api, DeviceDescription_ToString);
  HLOKIT_PJRT_SET(api, Device_GetDescription);
  HLOKIT_PJRT_SET(api, Device_IsAddressable);
  HLOKIT_PJRT_SET(api, Device_LocalHardwareId);
  HLOKIT_PJRT_SET(api, Device_AddressableMemories);
  HLOKIT_PJRT_SET(api, Device_DefaultMemory);
  HLOKIT_PJRT_SET(api, Device_MemoryStats);
  HLOKIT_PJRT_SET(api, Memory_Id);
  HLOKIT_PJRT_SET(api, Memory_Kind);
  HLOKIT_PJRT_SET(api, Memory_Kind_Id);
  HLOKIT_PJRT_SET(api, Memory_DebugString);
  HLOKIT_PJRT_SET(api, Memory_ToString);
  HLOKIT_PJRT_SET(api, Memory_AddressableByDevices);
}

} // namespace hlokit::pjrt
