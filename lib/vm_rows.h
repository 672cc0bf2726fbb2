// Reductions of rows and pairs of operations in one sweep, for chains. Part of vm_kernels.cpp, which includes this within
// its namespaces: see there.

// Reductions --------------------------------------------------------------------------------------------

// Values are combined in so many lanes, then the lanes as a tree: in vectors, and whatever the pieces a row
// comes in (but for the last one they are multiples of this), to the same result.
constexpr size_t lane_count = reduction_lanes;

// Sums and products of f32 and bf16 are had in f64 and rounded once.
inline double wider(float value) { return static_cast<double>(value); }
inline double wider(BFloat value) { return static_cast<double>(widen(value)); }

template <class T> struct AsItself {
  using Total = T;
  static T in(T value) { return value; }
  static T out(T value) { return value; }
};
struct F32InF64 {
  using Total = double;
  static double in(float value) { return wider(value); }
  static float out(double value) { return static_cast<float>(value); }
};
struct BFloatInF64 {
  using Total = double;
  static double in(BFloat value) { return wider(value); }
  static BFloat out(double value) { return narrow(value); }
};
struct BFloatInF32 {
  using Total = float;
  static float in(BFloat value) { return widen(value); }
  static BFloat out(float value) { return narrow(value); }
};

// Combines rows of T by Op, in the type of Way. `first` is what changes nothing.
template <class T, class Op, class Way> struct Reduce {
  using Total = typename Way::Total;

  static void start(void *lanes, const void *first) {
    Total value;
    memcpy(&value, first, sizeof value);
    auto *totals = static_cast<Total *>(lanes);
    for (size_t i = 0; i < lane_count; ++i)
      totals[i] = value;
  }

  static void sweep(void *lanes, const void *values, size_t count) {
    auto *HLOKIT_RESTRICT totals = static_cast<Total *>(lanes);
    auto *from = static_cast<const T *>(values);
    for (; count >= lane_count; count -= lane_count, from += lane_count)
      for (size_t i = 0; i < lane_count; ++i)
        totals[i] = Op::of(totals[i], Way::in(from[i]));
    for (size_t i = 0; i < count; ++i)
      totals[i] = Op::of(totals[i], Way::in(from[i]));
  }

  static void finish(void *to, void *lanes, const void *init) {
    auto *totals = static_cast<Total *>(lanes);
    for (size_t half = lane_count / 2; half > 0; half /= 2)
      for (size_t i = 0; i < half; ++i)
        totals[i] = Op::of(totals[i], totals[i + half]);
    static_cast<T *>(to)[0] = Way::out(Op::of(Way::in(static_cast<const T *>(init)[0]), totals[0]));
  }
};

template <class T> struct Highest {
  static constexpr T value = is_signed<T> ? static_cast<T>(all_bits<T> >> 1) : static_cast<T>(all_bits<T>);
};
template <class T> struct Lowest {
  static constexpr T value = is_signed<T> ? static_cast<T>(sign_bit<T>) : T(0);
};

// What changes nothing, as the bits of a total.
template <class T> uint64_t bits_of_total(T value) {
  uint64_t result = 0;
  memcpy(&result, &value, sizeof value);
  return result;
}

#define REDUCTION(name, type, T, Op, Way, first)                                                              \
  {name,          Type::type, bits_of_total<typename Way::Total>(first), Reduce<T, Op, Way>::start,           \
   Reduce<T, Op, Way>::sweep, Reduce<T, Op, Way>::finish},
#define REDUCE_INTEGERS(type, T, unused)                                                                      \
  REDUCTION("add", type, T, Add<T>, AsItself<T>, T(0))                                                        \
  REDUCTION("multiply", type, T, Multiply<T>, AsItself<T>, T(1))                                              \
  REDUCTION("maximum", type, T, Maximum<T>, AsItself<T>, Lowest<T>::value)                                    \
  REDUCTION("minimum", type, T, Minimum<T>, AsItself<T>, Highest<T>::value)                                   \
  REDUCTION("and", type, T, And<T>, AsItself<T>, static_cast<T>(all_bits<T>))                                 \
  REDUCTION("or", type, T, Or<T>, AsItself<T>, T(0))                                                          \
  REDUCTION("xor", type, T, Xor<T>, AsItself<T>, T(0))
