import Fetch
import Files
import Foundation
import Glibc

/// A name server on loopback that answers as a test wants, over UDP only.
final class TinyNameServer: Sendable {
  struct NoSocket: Error {}

  let port: UInt16
  private let descriptor: Int32
  private let ended = DispatchSemaphore(value: 0)
  private let isStopped = Guarded(false)
  private let count = Guarded(0)

  /// Starts a server.
  ///
  /// - Parameter answer: Makes an answer to a packet; nil for silence.
  /// - Throws: `NoSocket`.
  init(answer: @escaping @Sendable ([UInt8]) -> [UInt8]?) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    self.descriptor = descriptor
    guard descriptor >= 0 else { throw NoSocket() }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // The address is as long as its size says, for all three calls.
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(descriptor, pointer, size) == 0
          && getsockname(descriptor, pointer, &size) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    // So that it sees soon that it shall stop.
    var time = timeval(tv_sec: 0, tv_usec: 20_000)
    let isTimed = unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    guard isBound, isTimed == 0 else {
      close(descriptor)
      throw NoSocket()
    }
    Thread.detachNewThread { [ended, isStopped, count] in
      while !isStopped.withLock({ $0 }) {
        Self.serve(descriptor) { packet in
          count.withLock { $0 += 1 }
          return answer(packet)
        }
      }
      ended.signal()
    }
  }

  deinit {
    isStopped.withLock { $0 = true }
    ended.wait()
    close(descriptor)
  }

  var server: ServiceRecords.Server {
    ServiceRecords.Server(address: [127, 0, 0, 1], port: port)
  }

  /// How many packets came.
  var packets: Int { count.withLock { $0 } }

  private static func serve(_ descriptor: Int32, _ answer: ([UInt8]) -> [UInt8]?) {
    var packet = [UInt8](repeating: 0, count: 4096)
    var sender = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // Both buffers are as long as is said, and live during the calls.
    unsafe withUnsafeMutablePointer(to: &sender) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        let length = unsafe recvfrom(descriptor, &packet, packet.count, 0, pointer, &size)
        guard length > 0, let bytes = answer(Array(packet.prefix(length))) else { return }
        _ = unsafe sendto(descriptor, bytes, bytes.count, 0, pointer, size)
      }
    }
  }
}
