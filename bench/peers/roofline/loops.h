/* The loops, once for one thread and once for all: including this file defines each under the name that NAMED gives it,
 * shared out by PARALLEL. x is the first operand, o the result. */
#define LOOP(NAME) static void NAMED(NAME)(const void *X, const void *Y, const void *Z, void *O, const long *size)
#define TAKE(T, R) const T *restrict x = X, *restrict y = Y; R *restrict o = O; (void)Z
/* An operator of a matrix and a row or column, computed as so many lanes of a type. */
#define MATRIX(NAME, T, R, COMPUTED, ONE, MANY)           \
  LOOP(NAME) {                                            \
    TAKE(T, R);                                           \
    long n = size[0], m = size[1];                        \
    ROWS(n, m, o, LANES(COMPUTED), ONE, MANY)             \
  }
MATRIX(row, float, float, float, x[k] + y[j], V(x, k) + V(y, j))
MATRIX(column, float, float, float, x[k] + y[i], V(x, k) + y[i])
MATRIX(outer, float, float, float, x[i] + y[j], x[i] + V(y, j))
MATRIX(float64, double, double, double, x[k] + y[j], V(x, k) + V(y, j))
MATRIX(int8, int8_t, int8_t, int8_t, x[k] + y[j], V(x, k) + V(y, j))
MATRIX(int64, uint64_t, uint64_t, uint64_t, x[k] * y[j], V(x, k) * V(y, j))
MATRIX(greater, float, uint8_t, float, x[k] > y[j], to_bytes((words)(V(x, k) > V(y, j)) & 1))

LOOP(same) {
  TAKE(float, float);
  long n = size[0];
  BLOCKS(n, o, LANES(float), x[k] + y[k], V(x, k) + V(y, k))
}

/* One element of y for each plane of x. */
LOOP(planes) {
  TAKE(float, float);
  long n = size[0], c = size[1], m = size[2];
  ROWS(n * c, m, o, LANES(float), x[k] + y[i % c], V(x, k) + y[i % c])
}

/* What a row meets is loaded once for several of them. */
#define TOGETHER 8
#define NORMALISE(PUT)                                                      \
  PARALLEL for (long p = 0; p < n; p += TOGETHER)                           \
    for (long j = 0; j < m; j += LANES(float)) {                            \
      floats mean_ = V(mean, j), s_ = V(s, j), g_ = V(g, j), b_ = V(b, j);  \
      for (long i = p; i < p + TOGETHER; i++) {                             \
        floats value = (V(x, i * m + j) - mean_) / s_ * g_ + b_;            \
        PUT(o + i * m + j, &value, sizeof value);                           \
      }                                                                     \
    }
LOOP(normalise) {
  TAKE(float, float);
  long n = size[0], m = size[1];
  const float *mean = y, *s = y + m, *g = y + 2 * m, *b = y + 3 * m;
  if (way == COMPILED || n % TOGETHER != 0 || m % LANES(float) != 0) {
    PARALLEL for (long i = 0; i < n; i++)
      for (long j = 0; j < m; j++) o[i * m + j] = (x[i * m + j] - mean[j]) / s[j] * g[j] + b[j];
  } else if (way == VECTORS) {
    NORMALISE(keep)
  } else {
    NORMALISE(stream)
  }
}

LOOP(pixels) {
  TAKE(float, float);
  long n = size[0];
  if (way == COMPILED) {
    PARALLEL for (long i = 0; i < n; i++) for (long j = 0; j < 3; j++) o[i * 3 + j] = x[i * 3 + j] * y[j];
    return;
  }
  float repeated[LANES(float) + 3];
  for (long k = 0; k < LANES(float) + 3; k++) repeated[k] = y[k % 3];
  const float *r = repeated;
  BLOCKS(3 * n, o, LANES(float), x[k] * r[k % 3], V(x, k) * V(r, k % 3))
}

LOOP(choose) {
  TAKE(float, float);
  const uint8_t *restrict c = Z;
  long n = size[0], m = size[1];
  ROWS(n, m, o, LANES(float), c[k] ? x[k] : y[j], chosen(V(c, k), V(x, k), V(y, j)))
}

LOOP(strided) {
  TAKE(float, float);
  long n = size[0], m = size[1];
  ROWS(n, m, o, LANES(float), x[k] + y[(n - 1 - i) * 2 * m + 2 * j], V(x, k) + evens(y + (n - 1 - i) * 2 * m + 2 * j))
}

/* A tile of y is turned in the cache, then added along the rows of the others. */
#define TILE 64
LOOP(transposed) {
  TAKE(float, float);
  long n = size[0];
  if (way == COMPILED) {
    PARALLEL for (long p = 0; p < n; p += 32)
      for (long q = 0; q < n; q += 32)
        for (long i = p; i < p + 32 && i < n; i++)
          for (long j = q; j < q + 32 && j < n; j++) o[i * n + j] = x[i * n + j] + y[j * n + i];
    return;
  }
  PARALLEL for (long p = 0; p < n; p += TILE) {
    float turned[TILE][TILE];
    long high = n - p < TILE ? n - p : TILE;
    for (long q = 0; q < n; q += TILE) {
      long wide = n - q < TILE ? n - q : TILE;
      for (long l = 0; l < wide; l++)
        for (long i = 0; i < high; i++) turned[i][l] = y[(q + l) * n + p + i];
      for (long i = 0; i < high; i++) {
        const float *t = turned[i];
        long first = (p + i) * n + q;
        if (way == VECTORS) ALONG(first, wide, o, LANES(float), keep, x[k] + t[j], V(x, k) + V(t, j))
        else ALONG(first, wide, o, LANES(float), stream, x[k] + t[j], V(x, k) + V(t, j))
      }
    }
  }
}

