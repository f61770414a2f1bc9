import Testing

struct SitegenRoomTests {
}
