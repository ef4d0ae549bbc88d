import assert from "node:assert/strict";
import { mayBeWanted } from "../../../../src/engine/transcripts/scan/line-sniff.ts";
import type { RowKind, RowReader } from "../../../../src/engine/transcripts/scan/row-reader.ts";
import { referenceRow, type Reading } from "./reference-row.ts";

/** The row reader's answer as a plain value, read from the middle of a larger buffer, as the scan does. */
export function readingOf(reader: RowReader, line: Buffer, after = "\n"): Reading {
  const before = Buffer.from('{"type":"user"}\n');
  const bytes = Buffer.concat([before, line, Buffer.from(after)]);
  return readingIn(reader, reader.read(bytes, before.length, before.length + line.length));
}

/** The values of the last row, of this kind. */
export function readingIn(reader: RowReader, kind: RowKind): Reading {
  const { values, isLongContext: longContext, isSidechain, isCopy, input, output } = reader;
  const { cacheCreation5m, cacheCreation1h, cacheRead, trigger, preTokens, postTokens } = reader;
  const text = (slot: number) => (values.has(slot) ? values.text(slot) : null);
  const at = Number.isNaN(reader.at) ? null : reader.at;
  if (kind === "compaction") {
    const sessionId = text(reader.sessionId);
    return { kind, longContext, sessionId, isSidechain, at, trigger, preTokens, postTokens };
  }
  if (kind !== "response") return { kind, longContext };
  const requestId = text(reader.requestId);
  return {
    kind,
    longContext,
    sessionId: text(reader.sessionId),
    isSidechain,
    at,
    messageId: reader.rowId ?? text(reader.messageId) ?? "",
    requestId: requestId === "" ? null : requestId,
    model: text(reader.model),
    cwd: text(reader.cwd),
    isCopy,
    usage: { input, output, cacheCreation5m, cacheCreation1h, cacheRead },
    terms: reader.terms ?? null,
    lastCall: reader.lastCall === undefined ? "of one call" : reader.lastCall,
    serverCalls: reader.serverCalls,
  };
}

/**
 * Normalizes the one leniency of the reader: in skipped strings it accepts control characters and unknown escapes.
 */
function withSoundStrings(line: string): string {
  return line.replaceAll(/"(?:[^"\\]|\\.)*"/gsu, (text) =>
    text
      .replaceAll(/\\(?:["\\/bfnrt]|u[0-9a-f]{4})|\\./gisu, (escape) =>
        escape.length > 2 || isEscape(escape) ? escape : "__",
      )
      .replaceAll(/[\0-\x1f]/gu, "_"),
  );
}

function isEscape(escape: string): boolean {
  return /^\\["\\/bfnrt]$/u.test(escape);
}

/** Asserts that the row reader and the sniff agree with `JSON.parse` and a schema on a line. */
export function assertReadsLikeReference(reader: RowReader, line: Buffer): void {
  const text = line.toString("utf8");
  const reading = readingOf(reader, line);
  const strict = referenceRow(text);
  if (strict.kind !== "malformed") assert.deepEqual(reading, strict);
  else if (reading.kind !== "malformed") assert.deepEqual(reading, referenceRow(withSoundStrings(text)));
  if (!mayBeWanted(line, 0, line.length)) {
    assert.ok(["other", "malformed"].includes(strict.kind) && !strict.longContext, `sniffed away: ${text}`);
  }
}
