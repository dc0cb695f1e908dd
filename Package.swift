// swift-tools-version: 6.2
// The floors: a target imports only from the floors below it. Tests/TidyTests holds the sources to this table.
import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

func room(_ name: String, _ dependencies: [String] = []) -> Target {
  .target(name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [String]) -> Target {
  .executableTarget(name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [String]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, exclude: [], swiftSettings: strict)
}

func library(_ name: String, _ pkgConfig: String, debian: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([debian])])
}

let package = Package(
  name: "lnote-toolkit",
  targets: [
    // Floor 0: one door per C library.
    .target(name: "CPosix"),
    // These two are loaded when they are needed.
    .target(name: "CCairo"),
    .target(name: "CArchive"),
    .target(name: "CJPEG", dependencies: ["CJPEGLibrary"]),
    library("CJPEGLibrary", "libjpeg", debian: "libjpeg62-turbo-dev"),
    library("CFuse", "fuse3", debian: "libfuse3-dev"),
    library("CISAL", "libisal", debian: "libisal-dev"),
    library("CXXHash", "libxxhash", debian: "libxxhash-dev"),
    library("CJansson", "jansson", debian: "libjansson-dev"),

    // Floor 1: the machine and the bytes.
    room("Bytes", ["CISAL", "CXXHash"]),
    room("Files", ["CPosix"]),
    room("Options"),
    room("JSON", ["CJansson"]),
    room("Processes", ["CPosix"]),
    room("Terminal", ["CPosix"]),

    // Floor 2: values.
    room("FileTracing", ["Bytes", "Files", "JSON"]),
    room("Pages", ["JSON"]),
    room("LNoteFormat", ["Bytes", "JSON"]),
    room("Archives", ["CArchive", "Files"]),
    room("PropertyTesting", ["Bytes"]),

    // Floor 3: what reads, draws and breaks.
    room("Scenarios", ["FileTracing", "Files", "PropertyTesting"]),
    room("Rendering", ["CCairo", "CJPEG", "Bytes", "LNoteFormat"]),
    room("FaultDisk", ["FileTracing", "Files", "Bytes"]),
    room("Linting", ["FileTracing", "Files"]),
    room("Campaigns", ["Bytes", "JSON", "Pages", "Terminal"]),

    // Floor 4: the disk's second door, what a crash may leave, the store under test, the checker.
    room("CrashModel", ["FaultDisk", "FileTracing", "Files", "Bytes", "Pages"]),
    room("FaultFS", ["CFuse", "FaultDisk", "FileTracing", "Files", "JSON", "Processes"]),
    room("LNoteStore", ["LNoteFormat", "Files", "Bytes", "JSON", "Rendering"]),
    room("LNoteFsck", ["Archives", "LNoteFormat", "Files", "Bytes", "JSON", "Pages", "Rendering", "Terminal"]),

    // Floor 5: a scenario, its subject and its judge.
    room(
      "Harness",
      [
        "Bytes", "Files", "JSON", "Processes", "Terminal", "FileTracing", "LNoteFormat", "Scenarios", "Rendering",
        "FaultDisk", "CrashModel", "LNoteStore", "LNoteFsck", "Pages",
      ]),

    room("Exploring", ["CrashModel", "FaultDisk", "Files", "Processes", "Bytes"]),
    room("Confirming", ["CPosix", "CrashModel", "FaultDisk", "FileTracing", "Files", "Bytes", "Processes"]),

    // Floor 6: scenarios that are made up.
    room("Inventing", ["Campaigns", "FileTracing", "Harness", "PropertyTesting", "Scenarios"]),

    // Floor 7: the programs.
    program(
      "lnote-fsck",
      ["Archives", "Options", "Terminal", "JSON", "Processes", "LNoteFsck", "LNoteFormat", "Files"]),
    program(
      "faultfs",
      [
        "Options", "Terminal", "JSON", "Processes", "FaultFS", "FaultDisk", "FileTracing", "Scenarios", "Linting",
        "Confirming", "CrashModel", "Exploring", "Bytes", "Files", "Pages",
      ]),
    program("lnote-driver", ["Options", "JSON", "Processes", "LNoteStore", "Files"]),
    program(
      "lnote-scenario",
      ["Options", "Terminal", "JSON", "Processes", "Harness", "Inventing", "Scenarios", "Files", "Pages"]),
    program(
      "lnote-nightly",
      ["Campaigns", "Files", "Harness", "Inventing", "JSON", "Options", "Processes", "Scenarios", "Terminal"]),
    program("lnote-demo", ["Options", "Terminal", "Processes", "Harness", "Scenarios", "Files"]),
    program("lnote-bench", ["Options", "LNoteFormat", "Files", "PropertyTesting"]),

    // Tests: one suite a room, contracts that several rooms must pass, and the built programs on real mounts.
    .target(
      name: "TestSupport", dependencies: ["Bytes", "Files"],
      path: "Tests/TestSupport", swiftSettings: strict),
    .target(
      name: "DamageCorpus",
      dependencies: [
        "Archives", "Bytes", "FaultDisk", "FileTracing", "Files", "JSON", "LNoteFormat", "LNoteFsck", "Rendering",
        "TestSupport",
      ],
      path: "Tests/DamageCorpus", swiftSettings: strict),
    .target(
      name: "Fuzzing",
      dependencies: [
        "Archives", "Bytes", "DamageCorpus", "FileTracing", "Files", "JSON", "LNoteFormat", "Rendering", "Scenarios",
        "TestSupport",
      ],
      path: "Tests/Fuzzing", swiftSettings: strict),
    tests("BytesTests", ["Bytes"]),
    tests("FilesTests", ["Files", "TestSupport"]),
    .target(name: "CGetopt", path: "Tests/CGetopt"),
    tests("OptionsTests", ["Options", "CGetopt"]),
    tests("JSONTests", ["JSON", "TestSupport"]),
    tests("ProcessesTests", ["Processes", "TestSupport"]),
    tests("TerminalTests", ["Terminal"]),
    tests("PagesTests", ["Pages", "JSON"]),
    tests("InventingTests", ["Campaigns", "Harness", "Inventing", "JSON", "PropertyTesting", "Scenarios"]),
    tests(
      "CampaignsTests",
      ["Bytes", "Campaigns", "Files", "JSON", "Pages", "Processes", "Rendering", "TestSupport"]),
    tests("FileTracingTests", ["FileTracing", "Files", "JSON", "TestSupport"]),
    tests("LNoteFormatTests", ["LNoteFormat", "Bytes", "Files", "JSON", "Processes", "TestSupport"]),
    tests("ScenariosTests", ["Scenarios", "FileTracing", "Files", "PropertyTesting", "TestSupport"]),
    tests("PropertyTestingTests", ["PropertyTesting", "Files", "TestSupport"]),
    tests("RenderingTests", ["Rendering", "LNoteFormat"]),
    tests("ArchivesTests", ["Archives", "Files", "Processes", "TestSupport"]),
    tests("FaultDiskTests", ["FaultDisk", "FileTracing", "Files", "TestSupport"]),
    tests(
      "LNoteStoreTests",
      [
        "LNoteStore", "LNoteFormat", "Files", "FaultDisk", "FileTracing", "Rendering", "JSON", "Processes",
        "TestSupport",
      ]),
    tests(
      "LNoteFsckTests",
      [
        "LNoteFsck", "Archives", "LNoteFormat", "Files", "FaultDisk", "CrashModel", "FileTracing", "Rendering", "JSON",
        "Bytes",
        "Pages", "Terminal", "Processes", "TestSupport",
      ]),
    tests(
      "DamageCorpusTests",
      [
        "Bytes", "DamageCorpus", "FaultDisk", "LNoteFsck", "Files", "JSON", "LNoteFormat", "Processes", "TestSupport",
      ]),
    tests(
      "HarnessTests",
      [
        "Harness", "Scenarios", "LNoteFormat", "LNoteFsck", "LNoteStore", "CrashModel", "FaultDisk", "FileTracing",
        "Files", "Rendering",
        "TestSupport",
      ]),
    tests(
      "ExploringTests", ["Exploring", "CrashModel", "FaultDisk", "FileTracing", "Files", "Processes", "TestSupport"]),
    tests(
      "CrashModelTests",
      ["CrashModel", "Confirming", "Bytes", "FaultDisk", "FileTracing", "Files", "JSON", "TestSupport"]),
    tests("ConfirmingTests", ["Confirming", "CrashModel", "FaultDisk", "FileTracing", "Files", "TestSupport"]),
    tests("LintingTests", ["Linting", "FileTracing", "Files"]),
    .target(name: "CKernelCalls", path: "Tests/CKernelCalls"),
    tests(
      "FaultFSTests",
      ["FaultFS", "FaultDisk", "FileTracing", "Files", "JSON", "Processes", "TestSupport", "CKernelCalls"]),
    tests("EndToEndTests", ["Bytes", "Files", "FileTracing", "JSON", "Processes", "LNoteFormat", "TestSupport"]),
    tests("TidyTests", ["TestSupport", "Files", "JSON", "Processes"]),
  ]
)
