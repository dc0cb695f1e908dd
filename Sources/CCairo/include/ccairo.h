#pragma once
#include <cairo/cairo-pdf.h>
#include <cairo/cairo.h>

// The functions of cairo that are used, without the prefix cairo_. Programs are not linked with its library but load it
// when the first page is drawn: with all that it needs itself, that takes longer than everything else at their start.
// Tools/dist.sh reads this list.
#define ccairo_FUNCTIONS(each)                                                                                       \
  each(clip) each(close_path) each(create) each(destroy) each(fill) each(get_source) each(image_surface_create)      \
  each(image_surface_get_data) each(image_surface_get_stride) each(line_to) each(move_to) each(new_path) each(paint) \
  each(pattern_set_extend) each(pdf_surface_create_for_stream) each(pdf_surface_set_metadata)                        \
  each(pdf_surface_set_size) each(rectangle) each(restore) each(rotate) each(save) each(scale)                       \
  each(select_font_face) each(set_fill_rule) each(set_font_size) each(set_source_rgba) each(set_source_surface)      \
  each(set_tolerance) each(show_page) each(show_text) each(status) each(status_to_string) each(surface_destroy)      \
  each(surface_finish) each(surface_flush) each(surface_mark_dirty) each(surface_set_mime_data) each(surface_status) \
  each(text_extents) each(translate)

#define ccairo_FIELD(name) __typeof__(cairo_##name) *_Nonnull name;
struct ccairo {
  ccairo_FUNCTIONS(ccairo_FIELD)
};

// Null where the library or one of the functions cannot be found; then dlerror says why. To be called by one thread.
const struct ccairo *_Nullable ccairo_load(void);
