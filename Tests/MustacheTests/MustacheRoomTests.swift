import Testing

struct MustacheRoomTests {
}
