import Testing

struct StoreRoomTests {
}
