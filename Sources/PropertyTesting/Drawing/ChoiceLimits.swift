/// How large one test case may become.
package struct ChoiceLimits: Hashable, Sendable {
  /// The most choices of a case.
  package var choicesMax: Int
  /// The most spans around each other.
  package var depthMax: Int
  /// The most bytes of all choices of bytes together.
  package var bytesMax: Int

  /// These limits; 8,192 choices, 100 spans around each other and 64 KiB where nothing is said.
  package init(choicesMax: Int = 8192, depthMax: Int = 100, bytesMax: Int = 64 << 10) {
    self.choicesMax = choicesMax
    self.depthMax = depthMax
    self.bytesMax = bytesMax
  }
}
