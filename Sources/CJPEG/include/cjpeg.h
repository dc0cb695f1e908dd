#pragma once
#include <stddef.h>
#include <stdint.h>

// libjpeg reports errors by a callback that must not return; setjmp cannot be called from Swift. So decoding and
// encoding are one call each, here. Messages are libjpeg's own, in English.

enum {
  cjpeg_DECODED = 0,    // to the last row, perhaps with warnings
  cjpeg_FAILED = 1,     // libjpeg gave up; the message says why
  cjpeg_TOO_LARGE = 2,  // more pixels than the caller allows; nothing was decoded
  cjpeg_ENDED = 3,      // the data ended before the picture did
};

struct cjpeg_outcome {
  int32_t status;
  int32_t width, height;
  int64_t warnings;
  int32_t rows;       // rows of blocks in the picture
  int32_t good_rows;  // of these, before the first warning, the end of the data or the failure
  char message[200];  // the first warning or the error; empty without one
};

// Decodes at 1/scale (1, 2, 4 or 8) and throws the pixels away.
void cjpeg_decode(
    const uint8_t *bytes, size_t count, int32_t scale, int64_t pixels_max, struct cjpeg_outcome *outcome);

// Where pixels go: four bytes each (blue, green, red, FF), no more of them than width_max * height_max.
struct cjpeg_pixels {
  uint8_t *bytes;
  int32_t width_max, height_max;
  int32_t width, height;  // what was made of the room; 0 where nothing was decoded
  int32_t rows;           // rows that were written; the others are as they were
};

// Decodes a picture scaled down into the target, and keeps the rows that came before the end of the data or a failure.
void cjpeg_decode_pixels(
    const uint8_t *bytes, size_t count, int64_t pixels_max, struct cjpeg_pixels *target,
    struct cjpeg_outcome *outcome);

// Encodes a picture of width * height pixels, of 1 byte (grey) or 4 (blue, green, red, unused) each; answers the number
// of bytes at *out, to be given to cjpeg_free. 0 where libjpeg gave up.
size_t cjpeg_encode(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t parts, int32_t quality, uint8_t **out);

void cjpeg_free(uint8_t *bytes);
