// Lists of types for macros that expand to a row for each: M(ElementType, C++ type, ...).
#pragma once

#define HLOKIT_SIGNED_TYPES(M, ...)                                                                                  \
  M(i8, int8_t, __VA_ARGS__) M(i16, int16_t, __VA_ARGS__) M(i32, int32_t, __VA_ARGS__) M(i64, int64_t, __VA_ARGS__)
#define HLOKIT_UNSIGNED_TYPES(M, ...)                                                                                \
  M(ui8, uint8_t, __VA_ARGS__) M(ui16, uint16_t, __VA_ARGS__) M(ui32, uint32_t, __VA_ARGS__)                         \
  M(ui64, uint64_t, __VA_ARGS__)
#define HLOKIT_INTEGER_TYPES(M, ...) HLOKIT_SIGNED_TYPES(M, __VA_ARGS__) HLOKIT_UNSIGNED_TYPES(M, __VA_ARGS__)
#define HLOKIT_FLOAT_TYPES(M, ...) M(f32, float, __VA_ARGS__) M(f64, double, __VA_ARGS__)
#define HLOKIT_NUMBER_TYPES(M, ...) HLOKIT_INTEGER_TYPES(M, __VA_ARGS__) HLOKIT_FLOAT_TYPES(M, __VA_ARGS__)
