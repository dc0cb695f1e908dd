#include "cjpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

struct session {
  struct jpeg_error_mgr manager;
  jmp_buf escape;
  struct cjpeg_outcome *outcome;
  j_decompress_ptr decoder;
  int ended;
};

static int32_t rows_read(struct session *session) {
  j_decompress_ptr decoder = session->decoder;
  // The states below 203 (DSTATE_PRELOAD of jpegint.h) come before the first row.
  if (!decoder || decoder->global_state < 203) return 0;
  // Of a picture in several scans the first one tells how far every row is there.
  return decoder->input_scan_number > 1 ? session->outcome->rows : (int32_t)decoder->input_iMCU_row;
}

static void note(struct session *session, j_common_ptr common) {
  struct cjpeg_outcome *outcome = session->outcome;
  if (!outcome || outcome->message[0]) return;
  char text[JMSG_LENGTH_MAX];
  common->err->format_message(common, text);
  strncpy(outcome->message, text, sizeof outcome->message - 1);
  outcome->good_rows = rows_read(session);
}

static void fail(j_common_ptr common) {
  struct session *session = (struct session *)common->err;
  note(session, common);
  longjmp(session->escape, 1);
}

static void warn(j_common_ptr common, int level) {
  if (level >= 0) return;
  struct session *session = (struct session *)common->err;
  note(session, common);
  common->err->num_warnings++;
}

static void be_silent(j_common_ptr common) { (void)common; }

static void no_source(j_decompress_ptr decoder) { (void)decoder; }

static boolean end_of_data(j_decompress_ptr decoder) {
  struct session *session = (struct session *)decoder->err;
  session->ended = 1;
  if (!session->outcome->message[0]) {
    session->outcome->good_rows = rows_read(session);
    strcpy(session->outcome->message, "the data ends before the picture does");
  }
  longjmp(session->escape, 1);
}

static void skip(j_decompress_ptr decoder, long count) {
  if (count <= 0) return;
  if ((size_t)count > decoder->src->bytes_in_buffer) {
    decoder->src->next_input_byte += decoder->src->bytes_in_buffer;
    decoder->src->bytes_in_buffer = 0;
    return;
  }
  decoder->src->next_input_byte += count;
  decoder->src->bytes_in_buffer -= count;
}

// Of a progressive picture every coefficient is kept until its last scan; with a limit it is refused instead.
static const long memory_bytes_max = 256L << 20;
// A few bytes ask for a scan of the whole picture; real encoders make about ten.
static const int scans_max = 100;

static void watch(j_common_ptr common) {
  j_decompress_ptr decoder = (j_decompress_ptr)common;
  if (decoder->input_scan_number <= scans_max) return;
  struct session *session = (struct session *)common->err;
  if (!session->outcome->message[0]) {
    session->outcome->good_rows = rows_read(session);
    strcpy(session->outcome->message, "the picture has too many scans");
  }
  longjmp(session->escape, 1);
}

// The largest reduction of libjpeg that still has as many pixels as are asked for.
static unsigned reduction(const struct cjpeg_pixels *target, j_decompress_ptr decoder) {
  unsigned scale = 8;
  while (scale > 1 && decoder->image_width / scale < (unsigned)target->width_max
         && decoder->image_height / scale < (unsigned)target->height_max)
    scale /= 2;
  return scale;
}

// Width and height of the target: the picture's shape, as large as fits, never more pixels than the decoder's.
static void fit(struct cjpeg_pixels *target, j_decompress_ptr decoder) {
  uint64_t width = decoder->image_width, height = decoder->image_height;
  uint64_t width_max = (uint64_t)target->width_max, height_max = (uint64_t)target->height_max;
  uint64_t fit_width = width, fit_height = height;
  if (fit_width > width_max) {
    fit_width = width_max;
    fit_height = height * width_max / width;
  }
  if (fit_height > height_max) {
    fit_height = height_max;
    fit_width = width * height_max / height;
  }
  if (fit_width > decoder->output_width) fit_width = decoder->output_width;
  if (fit_height > decoder->output_height) fit_height = decoder->output_height;
  target->width = fit_width ? (int32_t)fit_width : 1;
  target->height = fit_height ? (int32_t)fit_height : 1;
}

