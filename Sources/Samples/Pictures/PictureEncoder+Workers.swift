import Recipes
package import Workers

extension PictureEncoder {
  /// Encodes in the workers of a pool.
  ///
  /// It throws `WorkerFailure`, or the `Rejection` of an encoder.
  package static func workers(
    _ pool: WorkerPool, isCancelled: @escaping @Sendable () -> Bool
  ) -> PictureEncoder {
    PictureEncoder { drawing, format, quality in
      let outcomes = try pool.render(
        request(drawing, as: format, quality: quality), isCancelled: isCancelled)
      switch outcomes.first {
      case .image(let image): return image.bytes
      case .rejected(let rejection): throw rejection
      case nil: throw WorkerFailure.garbled
      }
    }
  }
}
