import Preview
import Testing

@Suite struct FileChangeTests {
  @Test func `changes are sorted by path`() {
    let changes: [FileChange] = [.path("/b"), .path("/a/c"), .anything, .path("/a")]
    #expect(changes.sorted() == [.anything, .path("/a"), .path("/a/c"), .path("/b")])
  }
}
