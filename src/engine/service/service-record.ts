import { rmSync, utimesSync } from "node:fs";
import * as z from "zod/mini";
import { parseJson } from "../base/parse.ts";
import { type Result, succeed, errorCode } from "../base/result.ts";
import type { BuildStamp } from "./build-stamp.ts";
import { ownerSchema } from "../base/lock.ts";
import type { PurserPaths } from "../base/paths.ts";
import { readPrivateText, writePrivateFile } from "../base/private-files.ts";

/** Content of `service.json`: how to reach the service, and which process it is. Members may be added. */
const recordSchema = z.extend(ownerSchema, {
  /** Path of a socket, or name of a pipe. */
  socket: z.string().check(z.minLength(1)),
  /** Address for hooks from purser's programs. Absent if the service answers none. */
  hooks: z.optional(z.string().check(z.minLength(1))),
  /** The token that admits a client. */
  token: z.string().check(z.minLength(1)),
  version: z.string(),
  /** The build of that version, and when it was made; see `build-stamp.ts`. */
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

/** Builds a record, with the members that not every service has. */
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

/** A record, and the time since its service last touched it to show that it lives. */
interface RecordWithAge {
  readonly record: ServiceRecord;
  /** Milliseconds. */
  readonly silence: number;
}

/** Returns null if there is no record, or an invalid one. */
export function readRecord(home: PurserPaths): Result<ServiceRecord | null, "unsafe_place"> {
  const found = readRecordWithAge(home, 0);
  return found.ok ? succeed(found.value?.record ?? null) : found;
}

/**
 * Reads the record and its age from the same file, as another service may be writing its own.
 * @param now milliseconds since the epoch
 */
export function readRecordWithAge(
  { record: file }: PurserPaths,
  now: number,
): Result<RecordWithAge | null, "unsafe_place"> {
  const read = readPrivateText(file);
  if (!read.ok) return read;
  if (read.value === null) return succeed(null);
  const { text, changedAt } = read.value;
  const record = recordSchema.safeParse(parseJson(text)).data ?? null;
  return succeed(record === null ? null : { record, silence: now - changedAt });
}

/**
 * Touches the record, to show that the service with this token lives. Returns false if the record is missing
 * or another service's.
 */
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

/** Removes the record, if it still belongs to the service with this token. */
export function removeRecord(home: PurserPaths, token: string): void {
  const held = readRecord(home);
  if (held.ok && held.value?.token === token) rmSync(home.record, { force: true });
}
