/* A host of hlokit without Python: loads the PJRT plugin, compiles a program, runs it, and prints the result.
 *
 *     cc -I lib/vendored examples/clients/c/pjrt.c -ldl -o pjrt
 *     ./pjrt SITE-PACKAGES/hlokit/lib/libhlokit_pjrt.so
 *
 * Any other PJRT plugin runs the same program.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xla/pjrt/c/pjrt_c_api.h>

static const char PROGRAM[] = "module @dot { func.func @main(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {\n"
                              "  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]\n"
                              "      : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>\n"
                              "  return %0 : tensor<2xf32>\n"
                              "} }\n";

static const PJRT_Api *api;

/* Ends the program with the message of an error. */
static void check(PJRT_Error *error) {
  if (!error)
    return;
  PJRT_Error_Message_Args message = {.struct_size = PJRT_Error_Message_Args_STRUCT_SIZE, .error = error};
  api->PJRT_Error_Message(&message);
  fprintf(stderr, "%.*s\n", (int)message.message_size, message.message);
  exit(1);
}

static void await(PJRT_Event *event) {
  PJRT_Event_Await_Args wait = {.struct_size = PJRT_Event_Await_Args_STRUCT_SIZE, .event = event};
  check(api->PJRT_Event_Await(&wait));
  PJRT_Event_Destroy_Args destroy = {.struct_size = PJRT_Event_Destroy_Args_STRUCT_SIZE, .event = event};
  check(api->PJRT_Event_Destroy(&destroy));
}

static const PJRT_Api *load(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  const PJRT_Api *(*get)(void) = (const PJRT_Api *(*)(void))dlsym(library, "GetPjrtApi");
  const PJRT_Api *loaded = get ? get() : NULL;
  if (!loaded) {
    fprintf(stderr, "%s gives no PJRT API\n", path);
    exit(1);
  }
  return loaded;
}

static PJRT_LoadedExecutable *compile(PJRT_Client *client, const char *text) {
  PJRT_Program program = {.struct_size = PJRT_Program_STRUCT_SIZE,
                          .code = (char *)text,
                          .code_size = strlen(text),
                          .format = "mlir",
                          .format_size = 4};
  PJRT_Client_Compile_Args compile = {.struct_size = PJRT_Client_Compile_Args_STRUCT_SIZE,
                                      .client = client,
                                      .program = &program,
                                      .compile_options = "",
                                      .compile_options_size = 0};
  check(api->PJRT_Client_Compile(&compile));
  return compile.executable;
}

static PJRT_Buffer *from_host(PJRT_Client *client, PJRT_Device *device, const float *data, const int64_t *dims, size_t rank) {
  PJRT_Client_BufferFromHostBuffer_Args copy = {
      .struct_size = PJRT_Client_BufferFromHostBuffer_Args_STRUCT_SIZE,
      .client = client,
      .data = data,
      .type = PJRT_Buffer_Type_F32,
      .dims = dims,
      .num_dims = rank,
      .host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,
      .device = device};
  check(api->PJRT_Client_BufferFromHostBuffer(&copy));
  await(copy.done_with_host_buffer);
  return copy.buffer;
}

static PJRT_Buffer *execute(PJRT_LoadedExecutable *executable, PJRT_Buffer **arguments, size_t count) {
  PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE};
  PJRT_Buffer *results[1];
  PJRT_Buffer **results_of_devices[1] = {results};
  PJRT_Buffer *const *arguments_of_devices[1] = {arguments};
  PJRT_Event *ended[1];
  PJRT_LoadedExecutable_Execute_Args run = {.struct_size = PJRT_LoadedExecutable_Execute_Args_STRUCT_SIZE,
                                            .executable = executable,
                                            .options = &options,
                                            .argument_lists = arguments_of_devices,
                                            .num_devices = 1,
                                            .num_args = count,
                                            .output_lists = results_of_devices,
                                            .device_complete_events = ended};
  check(api->PJRT_LoadedExecutable_Execute(&run));
  await(ended[0]);
  return results[0];
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s LIBRARY [FILE], where FILE has a program of the same types\n", argv[0]);
    return 1;
  }
  char text[1 << 16] = {0};
  if (argc > 2) {
    FILE *file = fopen(argv[2], "r");
    if (!file || fread(text, 1, sizeof text - 1, file) == 0)
      return 1;
    fclose(file);
  }
  api = load(argv[1]);
  PJRT_Plugin_Initialize_Args initialize = {.struct_size = PJRT_Plugin_Initialize_Args_STRUCT_SIZE};
  check(api->PJRT_Plugin_Initialize(&initialize));
  PJRT_Client_Create_Args create = {.struct_size = PJRT_Client_Create_Args_STRUCT_SIZE};
  check(api->PJRT_Client_Create(&create));
  PJRT_Client_AddressableDevices_Args devices = {.struct_size = PJRT_Client_AddressableDevices_Args_STRUCT_SIZE,
                                                 .client = create.client};
  check(api->PJRT_Client_AddressableDevices(&devices));

  PJRT_LoadedExecutable *executable = compile(create.client, argc > 2 ? text : PROGRAM);
  const float x[] = {1, 2, 3, 4, 5, 6}, y[] = {1, 10, 100};
  const int64_t x_dims[] = {2, 3}, y_dims[] = {3};
  PJRT_Device *device = devices.addressable_devices[0];
  PJRT_Buffer *arguments[] = {from_host(create.client, device, x, x_dims, 2), from_host(create.client, device, y, y_dims, 1)};
  PJRT_Buffer *result = execute(executable, arguments, 2);

  float values[2];
  PJRT_Buffer_ToHostBuffer_Args copy = {
      .struct_size = PJRT_Buffer_ToHostBuffer_Args_STRUCT_SIZE, .src = result, .dst = values, .dst_size = sizeof values};
  check(api->PJRT_Buffer_ToHostBuffer(&copy));
  await(copy.event);
  printf("%g %g\n", values[0], values[1]);

  PJRT_Buffer *buffers[] = {arguments[0], arguments[1], result};
  for (size_t i = 0; i < 3; ++i) {
    PJRT_Buffer_Destroy_Args destroy = {.struct_size = PJRT_Buffer_Destroy_Args_STRUCT_SIZE, .buffer = buffers[i]};
    check(api->PJRT_Buffer_Destroy(&destroy));
  }
  PJRT_LoadedExecutable_Destroy_Args destroy = {.struct_size = PJRT_LoadedExecutable_Destroy_Args_STRUCT_SIZE,
                                                .executable = executable};
  check(api->PJRT_LoadedExecutable_Destroy(&destroy));
  PJRT_Client_Destroy_Args end = {.struct_size = PJRT_Client_Destroy_Args_STRUCT_SIZE, .client = create.client};
  check(api->PJRT_Client_Destroy(&end));
  return 0;
}
