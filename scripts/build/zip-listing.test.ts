import assert from "node:assert/strict";
import { test } from "node:test";
import { zipListing } from "./zip-listing.ts";

/** Builds an archive of one stored file by hand, with a comment at its end. */
function archiveOf(name: string, content: string, comment = ""): Buffer {
  const local = Buffer.alloc(30 + name.length);
  local.writeUInt32LE(0x04034b50, 0);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt32LE(content.length, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(local.length + content.length, 16);
  return Buffer.concat([local, Buffer.from(content), entry, Buffer.from(name), end, Buffer.from(comment)]);
}

test("lists the files of an archive", () => {
  assert.deepEqual(zipListing(archiveOf("extension/package.json", "{}")), [
    { name: "extension/package.json", bytes: 2 },
  ]);
});

test("finds the directory before a comment", () => {
  assert.equal(zipListing(archiveOf("a", "b", "a comment")).length, 1);
});

test("reports a file that is not an archive", () => {
  assert.throws(() => zipListing(Buffer.from("certainly not an archive")), /not a zip archive/u);
  assert.throws(() => zipListing(Buffer.alloc(0)), /not a zip archive/u);
});
