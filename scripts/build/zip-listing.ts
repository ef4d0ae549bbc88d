const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
const endLength = 22; // bytes
const maxCommentBytes = 65_535; // bytes

/** One file of a zip archive. */
export interface ZippedFile {
  readonly name: string;
  /** Unpacked size. */
  readonly bytes: number;
}

/** Lists the files in a zip archive from its central directory. Does not support archives of 4 GB or more (zip64). */
export function zipListing(archive: Buffer): ZippedFile[] {
  const oldest = Math.max(0, archive.length - endLength - maxCommentBytes);
  let end = archive.length - endLength;
  while (end >= oldest && archive.readUInt32LE(end) !== endOfDirectory) end -= 1;
  if (end < oldest) throw new Error("This is not a zip archive: it has no central directory.");
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  const files: ZippedFile[] = [];
  for (let index = 0; index < count; index += 1) {
    if (archive.readUInt32LE(at) !== directoryEntry)
      throw new Error("The zip archive's directory is damaged.");
    const nameLength = archive.readUInt16LE(at + 28);
    const extraLength = archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    files.push({
      name: archive.toString("utf8", at + 46, at + 46 + nameLength),
      bytes: archive.readUInt32LE(at + 24),
    });
    at += 46 + nameLength + extraLength;
  }
  return files;
}
