/// A page as it should be and as it is, for whoever looks at a failure.
package struct PageViews: Sendable, Equatable {
  /// One of the two.
  package struct View: Sendable, Equatable {
    /// What is on it, or why there is no picture.
    package let words: String
    /// A small JPEG; nil where nothing can be shown.
    package let jpeg: [UInt8]?
  }

  /// How the scenario calls the page.
  package let page: String
  /// As it should be.
  package let expected: View
  /// As it is.
  package let found: View
}
