/* What a C compiler makes of the same loops for this very processor: how fast the machine can go. Results go into
 * memory that is there, which is the cheapest way. Usage: roofline WORKLOAD SIZES... MILLISECONDS; prints seconds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Memory whose pages are all there, filled with a value of each type that no processor is slow at. */
static void *filled(size_t bytes) {
  void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
  float *f = p;
  for (size_t i = 0; i < bytes / 4; i++) f[i] = 1.5f;
  return p;
}

static long size[4], count;

/* Waking threads is not worth it for a handful of elements. */
static int large;
#define PARALLEL _Pragma("omp parallel for schedule(static) if (large)")

#define WITH_ROW(NAME, T, R, OP)                                                              \
  static void NAME(const T *restrict x, const T *restrict y, R *restrict o, long n, long m) { \
    PARALLEL for (long i = 0; i < n; i++) for (long j = 0; j < m; j++) o[i * m + j] = x[i * m + j] OP y[j]; \
  }
WITH_ROW(row_float32, float, float, +)
WITH_ROW(row_float64, double, double, +)
WITH_ROW(row_int8, int8_t, int8_t, +)
WITH_ROW(row_int64, uint64_t, uint64_t, *)
WITH_ROW(row_greater, float, uint8_t, >)

static void same(const float *restrict x, const float *restrict y, float *restrict o, long n) {
  PARALLEL for (long i = 0; i < n; i++) o[i] = x[i] + y[i];
}

/* One element of y for each plane of x. */
static void planes(const float *restrict x, const float *restrict y, float *restrict o, long n, long c, long m) {
  PARALLEL for (long i = 0; i < n * c; i++) {
    float v = y[i % c];
    for (long j = 0; j < m; j++) o[i * m + j] = x[i * m + j] + v;
  }
}

static void outer(const float *restrict x, const float *restrict y, float *restrict o, long n, long m) {
  PARALLEL for (long i = 0; i < n; i++) for (long j = 0; j < m; j++) o[i * m + j] = x[i] + y[j];
}

static void normalise(const float *restrict x, const float *restrict r, float *restrict o, long n, long m) {
  const float *mean = r, *s = r + m, *g = r + 2 * m, *b = r + 3 * m;
  PARALLEL for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) o[i * m + j] = (x[i * m + j] - mean[j]) / s[j] * g[j] + b[j];
}

static void pixels(const float *restrict x, const float *restrict y, float *restrict o, long n) {
  PARALLEL for (long i = 0; i < n; i++) for (long j = 0; j < 3; j++) o[i * 3 + j] = x[i * 3 + j] * y[j];
}

static void choose(const uint8_t *restrict c, const float *restrict x, const float *restrict y, float *restrict o,
                   long n, long m) {
  PARALLEL for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) o[i * m + j] = c[i * m + j] ? x[i * m + j] : y[j];
}

static void transposed(const float *restrict x, const float *restrict y, float *restrict o, long n) {
  PARALLEL for (long p = 0; p < n; p += 32)
    for (long q = 0; q < n; q += 32)
      for (long i = p; i < p + 32 && i < n; i++)
        for (long j = q; j < q + 32 && j < n; j++) o[i * n + j] = x[i * n + j] + y[j * n + i];
}

static void strided(const float *restrict x, const float *restrict y, float *restrict o, long n, long m) {
  PARALLEL for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) o[i * m + j] = x[i * m + j] + y[(n - 1 - i) * 2 * m + 2 * j];
}

static float larger(float a, float b) { return a > b ? a : b; }

static void largest(const float *restrict x, const float *restrict y, const float *restrict r, float *restrict o,
                    long n, long m) {
  PARALLEL for (long i = 0; i < n; i++) {
    float c = larger(r[i], r[0]);
    for (long j = 0; j < m; j++) o[i * m + j] = larger(larger(x[i * m + j], r[j]), larger(c, y[i * m + j]));
  }
}

