import { rmSync, utimesSync } from "node:fs";
import * as z from "zod/mini";
import { readJson } from "../base/parse.ts";
import { type Result, succeed, errorCode } from "../base/result.ts";
import type { BuildStamp } from "./build-stamp.ts";
import { ownerSchema } from "../base/lock.ts";
import type { PurserPaths } from "../base/paths.ts";
import { readPrivateText, writePrivateFile } from "../base/private-files.ts";

const recordSchema = z.extend(ownerSchema, {
  /** Path of a socket, or name of a pipe. */
  socket: z.string().check(z.minLength(1)),
  /** For purser's programs. Absent if the service answers no hooks. */
  hooks: z.optional(z.string().check(z.minLength(1))),
  /** Admits a client. */
  token: z.string().check(z.minLength(1)),
  version: z.string(),
  /** See `build-stamp.ts`. */
  build: z.optional(z.string()),
  builtAt: z.optional(z.number()),
});

export type ServiceRecord = z.infer<typeof recordSchema>;

export function buildOf({
  build: hash,
  builtAt,
}: Pick<ServiceRecord, "build" | "builtAt">): BuildStamp | null {
  return hash === undefined || builtAt === undefined ? null : { hash, builtAt };
}

export function recordOf(
  own: Omit<ServiceRecord, "hooks" | "build" | "builtAt">,
  { hooks, build }: { readonly hooks: string | undefined; readonly build: BuildStamp | null },
): ServiceRecord {
  return {
    ...own,
    ...(hooks === undefined ? {} : { hooks }),
    ...(build === null ? {} : { build: build.hash, builtAt: build.builtAt }),
  };
}

export function writeRecord({ record: file }: PurserPaths, record: ServiceRecord): void {
  writePrivateFile(file, `${JSON.stringify(record, null, 2)}\n`);
}

/** The service touches its record to show that it lives. */
interface RecordWithAge {
  readonly record: ServiceRecord;
  /** Milliseconds. */
  readonly silence: number;
}

/** Null without a valid record. */
export function readRecord(home: PurserPaths): Result<ServiceRecord | null, "unsafe_place"> {
  const found = readRecordWithAge(home, 0);
  return found.ok ? succeed(found.value?.record ?? null) : found;
}

/** From the same file, as another service may be writing its own. `now`: milliseconds since the epoch. */
export function readRecordWithAge(
  { record: file }: PurserPaths,
  now: number,
): Result<RecordWithAge | null, "unsafe_place"> {
  const read = readPrivateText(file);
  if (!read.ok) return read;
  if (read.value === null) return succeed(null);
  const { text, changedAt } = read.value;
  const record = readJson(recordSchema, text);
  return succeed(record === null ? null : { record, silence: now - changedAt });
}

/** False if the record is missing or another service's. */
export function touchRecord(home: PurserPaths, token: string, now: number): boolean {
  const held = readRecord(home);
  if (held.ok && held.value?.token !== token) return false;
  try {
    utimesSync(home.record, now / 1000, now / 1000);
    return true;
  } catch (error) {
    return errorCode(error) !== "ENOENT";
  }
}

export function removeRecord(home: PurserPaths, token: string): void {
  const held = readRecord(home);
  if (held.ok && held.value?.token === token) rmSync(home.record, { force: true });
}
