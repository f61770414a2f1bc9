// Nearly every test needs them.
@_exported public import Foundation
@_exported public import Testing