// Each pixel of the target is the mean of those of the decoder's that fall on it.
static void read_pixels(j_decompress_ptr decoder, struct cjpeg_pixels *target) {
  unsigned width = decoder->output_width, height = decoder->output_height;
  fit(target, decoder);
  JSAMPARRAY row = (*decoder->mem->alloc_sarray)((j_common_ptr)decoder, JPOOL_IMAGE, width * 4, 1);
  // Blue, green, red, and how many there were.
  size_t sums_size = (size_t)target->width * 4 * sizeof(uint32_t);
  uint32_t *sums = (*decoder->mem->alloc_large)((j_common_ptr)decoder, JPOOL_IMAGE, sums_size);
  memset(sums, 0, sums_size);
  while (decoder->output_scanline < height) {
    uint64_t y = decoder->output_scanline;
    jpeg_read_scanlines(decoder, row, 1);
    for (unsigned x = 0; x < width; x++) {
      uint32_t *sum = sums + (uint64_t)x * (unsigned)target->width / width * 4;
      for (unsigned part = 0; part < 3; part++) sum[part] += row[0][x * 4 + part];
      sum[3]++;
    }
    uint64_t line = y * (unsigned)target->height / height;
    if ((y + 1) * (unsigned)target->height / height == line) continue;
    uint8_t *out = target->bytes + line * (unsigned)target->width * 4;
    for (int32_t x = 0; x < target->width; x++) {
      for (unsigned part = 0; part < 3; part++) out[x * 4 + part] = (uint8_t)(sums[x * 4 + part] / sums[x * 4 + 3]);
      out[x * 4 + 3] = 0xFF;
    }
    target->rows = (int32_t)line + 1;
    memset(sums, 0, sums_size);
  }
}

static void run(
    struct session *session, j_decompress_ptr decoder, int32_t scale, int64_t pixels_max, struct cjpeg_pixels *target) {
  struct cjpeg_outcome *outcome = session->outcome;
  jpeg_read_header(decoder, TRUE);
  outcome->width = (int32_t)decoder->image_width;
  outcome->height = (int32_t)decoder->image_height;
  if ((int64_t)outcome->width * outcome->height > pixels_max) {
    outcome->status = cjpeg_TOO_LARGE;
    return;
  }
  decoder->scale_num = 1;
  decoder->scale_denom = target ? reduction(target, decoder) : (unsigned)scale;
  if (target) decoder->out_color_space = JCS_EXT_BGRX;
  decoder->dct_method = JDCT_IFAST;
  decoder->do_fancy_upsampling = FALSE;
  outcome->rows = (int32_t)decoder->total_iMCU_rows;
  jpeg_start_decompress(decoder);
  outcome->rows = (int32_t)decoder->total_iMCU_rows;
  if (target) {
    read_pixels(decoder, target);
  } else {
    JSAMPARRAY row = (*decoder->mem->alloc_sarray)(
        (j_common_ptr)decoder, JPOOL_IMAGE, decoder->output_width * (JDIMENSION)decoder->output_components, 1);
    // Rows that are skipped are decoded as far as a complaint can come, and no pixels are made of them. Of the last row
    // that would not be so: with nothing behind it to read, libjpeg takes the rest of the data for read.
    jpeg_skip_scanlines(decoder, decoder->output_height - 1);
    while (decoder->output_scanline < decoder->output_height) jpeg_read_scanlines(decoder, row, 1);
  }
  jpeg_finish_decompress(decoder);
  outcome->status = cjpeg_DECODED;
  outcome->warnings = session->manager.num_warnings;
  if (!outcome->message[0]) outcome->good_rows = outcome->rows;
}

