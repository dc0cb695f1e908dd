extension ProblemKind {
  /// Every kind, by code.
  package static let all: [ProblemKind] = [
    notAPackage, inUse, unknownFormatVersion, changedDuringCheck, inputOutputError, permissionDenied,
    packageIsLink, crossesDevice, noSpaceForRepair, resourceLimit, lockUnavailable, archiveDamaged,
    missingDirectory, unexpectedType, symlinkInside, hardLinked, badName, caseVariant, characterVariant,
    nameIdentityDiffers, zeroLength, nulFilled, sparseHole, notDownloaded,
    conflictCopySame, conflictCopyDiffers,
    temporaryLeftover,
    temporaryNewer, temporaryIsOnlyGoodCopy, secondName, foreignFile, appleDouble, unknownFile,
    implausibleTime,
    documentMissing, documentDamaged, documentIdentityDiffers, duplicatePageEntry, pageMissing, pageUnlisted, entryLags,
    badCanvas, badTimestamp, badTitle, unknownField, pagesUnlisted, pagesBulkMissing, checksumMismatch, jsonAnomaly,
    documentRolledBack,
    deletionUnfinished, pageRolledBack, elementCountDiffers,
    pageDamaged, pageTruncated, trailingBytes, pageVersion, duplicateElement, unknownElement, valueOutOfRange,
    timeNotMonotonic, sampleCountDiffers, emptyStroke, canvasDiffers, generationZero, frameListDiffers,
    assetMissing, assetOrphan, assetUnproven, assetNotJPEG, assetTruncated, assetDamaged, assetTrailingData,
    assetZeroDimensions, assetConflict,
    manifestMissing, manifestDamaged, manifestStale,
    thumbnailMissing, thumbnailStale, thumbnailDamaged, thumbnailUnused,
    journalTornTail, journalDamagedInside, journalInsaneLength, journalZeroTail, staleJournal, futureJournal,
    journalWithoutPage, unmergedJournal, journalAnomaly, journalHeaderDamaged, journalOfOtherTimeline,
    duplicateDocument, nameNotIdentity, conflictCopy, emptyPackage, nestedPackage, nameCollision, oldSetAside,
    copiedWhileWritten, packageIsArchive,
    knownLoss, healed,
  ]

  /// The kind of this code ("LN3001") or name ("page-damaged"), in any case; nil where there is none.
  package static func named(_ text: String) -> ProblemKind? {
    let wanted = text.lowercased()
    return all.first { $0.code.lowercased() == wanted || $0.name == wanted }
  }
}
