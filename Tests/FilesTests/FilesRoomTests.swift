import Testing

struct FilesRoomTests {
}
