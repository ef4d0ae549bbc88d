import zlib from "node:zlib";
import { errorCode } from "../../base/error-code.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { readChunks, type AgentSession } from "../agent-session.ts";
import { readSessionFile, readWholeFile, type UnreadableFile } from "../read-session-file.ts";
import { RolloutLines, type CodexRecord } from "./read-rollout.ts";
import { sessionIdOf } from "./rollout-name.ts";
import { english } from "../../base/text/english.ts";

/** Decompresses Zstandard; null when the runtime cannot. */
export type Zstd = ((bytes: Buffer, longest: number) => Buffer) | null;

/** In Node since 22.15. */
export const runtimeZstd: Zstd =
  "zstdDecompressSync" in zlib
    ? (bytes, longest) => zlib.zstdDecompressSync(bytes, { maxOutputLength: longest })
    : null;

/** A small file may unpack to any size; anything longer than this, packed or not, is no rollout. Bytes. */
const longestUnpacked = 1024 * 1024 * 1024;

/** Reads a rollout to its end, compressed or not. An unreadable file is a named failure. */
export function readRollout(
  path: string,
  zstd: Zstd = runtimeZstd,
): Result<AgentSession<CodexRecord>, UnreadableFile> {
  const start = () => new RolloutLines(sessionIdOf(path) ?? "");
  if (!path.endsWith(".zst")) return readSessionFile(path, start);
  if (zstd === null)
    return fail("unsupported", english("{0}: this runtime cannot read Zstandard files", path));
  const packed = readWholeFile(path, longestUnpacked);
  if (!packed.ok) return packed;
  if (packed.value === undefined) return fail("damaged", english("{0}: it is too long", path));
  try {
    return succeed(readChunks(start(), [zstd(packed.value, longestUnpacked)]));
  } catch (error) {
    return fail("damaged", `${path}: ${errorCode(error)}`);
  }
}
