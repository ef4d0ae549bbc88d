import zlib from "node:zlib";
import { type AgentSession, readChunks } from "../agent-session.ts";
import { attributedByIndex, namedRecords, type AttributedSession, type NamedRecord } from "../records.ts";
import { type CodexRecord, RolloutLines } from "./read-rollout.ts";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import { readSessionFile, readWholeFile, type UnreadableFile } from "../usage-reader.ts";
import { sessionIdOf } from "./codex-files.ts";
import { sentence, compose } from "../../base/language.ts";

/** Decompresses Zstandard; null when the runtime cannot. */
type Zstd = ((bytes: Buffer, maxBytes: number) => Buffer) | null;

/** In Node since 22.15. */
export const runtimeZstd: Zstd =
  "zstdDecompressSync" in zlib
    ? (bytes, maxBytes) => zlib.zstdDecompressSync(bytes, { maxOutputLength: maxBytes })
    : null;

/** Upper bound, packed or not: a small file may unpack to any size. A longer file is not a rollout. Bytes. */
const maxUnpackedSize = 1024 * 1024 * 1024;

/** Reads a rollout to its end, compressed or not. An unreadable file is a named failure. */
export function readRollout(
  path: string,
  zstd: Zstd = runtimeZstd,
): Result<AgentSession<CodexRecord>, UnreadableFile> {
  const start = () => new RolloutLines(sessionIdOf(path) ?? "");
  if (!path.endsWith(".zst")) return readSessionFile(path, start);
  if (zstd === null)
    return fail("unsupported", sentence("{0}: this runtime cannot read Zstandard files", path));
  const packed = readWholeFile(path, maxUnpackedSize);
  if (!packed.ok) return packed;
  if (packed.value === undefined) return fail("damaged", sentence("{0}: it is too long", path));
  try {
    return succeed(readChunks(start(), [zstd(packed.value, maxUnpackedSize)]));
  } catch (error) {
    return fail("damaged", compose`${path}: ${errorCode(error)}`);
  }
}

/** The pairs of total and last usage in a session's rollout; empty when there is no such rollout. */
export type PairsOf = (sessionId: string) => ReadonlySet<string>;

/** Returns the pairs in a session's rollouts. A file repeats its parent's lines first, so each file is read once. */
export function pairsOfRollouts(filesOf: (sessionId: string) => readonly string[]): PairsOf {
  const held = new Map<string, ReadonlySet<string>>();
  return (sessionId) => {
    const pairs = held.get(sessionId) ?? new Set(filesOf(sessionId).flatMap(pairsIn));
    held.set(sessionId, pairs);
    return pairs;
  };
}

function pairsIn(rollout: string): string[] {
  const read = readRollout(rollout);
  return read.ok ? read.value.records.flatMap(({ pair }) => (pair === null ? [] : [pair])) : [];
}

/**
 * Attributes a rollout's records. For some lines only the parent's rollout shows whether they are copies of the
 * parent's: they are left out if the parent has them, as in `countRollouts`. If the parent's rollout is gone, they get
 * the ids they would have there, so that they match rows the ledger may already hold. Their work is then attributed to
 * no session.
 */
export function attributedRollout(session: AgentSession<CodexRecord>, pairsOf: PairsOf): AttributedSession {
  return attributedByIndex(session, namedOf(session, pairsOf));
}

function namedOf({ facts, records }: AgentSession<CodexRecord>, pairsOf: PairsOf): NamedRecord[] {
  const { parentId } = facts;
  const isDoubtful = ({ origin, pair }: CodexRecord) => origin === "unsure" && pair !== null;
  if (parentId === null || !records.some(isDoubtful)) return namedRecords(records);
  const inherited = pairsOf(parentId);
  return namedRecords(records).flatMap((each): NamedRecord[] => {
    const { record, id } = each;
    if (!isDoubtful(record)) return [each];
    const own = `codex ${facts.sessionId} `;
    if (record.pair !== null && inherited.has(record.pair)) return [];
    // Lines missing from an existing parent's rollout are the session's own, whatever their id.
    return id.startsWith(own)
      ? [{ record, id: `codex ${parentId} ${id.slice(own.length)}`, isCopy: inherited.size === 0 }]
      : [each];
  });
}
