/// What the header of a page file and the file's size tell. The body was not read.
package struct PageGlance: Hashable, Sendable {
  /// What the file looks like; `whole` says no more than that header and size agree.
  package let condition: PageCondition
  /// The header, where its checksum fits.
  package let header: PageHeader?

  /// How many of a file's first bytes are looked at: the header, and enough to see a sector of zeros.
  package static let bytes = 512
}

extension PageReader {
  /// Looks at the first bytes of a page file of `size` bytes.
  ///
  /// There are `PageGlance.bytes` of them, or all there are.
  ///
  /// `expecting` is the identity in the file's name.
  package static func glance(_ head: UnsafeRawBufferPointer, size: UInt64, expecting: NoteID) -> PageGlance {
    if size > UInt64(PageLimits.fileBytesMax) { return PageGlance(condition: .limitExceeded(.fileBytes), header: nil) }
    switch PageHeader.read(head) {
    case .failure(let fault): return PageGlance(condition: fault.condition, header: nil)
    case .success(let header):
      let end = UInt64(PageLimits.headerBytes) + header.bodyLength
      let condition: PageCondition =
        size < end
        ? .truncated(missing: Int(end - size))
        : header.id != expecting ? .idDiffers : size > end ? .trailing(bytes: Int(size - end)) : .whole
      return PageGlance(condition: condition, header: header)
    }
  }
}
