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

static void run(struct session *session, j_decompress_ptr decoder, int32_t scale, int64_t pixels_max) {
  struct cjpeg_outcome *outcome = session->outcome;
  jpeg_read_header(decoder, TRUE);
  outcome->width = (int32_t)decoder->image_width;
  outcome->height = (int32_t)decoder->image_height;
  if ((int64_t)outcome->width * outcome->height > pixels_max) {
    outcome->status = cjpeg_TOO_LARGE;
    return;
  }
  decoder->scale_num = 1;
  decoder->scale_denom = (unsigned)scale;
  decoder->dct_method = JDCT_IFAST;
  decoder->do_fancy_upsampling = FALSE;
  outcome->rows = (int32_t)decoder->total_iMCU_rows;
  jpeg_start_decompress(decoder);
  outcome->rows = (int32_t)decoder->total_iMCU_rows;
  JSAMPARRAY row = (*decoder->mem->alloc_sarray)(
      (j_common_ptr)decoder, JPOOL_IMAGE, decoder->output_width * (JDIMENSION)decoder->output_components, 1);
  while (decoder->output_scanline < decoder->output_height) jpeg_read_scanlines(decoder, row, 1);
  jpeg_finish_decompress(decoder);
  outcome->status = cjpeg_DECODED;
  outcome->warnings = session->manager.num_warnings;
  if (!outcome->message[0]) outcome->good_rows = outcome->rows;
}

void cjpeg_decode(
    const uint8_t *bytes, size_t count, int32_t scale, int64_t pixels_max, struct cjpeg_outcome *outcome) {
  struct session session;
  struct jpeg_decompress_struct decoder;
  struct jpeg_source_mgr source;
  memset(outcome, 0, sizeof *outcome);
  memset(&session, 0, sizeof session);
  memset(&decoder, 0, sizeof decoder);
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
  session.decoder = &decoder;
  source.next_input_byte = bytes;
  source.bytes_in_buffer = count;
  source.init_source = no_source;
  source.fill_input_buffer = end_of_data;
  source.skip_input_data = skip;
  source.resync_to_restart = jpeg_resync_to_restart;
  source.term_source = no_source;
  decoder.src = &source;
  run(&session, &decoder, scale, pixels_max);
  jpeg_destroy_decompress(&decoder);
}

size_t cjpeg_encode_grey(const uint8_t *pixels, int32_t width, int32_t height, int32_t quality, uint8_t **out) {
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
  encoder.input_components = 1;
  encoder.in_color_space = JCS_GRAYSCALE;
  jpeg_set_defaults(&encoder);
  jpeg_set_quality(&encoder, quality, TRUE);
  encoder.dct_method = JDCT_ISLOW;
  jpeg_start_compress(&encoder, TRUE);
  while (encoder.next_scanline < encoder.image_height) {
    JSAMPROW row = (JSAMPROW)(pixels + (size_t)encoder.next_scanline * (size_t)width);
    jpeg_write_scanlines(&encoder, &row, 1);
  }
  jpeg_finish_compress(&encoder);
  jpeg_destroy_compress(&encoder);
  *out = bytes;
  return (size_t)count;
}

void cjpeg_free(uint8_t *bytes) { free(bytes); }