// i1 is a byte that is 0 or 1.
#define REDUCE_BOOLS(name, Op, first) REDUCTION(name, i1, uint8_t, Op<uint8_t>, AsItself<uint8_t>, uint8_t(first))

const Reduction reductions[] = {
    // clang-format off
    REDUCTION("add", f32, float, Add<double>, F32InF64, 0.0)
    REDUCTION("multiply", f32, float, Multiply<double>, F32InF64, 1.0)
    REDUCTION("maximum", f32, float, Maximum<float>, AsItself<float>, -HUGE_VALF)
    REDUCTION("minimum", f32, float, Minimum<float>, AsItself<float>, HUGE_VALF)
    REDUCTION("maximum", f64, double, Maximum<double>, AsItself<double>, -HUGE_VAL)
    REDUCTION("minimum", f64, double, Minimum<double>, AsItself<double>, HUGE_VAL)
    REDUCTION("add", bf16, BFloat, Add<double>, BFloatInF64, 0.0)
    REDUCTION("multiply", bf16, BFloat, Multiply<double>, BFloatInF64, 1.0)
    REDUCTION("maximum", bf16, BFloat, Maximum<float>, BFloatInF32, -HUGE_VALF)
    REDUCTION("minimum", bf16, BFloat, Minimum<float>, BFloatInF32, HUGE_VALF)
    REDUCE_BOOLS("add", Or, 0) REDUCE_BOOLS("or", Or, 0) REDUCE_BOOLS("maximum", Or, 0)
    REDUCE_BOOLS("multiply", And, 1) REDUCE_BOOLS("and", And, 1) REDUCE_BOOLS("minimum", And, 1)
    REDUCE_BOOLS("xor", Xor, 0)
    INTEGER_TYPES(REDUCE_INTEGERS, )
    // clang-format on
};

// Pairs -------------------------------------------------------------------------------------------------

// `place` of the inner operation's result among the operands of the outer one. Bits of `ones`: operands (those of the
// inner operation, then the other ones of the outer one) that are one element for all.

template <bool is_one, class T> inline T element(const void *from, size_t i) {
  return static_cast<const T *>(from)[is_one ? 0 : i];
}

template <class T, class Inner, class Outer, int place, unsigned ones>
void sweep_pair(void *to, const void *const *operands, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<T *>(to);
  const void *first = operands[0], *second = operands[1], *third = operands[2];
  for (size_t i = 0; i < count; ++i) {
    T inner = Inner::of(element<(ones & 1) != 0, T>(first, i), element<(ones & 2) != 0, T>(second, i));
    T other = element<(ones & 4) != 0, T>(third, i);
    result[i] = place == 0 ? Outer::of(inner, other) : Outer::of(other, inner);
  }
}

// select(compare(a, b), c, d)
template <class T, class Compare, class U, unsigned ones>
void sweep_choice(void *to, const void *const *operands, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<U *>(to);
  const void *first = operands[0], *second = operands[1], *third = operands[2], *fourth = operands[3];
  for (size_t i = 0; i < count; ++i) {
    bool chosen = Compare::of(element<(ones & 1) != 0, T>(first, i), element<(ones & 2) != 0, T>(second, i)).value;
    U c = element<(ones & 4) != 0, U>(third, i), d = element<(ones & 8) != 0, U>(fourth, i);
    result[i] = chosen ? c : d;
  }
}

// d ^ rotate(a, b, c)
template <class T, unsigned ones> void sweep_rotate_xor(void *to, const void *const *operands, size_t count) {
  auto *HLOKIT_RESTRICT result = static_cast<T *>(to);
  const void *first = operands[0], *second = operands[1], *third = operands[2];
  auto *fourth = static_cast<const T *>(operands[3]);
  for (size_t i = 0; i < count; ++i)
    result[i] = fourth[i] ^ Rotate<T>::of(element<false, T>(first, i), element<(ones & 2) != 0, T>(second, i),
                                          element<(ones & 4) != 0, T>(third, i));
}

