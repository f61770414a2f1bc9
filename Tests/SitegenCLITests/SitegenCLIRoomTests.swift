import Testing

struct SitegenCLIRoomTests {
}
