#pragma once
#include <isa-l/crc.h>
#include <stddef.h>
#include <stdint.h>

// ISA-L takes a non-const pointer and an int length; neither is written through nor negative here.
static inline uint32_t cisal_crc32c_update(uint32_t state, const uint8_t *bytes, int length) {
  return crc32_iscsi((unsigned char *)bytes, length, state);
}
