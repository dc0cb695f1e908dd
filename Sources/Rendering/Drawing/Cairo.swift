import CCairo
import Glibc

/// The library that draws, which is loaded when it is first asked for.
package enum DrawingLibrary {
  fileprivate static let loaded: (functions: ccairo?, obstacle: String) = {
    if let found = ccairo_load() { return (found.pointee, "") }
    return (nil, dlerror().map { String(cString: $0) } ?? "a function is missing in it")
  }()

  /// Why nothing can be drawn in this process, in the system's words; nil where it can.
  package static var obstacle: String? { loaded.functions == nil ? loaded.obstacle : nil }
}

/// cairo's functions. Programs are installed with its library; where it is gone, they ask `DrawingLibrary` first.
let cairo: ccairo = {
  guard let functions = DrawingLibrary.loaded.functions else {
    preconditionFailure("nothing can be drawn: \(DrawingLibrary.loaded.obstacle)")
  }
  return functions
}()
