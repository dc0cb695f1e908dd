/// x
package enum OperationLogWriter {
  /// x
  package static func write(_ record: OperationRecord, data: [UnsafeRawBufferPointer], to sink: any OperationLogSink) {}
}