#define ROTATE_XOR(type, T, place)                                                                            \
  {"rotate", "xor", Type::type, Type::type, place,                                                            \
   {sweep_rotate_xor<T, 0>, nullptr, nullptr, nullptr, nullptr, nullptr, sweep_rotate_xor<T, 6>}},

#define PAIR(inner, outer, type, T, Inner, Outer, place)                                                      \
  {inner,                                                                                                     \
   outer,                                                                                                     \
   Type::type,                                                                                                \
   Type::type,                                                                                                \
   place,                                                                                                     \
   {sweep_pair<T, Inner<T>, Outer<T>, place, 0>, sweep_pair<T, Inner<T>, Outer<T>, place, 1>,                 \
    sweep_pair<T, Inner<T>, Outer<T>, place, 2>, nullptr, sweep_pair<T, Inner<T>, Outer<T>, place, 4>,        \
    sweep_pair<T, Inner<T>, Outer<T>, place, 5>, sweep_pair<T, Inner<T>, Outer<T>, place, 6>}},
#define PAIRS_OF(type, T, inner, Inner)                                                                       \
  PAIR(inner, "add", type, T, Inner, Add, 0)                                                                  \
  PAIR(inner, "add", type, T, Inner, Add, 1)                                                                  \
  PAIR(inner, "subtract", type, T, Inner, Subtract, 0)                                                        \
  PAIR(inner, "subtract", type, T, Inner, Subtract, 1)                                                        \
  PAIR(inner, "multiply", type, T, Inner, Multiply, 0)                                                        \
  PAIR(inner, "multiply", type, T, Inner, Multiply, 1)
#define PAIRS(type, T, unused)                                                                                \
  PAIRS_OF(type, T, "multiply", Multiply) PAIRS_OF(type, T, "add", Add) PAIRS_OF(type, T, "subtract", Subtract)

#define CHOICE(compare, Compare, type, T)                                                                     \
  {compare,                                                                                                   \
   "select",                                                                                                  \
   Type::type,                                                                                                \
   Type::type,                                                                                                \
   0,                                                                                                         \
   {sweep_choice<T, Compare<T>, T, 0>, nullptr, sweep_choice<T, Compare<T>, T, 2>, nullptr,                   \
    sweep_choice<T, Compare<T>, T, 4>, nullptr, sweep_choice<T, Compare<T>, T, 6>, nullptr,                   \
    sweep_choice<T, Compare<T>, T, 8>, nullptr, sweep_choice<T, Compare<T>, T, 10>, nullptr,                  \
    sweep_choice<T, Compare<T>, T, 12>, nullptr, sweep_choice<T, Compare<T>, T, 14>}},
#define CHOICES(type, T, unused)                                                                              \
  CHOICE("EQ", Equal, type, T)                                                                                \
  CHOICE("NE", NotEqual, type, T)                                                                             \
  CHOICE("LT", Less, type, T)                                                                                 \
  CHOICE("LE", LessEqual, type, T)                                                                            \
  CHOICE("GT", Greater, type, T)                                                                              \
  CHOICE("GE", GreaterEqual, type, T)

const Pair pairs[] = {
    // clang-format off
    FLOAT_TYPES(PAIRS, )
    FLOAT_TYPES(CHOICES, ) CHOICES(i32, int32_t, ) CHOICES(ui32, uint32_t, )
    ROTATE_XOR(ui32, uint32_t, 0) ROTATE_XOR(ui32, uint32_t, 1)
    ROTATE_XOR(ui64, uint64_t, 0) ROTATE_XOR(ui64, uint64_t, 1)
    PAIR("add", "add", ui32, uint32_t, Add, Add, 0)
    PAIR("add", "add", ui32, uint32_t, Add, Add, 1)
    // clang-format on
};
