// Parameters and arguments in the expansions of function_lists.h.
#pragma once

// Parameters and arguments of functions of one and of two doubles, and arrays of such arguments.
#define HLOKIT_PARAMETERS1 double x
#define HLOKIT_PARAMETERS2 double x, double y
#define HLOKIT_ARGUMENTS1 x
#define HLOKIT_ARGUMENTS2 x, y
#define HLOKIT_ARRAYS1(a, b) static_cast<const double *>(a)
#define HLOKIT_ARRAYS2(a, b) static_cast<const double *>(a), static_cast<const double *>(b)
