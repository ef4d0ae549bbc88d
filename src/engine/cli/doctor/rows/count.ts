import { isObject } from "../../../base/parse.ts";
import { closeSync, fstatSync, readSync } from "node:fs";
import { rethrowUnlessSystemError } from "../../../base/result.ts";
import type { AgentName } from "../../../transcripts/agents.ts";
import type { RowObject } from "../../../transcripts/claude.ts";
import { readOpening, openToRead, parseJsonLine } from "../../../transcripts/file-tail.ts";
import type { RowNames } from "../../../transcripts/records.ts";
import { cleanText } from "../../../base/text.ts";
import type { DoctorJson } from "../doctor-schema.ts";

type Unknown = DoctorJson["unknown"][number];

const maxNames = 50;
const maxNameLength = 60;

export class UnknownCounts {
  readonly #counts = new Map<string, Unknown>();

  add(agent: string, version: string | null, kind: Unknown["kind"], given: string): void {
    const name = shown(given);
    const key = JSON.stringify([agent, version, kind, name]);
    const known = this.#counts.get(key);
    if (known === undefined && this.#counts.size >= maxNames) return;
    this.#counts.set(key, { agent, version, kind, name, count: (known?.count ?? 0) + 1 });
  }

  all(): Unknown[] {
    return [...this.#counts.values()].toSorted((one, other) => other.count - one.count);
  }
}

function shown(name: string): string {
  return cleanText(name.slice(0, 2 * maxNameLength)).slice(0, maxNameLength);
}

/** Only the end of a file is read. Bytes. */
const maxBytes = 1024 * 1024;
/** A file's first line may name its version; it also holds instructions. Bytes. */
const openingBytes = 256 * 1024;

interface CountedFile {
  readonly name: AgentName;
  readonly names: RowNames;
  readonly counts: UnknownCounts;
}

/** A row without a version counts for the version of the rows around it. */
export function countRows(path: string, { name, names, counts }: CountedFile): void {
  let version: string | null = null;
  const see = (row: RowObject) => {
    const written = names.versionIn(row);
    if (written !== null) version = shown(written);
  };
  const first = firstRow(path);
  if (first !== null) see(first);
  for (const line of linesAtEnd(path)) {
    const parsed = parseJsonLine(line);
    if (parsed.kind !== "value" || !isObject(parsed.value)) continue;
    see(parsed.value);
    const { type, members } = names.unknownIn(parsed.value, line);
    if (type !== null) counts.add(name, version, "row", type);
    for (const member of members) counts.add(name, version, "field", member);
  }
}

function firstRow(path: string): RowObject | null {
  try {
    const [first = ""] = String(readOpening(path, openingBytes) ?? "").split("\n", 1);
    const parsed = parseJsonLine(Buffer.from(first));
    return parsed.kind === "value" && isObject(parsed.value) ? parsed.value : null;
  } catch (error) {
    rethrowUnlessSystemError(error);
    return null;
  }
}

/** Empty for an unreadable file, which other checks report. */
function linesAtEnd(path: string): Buffer[] {
  const lines: Buffer[] = [];
  try {
    const handle = openToRead(path);
    try {
      const stats = fstatSync(handle);
      if (!stats.isFile()) return [];
      const start = Math.max(0, stats.size - maxBytes);
      const buffer = Buffer.allocUnsafe(stats.size - start);
      const end = buffer.subarray(0, readSync(handle, buffer, 0, buffer.length, start));
      let from = start === 0 ? 0 : end.indexOf(0x0a) + 1;
      for (let at = end.indexOf(0x0a, from); at >= 0; at = end.indexOf(0x0a, from)) {
        lines.push(end.subarray(from, at));
        from = at + 1;
      }
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    rethrowUnlessSystemError(error);
  }
  return lines;
}
