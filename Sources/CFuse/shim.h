#pragma once
// The version of the low-level interface that FaultFS is written against.
#define FUSE_USE_VERSION 314
#include <fuse_lowlevel.h>