static void decode(
    const uint8_t *bytes, size_t count, int32_t scale, int64_t pixels_max, struct cjpeg_pixels *target,
    struct cjpeg_outcome *outcome) {
  struct session session;
  struct jpeg_decompress_struct decoder;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  memset(outcome, 0, sizeof *outcome);
  memset(&session, 0, sizeof session);
  memset(&decoder, 0, sizeof decoder);
  memset(&progress, 0, sizeof progress);
  session.outcome = outcome;
  decoder.err = jpeg_std_error(&session.manager);
  session.manager.error_exit = fail;
  session.manager.emit_message = warn;
  session.manager.output_message = be_silent;
  if (setjmp(session.escape)) {
    outcome->status = session.ended ? cjpeg_ENDED : cjpeg_FAILED;
    outcome->warnings = session.manager.num_warnings;
    jpeg_destroy_decompress(&decoder);
    return;
  }
  jpeg_create_decompress(&decoder);
  decoder.mem->max_memory_to_use = memory_bytes_max;
  progress.progress_monitor = watch;
  decoder.progress = &progress;
  session.decoder = &decoder;
  source.next_input_byte = bytes;
  source.bytes_in_buffer = count;
  source.init_source = no_source;
  source.fill_input_buffer = end_of_data;
  source.skip_input_data = skip;
  source.resync_to_restart = jpeg_resync_to_restart;
  source.term_source = no_source;
  decoder.src = &source;
  run(&session, &decoder, scale, pixels_max, target);
  jpeg_destroy_decompress(&decoder);
}

void cjpeg_decode(
    const uint8_t *bytes, size_t count, int32_t scale, int64_t pixels_max, struct cjpeg_outcome *outcome) {
  decode(bytes, count, scale, pixels_max, NULL, outcome);
}

void cjpeg_decode_pixels(
    const uint8_t *bytes, size_t count, int64_t pixels_max, struct cjpeg_pixels *target,
    struct cjpeg_outcome *outcome) {
  target->width = target->height = target->rows = 0;
  decode(bytes, count, 1, pixels_max, target, outcome);
}

size_t cjpeg_encode(
    const uint8_t *pixels, int32_t width, int32_t height, int32_t parts, int32_t quality, uint8_t **out) {
  struct session session;
  struct jpeg_compress_struct encoder;
  unsigned char *bytes = NULL;
  unsigned long count = 0;
  *out = NULL;
  memset(&session, 0, sizeof session);
  memset(&encoder, 0, sizeof encoder);
  encoder.err = jpeg_std_error(&session.manager);
  session.manager.error_exit = fail;
  session.manager.emit_message = warn;
  session.manager.output_message = be_silent;
  if (setjmp(session.escape)) {
    jpeg_destroy_compress(&encoder);
    return 0;
  }
  jpeg_create_compress(&encoder);
  jpeg_mem_dest(&encoder, &bytes, &count);
  encoder.image_width = (JDIMENSION)width;
  encoder.image_height = (JDIMENSION)height;
  encoder.input_components = parts;
  encoder.in_color_space = parts == 1 ? JCS_GRAYSCALE : JCS_EXT_BGRX;
  jpeg_set_defaults(&encoder);
  jpeg_set_quality(&encoder, quality, TRUE);
  encoder.dct_method = JDCT_ISLOW;
  jpeg_start_compress(&encoder, TRUE);
  while (encoder.next_scanline < encoder.image_height) {
    JSAMPROW row = (JSAMPROW)(pixels + (size_t)encoder.next_scanline * (size_t)width * (size_t)parts);
    jpeg_write_scanlines(&encoder, &row, 1);
  }
  jpeg_finish_compress(&encoder);
  jpeg_destroy_compress(&encoder);
  *out = bytes;
  return (size_t)count;
}

void cjpeg_free(uint8_t *bytes) { free(bytes); }