LOOP(largest) {
  TAKE(float, float);
  const float *restrict r = Z;
  long n = size[0], m = size[1];
  ROWS(n, m, o, LANES(float), larger(larger(x[k], r[j]), larger(larger(r[i], r[0]), y[k])),
       larger_floats(larger_floats(V(x, k), V(r, j)), larger_floats(larger(r[i], r[0]) - (floats){0}, V(y, k))))
}

/* (d,1,d,1,...) + (1,d,1,d,...) of rank 8, where eight elements lie side by side in vectors, two times each. */
#define PLACES(D)                                                                                     \
  long a = i / (D * D * D * D * D), b = i / (D * D * D * D) % D, c = i / (D * D * D) % D;             \
  long e = i / (D * D) % D, f = i / D % D, g = i % D;                                                 \
  const float *v = x + ((a * D + c) * D + f) * D, *w = y + ((b * D + e) * D + g) * D
LOOP(rank8) {
  TAKE(float, float);
  long d = size[0];
#if WIDTH == 64
  if (way != COMPILED && d == 8) {
    PARALLEL for (long i = 0; i < 8 * 8 * 8 * 8 * 8 * 8; i++) {
      PLACES(8L);
      __m512 twice = _mm512_broadcast_f32x8(_mm256_loadu_ps(w));
      for (long h = 0; h < 8; h += 2) {
        __m512 two = _mm512_insertf32x8(_mm512_set1_ps(v[h]), _mm256_set1_ps(v[h + 1]), 1);
        __m512 sum = _mm512_add_ps(two, twice);
        if (way == VECTORS) keep(o + (i * 8 + h) * 8, &sum, sizeof sum);
        else stream(o + (i * 8 + h) * 8, &sum, sizeof sum);
      }
    }
    return;
  }
#endif
  PARALLEL for (long i = 0; i < d * d * d * d * d * d; i++) {
    PLACES(d);
    for (long h = 0; h < d; h++)
      for (long k = 0; k < d; k++) o[(i * d + h) * d + k] = v[h] + w[k];
  }
}
#undef PLACES

MATRIX(bfloat16, uint16_t, uint16_t, float, to_bfloat16(from_bfloat16(x[k]) + from_bfloat16(y[j])),
       to_bfloat16s(from_bfloat16s(V(x, k)) + from_bfloat16s(V(y, j))))
#ifdef __F16C__
MATRIX(float16, uint16_t, uint16_t, float, to_float16(from_float16(x[k]) + from_float16(y[j])),
       to_float16s(from_float16s(V(x, k)) + from_float16s(V(y, j))))
#endif

/* Each row less its mean, by its deviation, times a scale, plus a bias. */
LOOP(layer_norm) {
  TAKE(float, float);
  long n = size[0], m = size[1];
  const float *g = y, *b = y + m;
  PARALLEL for (long i = 0; i < n; i++) {
    float mean = sum_of(x + i * m, m) / m;
    float by = 1 / sqrtf(squares_of(x + i * m, m, mean) / m + 1e-5f);
    if (way == COMPILED) for (long j = 0; j < m; j++) o[i * m + j] = (x[i * m + j] - mean) * by * g[j] + b[j];
    else if (way == VECTORS) {
      ALONG(i * m, m, o, LANES(float), keep, (x[k] - mean) * by * g[j] + b[j], (V(x, k) - mean) * by * V(g, j) + V(b, j))
    } else {
      ALONG(i * m, m, o, LANES(float), stream, (x[k] - mean) * by * g[j] + b[j], (V(x, k) - mean) * by * V(g, j) + V(b, j))
    }
  }
}

/* Reads the operand once, as fast as it comes. */
LOOP(reading) {
  TAKE(uint64_t, uint64_t);
  (void)y;
  long n = size[0];
  for (int i = 1; i < 4 && size[i] > 0; i++) n *= size[i];
  n /= 2;
  uint64_t bits = 0;
  long blocks = way == COMPILED ? 0 : n / BLOCK;
  PARALLEL_SUM for (long i = 0; i < blocks; i++) {
    longs some[4] = {{0}};
    for (long k = i * BLOCK; k < (i + 1) * BLOCK; k += 4 * LANES(uint64_t))
      for (int l = 0; l < 4; l++) some[l] ^= V(x, k + l * LANES(uint64_t));
    longs all = some[0] ^ some[1] ^ some[2] ^ some[3];
    for (int l = 0; l < LANES(uint64_t); l++) bits ^= all[l];
  }
  PARALLEL_SUM for (long i = blocks * BLOCK; i < n; i++) bits ^= x[i];
  *o = bits;
}
#undef LOOP
#undef TAKE
#undef MATRIX
