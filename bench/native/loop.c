// The case `loop` in C: what the processor can do with contiguous arrays that do not overlap and 128-bit SIMD, called from
// JavaScript once a sample.
#include <node_api.h>
#include <stddef.h>
#include <stdint.h>

#define COLUMNS 6

static float *columns[COLUMNS];
static size_t rows;

/* Not inlined: nothing of one frame may be merged with the next. */
__attribute__((noinline)) static void move(float *restrict px, float *restrict py, float *restrict pz,
                                           const float *restrict vx, const float *restrict vy,
                                           const float *restrict vz, size_t count, float dt) {
  for (size_t i = 0; i < count; i++) {
    px[i] += vx[i] * dt;
    py[i] += vy[i] * dt;
    pz[i] += vz[i] * dt;
  }
}

/* bind(x, y, z, vx, vy, vz): the Float32Arrays to work on, of equal length; who calls keeps them alive. */
static napi_value bind(napi_env env, napi_callback_info info) {
  size_t count = COLUMNS;
  napi_value given[COLUMNS];
  if (napi_get_cb_info(env, info, &count, given, NULL, NULL) != napi_ok || count != COLUMNS) {
    napi_throw_type_error(env, NULL, "bind takes six arrays.");
    return NULL;
  }
  for (size_t k = 0; k < COLUMNS; k++) {
    napi_typedarray_type type;
    void *data;
    if (napi_get_typedarray_info(env, given[k], &type, &rows, &data, NULL, NULL) != napi_ok ||
        type != napi_float32_array) {
      napi_throw_type_error(env, NULL, "bind takes Float32Arrays.");
      return NULL;
    }
    columns[k] = data;
  }
  return NULL;
}

/* run(frames, dt): so many frames, one after the other. */
static napi_value run(napi_env env, napi_callback_info info) {
  size_t count = 2;
  napi_value given[2];
  uint32_t frames;
  double dt;
  if (napi_get_cb_info(env, info, &count, given, NULL, NULL) != napi_ok || count != 2 ||
      napi_get_value_uint32(env, given[0], &frames) != napi_ok ||
      napi_get_value_double(env, given[1], &dt) != napi_ok) {
    napi_throw_type_error(env, NULL, "run takes a number of frames and the time step.");
    return NULL;
  }
  for (uint32_t frame = 0; frame < frames; frame++) {
    move(columns[0], columns[1], columns[2], columns[3], columns[4], columns[5], rows, (float)dt);
  }
  return NULL;
}

NAPI_MODULE_INIT() {
  napi_value function;
  napi_create_function(env, "bind", NAPI_AUTO_LENGTH, bind, NULL, &function);
  napi_set_named_property(env, exports, "bind", function);
  napi_create_function(env, "run", NAPI_AUTO_LENGTH, run, NULL, &function);
  napi_set_named_property(env, exports, "run", function);
  return exports;
}
