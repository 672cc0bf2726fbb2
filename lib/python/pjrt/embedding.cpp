// libhlokit_pjrt.so: the plugin for programs without Python. It starts the interpreter of hlokit's environment, and then gives
// the functions of hlokit._pjrt, the extension module of that environment. It is linked to no Python.
#include <dlfcn.h>
#include <xla/pjrt/c/pjrt_c_api.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

// What a Python says of itself: its library, its home, the extension, and the places where it looks for modules.
constexpr char QUESTION[] =
    "import os, sys, sysconfig, hlokit._pjrt as p; v = sysconfig.get_config_var; "
    "print(*[os.path.join(v('LIBDIR') or '', v('INSTSONAME') or ''), sys.base_prefix, p.__file__, *filter(None, sys.path)], "
    "sep='\\n')";

std::string own_path() {
  Dl_info info;
  return dladdr(reinterpret_cast<const void *>(own_path), &info) ? info.dli_fname : "";
}

// HLOKIT_PYTHON, or the one of the environment that this library is in: PREFIX/lib/pythonX.Y/site-packages/hlokit/lib.
std::string python_path() {
  if (const char *given = std::getenv("HLOKIT_PYTHON"))
    return given;
  std::string prefix = own_path();
  for (int up = 0; up < 6; ++up)
    prefix.resize(prefix.rfind('/') == std::string::npos ? 0 : prefix.rfind('/'));
  return prefix + "/bin/python3";
}

// A text between single quotes, for a shell.
std::string quoted(const std::string &text) {
  std::string result = "'";
  for (char character : text)
    result += character == '\'' ? std::string("'\\''") : std::string(1, character);
  return result + "'";
}

std::vector<std::string> answer_of(const std::string &python) {
  const std::string command = quoted(python) + " -c " + quoted(QUESTION);
  std::vector<std::string> lines;
  FILE *pipe = popen(command.c_str(), "r");
  if (!pipe)
    return lines;
  std::string text;
  for (int character; (character = std::fgetc(pipe)) != EOF;)
    if (character == '\n') {
      lines.push_back(text);
      text.clear();
    } else {
      text += static_cast<char>(character);
    }
  if (pclose(pipe) != 0)
    lines.clear();
  return lines;
}

template <typename Function> Function *function_of(void *library, const char *name) {
  return reinterpret_cast<Function *>(dlsym(library, name));
}

// A string literal of Python.
std::string literal(const std::string &text) {
  std::string result = "'";
  for (char character : text) {
    if (character == '\'' || character == '\\')
      result += '\\';
    result += character;
  }
  return result + "'";
}

const PJRT_Api *fail(const std::string &message) {
  std::fprintf(stderr, "hlokit: error: %s\n", message.c_str());
  return nullptr;
}

const PJRT_Api *api_of(const std::string &extension) {
  void *library = dlopen(extension.c_str(), RTLD_NOW | RTLD_GLOBAL);
  auto *get = library ? function_of<const PJRT_Api *()>(library, "GetPjrtApi") : nullptr;
  return get ? get() : fail("cannot load " + extension + ": " + dlerror());
}

// Starts an interpreter whose modules are those of the environment.
bool start(const std::vector<std::string> &answer) {
  void *library = dlopen(answer[0].c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    return false;
  auto *initialize = function_of<void(int)>(library, "Py_InitializeEx");
  auto *run = function_of<int(const char *)>(library, "PyRun_SimpleString");
  auto *save = function_of<void *()>(library, "PyEval_SaveThread");
  if (!initialize || !run || !save)
    return false;
  setenv("PYTHONHOME", answer[1].c_str(), 1);
  initialize(0); // without handlers of signals, which belong to the host
  unsetenv("PYTHONHOME");
  std::string script = "import site, sys; sys.path[:] = [";
  for (size_t i = 3; i < answer.size(); ++i)
    script += literal(answer[i]) + ", ";
  // Files of packages there may say where others are.
  script += "]; [site.addsitedir(path) for path in list(sys.path) if path.endswith('site-packages')]; import hlokit._pjrt";
  const int status = run(script.c_str());
  save(); // the GIL
  return status == 0;
}

const PJRT_Api *load() {
  const std::string python = python_path();
  const std::vector<std::string> answer = answer_of(python);
  if (answer.size() < 3)
    return fail("HLOKIT_PYTHON must be a Python that has hlokit with its PJRT plugin, got " + python);
  auto *is_initialized = function_of<int()>(RTLD_DEFAULT, "Py_IsInitialized");
  if (!(is_initialized && is_initialized()) && !start(answer))
    return fail("cannot start Python from " + answer[0]);
  return api_of(answer[2]);
}

} // namespace

#if defined(_MSC_VER) && !defined(__clang__)
#define HLOKIT_EXPORT __declspec(dllexport)
#else
#define HLOKIT_EXPORT __attribute__((visibility("default")))
#endif

// What frameworks look up in a plugin.
extern "C" HLOKIT_EXPORT const PJRT_Api *GetPjrtApi() {
  static const PJRT_Api *api = load();
  return api;
}
