/// Where the file form of a log goes: a file outside the traced disk, or memory.
package protocol OperationLogSink: AnyObject, Sendable {
  /// Takes these bytes behind all earlier ones, the pieces in order; they are valid only during the call.
  ///
  /// Called under the disk's lock, before the operation is answered: what was acknowledged is in the log.
  func append(_ pieces: [UnsafeRawBufferPointer])
}
