import TestSupport

/// The bytes of `Samples`, made without the toolkit's codec, from Docs/reference/format.md.
enum Golden {
  static let page = hex(
    """
    894c4e500d0a1a0a010054000000000000112233445546778899aabbccddeeff
    0300000094200000a42e00005ddad9810900000000000000c000000000000000
    c08d031d9f010000e0a8041d9f0100006cd0bb49
    5000000032762c2101e1e1000000004000800000000000000102000000112233
    ff0f0000000300000064000000c80000000f00f40100000000ffffffff000000
    80ffffe80308000000ffffff7f0000000000000000ffffffff
    500000007134c72002e1e10000000040008000000000000002a55e7000000040
    008000000000000001f6ffffff14000000b80b0000a00f000070a0feff000000
    00cb04fb711f0100000102030405060708090a0b0c0d0e0f10
    05000000f0dc1922c8deadbeef00
    """)

  static let document = """
    {
      "checksum": "8d24deb2",
      "createdAt": "2026-07-01T09:30:00.000Z",
      "deleted": [],
      "formatVersion": 1,
      "generation": 17,
      "id": "6F9619FF-8B86-D011-B42D-00C04FC964FF",
      "losses": [],
      "modifiedAt": "2026-07-01T09:31:12.480Z",
      "pages": [
        {
          "canvas": {
            "height": 11940,
            "width": 8340
          },
          "createdAt": "2026-07-01T09:30:00.000Z",
          "elementCount": 3,
          "generation": 9,
          "id": "00112233-4455-4677-8899-AABBCCDDEEFF",
          "losses": [],
          "modifiedAt": "2026-07-01T09:31:12.480Z"
        }
      ],
      "title": "Analysis I"
    }

    """

  static let manifest = """
    {
      "checksum": "6a5d3d9e",
      "coverPage": "00112233-4455-4677-8899-AABBCCDDEEFF",
      "documentGeneration": 17,
      "formatVersion": 1,
      "id": "6F9619FF-8B86-D011-B42D-00C04FC964FF",
      "modifiedAt": "2026-07-01T09:31:12.480Z",
      "pageCount": 1,
      "title": "Analysis I"
    }

    """
}
