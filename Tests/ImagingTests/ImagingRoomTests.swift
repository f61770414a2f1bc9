import Testing

struct ImagingRoomTests {
}
