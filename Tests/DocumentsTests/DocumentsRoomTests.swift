import Testing

struct DocumentsRoomTests {
}