/* (d,1,d,1,...) + (1,d,1,d,...) of rank 8. */
static void rank8(const float *restrict x, const float *restrict y, float *restrict o, long d) {
  long d6 = d * d * d * d * d * d;
  PARALLEL for (long i = 0; i < d6; i++) {
    long a = i / (d * d * d * d * d), b = i / (d * d * d * d) % d, c = i / (d * d * d) % d;
    long e = i / (d * d) % d, f = i / d % d, g = i % d;
    for (long h = 0; h < d; h++) {
      float v = x[((a * d + c) * d + f) * d + h];
      const float *w = y + ((b * d + e) * d + g) * d;
      for (long k = 0; k < d; k++) o[(i * d + h) * d + k] = v + w[k];
    }
  }
}

/* Reads the operand once, as fast as it comes. */
static void reading(const uint64_t *restrict x, uint64_t *restrict o, long n) {
  uint64_t bits = 0;
  _Pragma("omp parallel for schedule(static) reduction(^ : bits) if (large)") for (long i = 0; i < n; i++) bits ^= x[i];
  *o = bits;
}

static const char *name;
static void *x, *y, *z, *o;

static void compute(void) {
  long n = size[0], m = size[1];
  if (!strcmp(name, "same")) same(x, y, o, n);
  else if (!strcmp(name, "row")) row_float32(x, y, o, n, m);
  else if (!strcmp(name, "column")) planes(x, y, o, 1, n, m);
  else if (!strcmp(name, "outer")) outer(x, y, o, n, m);
  else if (!strcmp(name, "normalise")) normalise(x, y, o, n, m);
  else if (!strcmp(name, "pixels")) pixels(x, y, o, n);
  else if (!strcmp(name, "nchw")) planes(x, y, o, n, m, size[2]);
  else if (!strcmp(name, "where")) choose(z, x, y, o, n, m);
  else if (!strcmp(name, "transposed")) transposed(x, y, o, n);
  else if (!strcmp(name, "strided")) strided(x, y, o, n, m);
  else if (!strcmp(name, "int8")) row_int8(x, y, o, n, m);
  else if (!strcmp(name, "int64")) row_int64(x, y, o, n, m);
  else if (!strcmp(name, "float64")) row_float64(x, y, o, n, m);
  else if (!strcmp(name, "greater")) row_greater(x, y, o, n, m);
  else if (!strcmp(name, "max")) largest(x, y, z, o, n, m);
  else if (!strcmp(name, "rank8")) rank8(x, y, o, n);
  else if (!strcmp(name, "read")) reading(x, o, count / 2);
  else exit(2);
}

int main(int argc, char **argv) {
  name = argv[1];
  for (int i = 2; i < argc - 1 && i < 6; i++) size[i - 2] = atol(argv[i]);
  double ms = atof(argv[argc - 1]);
  count = size[0];
  for (int i = 1; i < 4 && size[i] > 0; i++) count *= size[i];
  if (!strcmp(name, "pixels")) count *= 3;
  if (!strcmp(name, "transposed")) count *= size[0];
  if (!strcmp(name, "rank8")) count = count * count * count * count * count * count * count * count;
  large = count > 10000;
  int wide = !strcmp(name, "int64") || !strcmp(name, "float64");
  size_t bytes = (size_t)count * (wide ? 8 : 4) + 65536 * 8;
  x = filled(bytes);
  y = filled(strcmp(name, "strided") ? bytes : 2 * bytes);
  z = filled(bytes);
  o = filled(bytes);
  double best = 1e9, end = now() + ms / 1000;
  long repeat = 1;
  compute();
  do {
    double begun = now();
    for (long i = 0; i < repeat; i++) {
      compute();
      __asm__ volatile("" ::: "memory");
    }
    double total = now() - begun;
    if (total / repeat < best) best = total / repeat;
    if (total < 0.001) repeat *= 4;
  } while (now() < end);
  printf("%.12g\n", best);
  return 0;
}
