import { sentence } from "../../base/language.ts";
import { agentNames, agents, type AgentName } from "../../transcripts/agents.ts";
import type { CliHost } from "../cli-ports.ts";
import { note, ok } from "./diagnosis.ts";
import type { DoctorJson, Finding } from "./doctor-schema.ts";
import { isObject } from "../../base/parse.ts";
import { closeSync, fstatSync, readSync } from "node:fs";
import { rethrowUnlessSystemError } from "../../base/result.ts";
import type { RowObject } from "../../transcripts/claude.ts";
import { readOpening, openToRead, parseJsonLine } from "../../transcripts/file-tail.ts";
import type { RowNames } from "../../transcripts/records.ts";
import { cleanText } from "../../base/text.ts";

type Unknown = DoctorJson["unknown"][number];

const maxNames = 50;
const maxNameLength = 60;

class UnknownCounts {
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
function countRows(path: string, { name, names, counts }: CountedFile): void {
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

export interface FoundRows {
  readonly findings: readonly Finding[];
  readonly unknown: readonly Unknown[];
}

/** Newest files per agent. */
const maxFiles = 20;
const maxListed = 8;

export async function findUnknownRows(host: Pick<CliHost, "env" | "home">): Promise<FoundRows> {
  const input = { env: host.env, home: host.home };
  const counts = new UnknownCounts();
  let isAny = false;
  for (const { name, roots, rowNames } of agents) {
    if (rowNames === null) continue;
    const names = await rowNames();
    for (const { path } of newest(names.files(roots(input)).filter((file) => file.path.endsWith(".jsonl")))) {
      isAny = true;
      countRows(path, { name, names, counts });
    }
  }
  const unknown = counts.all();
  if (!isAny) return { findings: [], unknown };
  if (unknown.length === 0)
    return { findings: [ok("transcript-rows", sentence("All rows of recent sessions are known."))], unknown };
  return { findings: describe(unknown), unknown };
}

function describe(unknown: readonly Unknown[]): Finding[] {
  const keys = new Set(unknown.map(({ agent, version, kind }) => JSON.stringify([agent, version, kind])));
  return Array.from(keys, (key) => {
    const of = unknown.filter(({ agent, version, kind }) => JSON.stringify([agent, version, kind]) === key);
    const [{ agent, version, kind } = { agent: "", version: null, kind: "row" }] = of;
    const names = of.slice(0, maxListed).map(({ name, count }) => `${name} (${count})`);
    const list = [...names, ...(of.length > maxListed ? ["…"] : [])].join(", ");
    const who = `${agentNames.of(agent)}${version === null ? "" : ` ${version}`}`;
    const what =
      kind === "row"
        ? sentence("{0} writes rows that are not known, and not read: {1}", who, list)
        : sentence("{0} writes fields that are not known, and not read: {1}", who, list);
    return note("transcript-rows", what, sentence("Update Context Purser if there is a newer version."));
  });
}

function newest<File extends { readonly mtimeMs: number }>(files: readonly File[]): File[] {
  return files.toSorted((one, other) => other.mtimeMs - one.mtimeMs).slice(0, maxFiles);
}
