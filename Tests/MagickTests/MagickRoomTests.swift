import Testing

struct MagickRoomTests {
}
