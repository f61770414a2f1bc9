import Testing

struct WorkersRoomTests {
}
