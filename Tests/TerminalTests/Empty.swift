// Filled by the next commits of this room.
