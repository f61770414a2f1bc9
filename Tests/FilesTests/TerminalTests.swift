import Files
import Glibc
import TestSupport

struct TerminalTests {
  @Test func `a file is not a terminal`() throws {
    let temporary = TemporaryFolder()
    try temporary.write("x", to: "file")
    let file = try #require(FileHandle(forReadingAtPath: temporary.path(of: "file")))
    #expect(!Terminal.isTerminal(file.fileDescriptor))
    #expect(Terminal.width(file.fileDescriptor) == nil)
    #expect(Terminal.width(-1) == nil)
  }

  @Test(.needs(Need("a terminal, which some containers have not", file: "/dev/pts/ptmx")))
  func `a terminal reports its width`() throws {
    let main = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
    try #require(main >= 0)
    defer { close(main) }
    // Rows and columns, then width and height in pixels.
    var size: [UInt16] = [24, 97, 0, 0]
    #expect(unsafe ioctl(main, UInt(TIOCSWINSZ), &size) == 0)
    #expect(Terminal.isTerminal(main))
    #expect(Terminal.width(main) == 97)
  }
}
