import { closeSync, fstatSync, readSync } from "node:fs";
import { errorCode } from "../../base/error-code.ts";
import { cleanText } from "../../base/text/text.ts";
import { t } from "../../base/text/l10n.ts";
import { agentNames } from "../../transcripts/agents.ts";
import { findTranscripts } from "../../transcripts/claude/files.ts";
import { readRowValue } from "../../transcripts/claude/read-row.ts";
import { claudeRoots } from "../../transcripts/claude/roots.ts";
import { isObject, objectAt, textAt } from "../../transcripts/claude/row-fields.ts";
import { unknownMembers } from "../../transcripts/claude/rows/known-members.ts";
import { findRollouts } from "../../transcripts/codex/files.ts";
import { readRolloutLine } from "../../transcripts/codex/rollout-row.ts";
import { codexRoots } from "../../transcripts/codex/roots.ts";
import { parseJsonLine } from "../../transcripts/json-line.ts";
import { openToRead, readOpening } from "../../transcripts/open-file.ts";
import type { CliHost } from "../ports.ts";
import { note, ok } from "./diagnosis.ts";
import type { DoctorJson, Finding } from "./schema.ts";

type Unknown = DoctorJson["unknown"][number];
type Agent = "claude-code" | "codex";

export interface FoundRows {
  readonly findings: readonly Finding[];
  readonly unknown: readonly Unknown[];
}

/** The newest files of each agent are looked at, and of each its end. Bytes. */
const [mostFiles, mostBytes] = [20, 1024 * 1024];
/** A rollout's first line names its version; it also holds instructions. Bytes. */
const openingBytes = 256 * 1024;
/** Different names that are counted, and those that one sentence lists. */
const [mostNames, mostListed] = [50, 8];
const longestName = 60;

/** Counts the rows and fields of recent transcripts that purser does not know, by agent and version. */
export function findUnknownRows(host: Pick<CliHost, "env" | "home">): FoundRows {
  const counts = new Counts();
  const input = { env: host.env, home: host.home };
  const claude = newest(findTranscripts(claudeRoots(input)).files);
  for (const { path } of claude) countClaude(path, counts);
  const codex = newest(findRollouts(codexRoots(input)).files.filter(({ path }) => path.endsWith(".jsonl")));
  for (const { path } of codex) countCodex(path, counts);
  const unknown = counts.all();
  if (claude.length + codex.length === 0) return { findings: [], unknown };
  if (unknown.length === 0)
    return { findings: [ok("transcript-rows", t("All rows of recent sessions are known."))], unknown };
  return { findings: describe(unknown), unknown };
}

function describe(unknown: readonly Unknown[]): Finding[] {
  const keys = new Set(unknown.map(({ agent, version, kind }) => JSON.stringify([agent, version, kind])));
  return Array.from(keys, (key) => {
    const of = unknown.filter(({ agent, version, kind }) => JSON.stringify([agent, version, kind]) === key);
    const [{ agent, version, kind } = { agent: "", version: null, kind: "row" }] = of;
    const names = of.slice(0, mostListed).map(({ name, count }) => `${name} (${count})`);
    const list = [...names, ...(of.length > mostListed ? ["…"] : [])].join(", ");
    const who = `${agentNames.of(agent)}${version === null ? "" : ` ${version}`}`;
    const what =
      kind === "row"
        ? t("{0} writes rows that are not known, and not read: {1}", who, list)
        : t("{0} writes fields that are not known, and not read: {1}", who, list);
    return note("transcript-rows", what, t("Update Context Purser if there is a newer version."));
  });
}

class Counts {
  readonly #counts = new Map<string, Unknown>();

  add(agent: Agent, version: string | null, kind: Unknown["kind"], given: string): void {
    const name = shown(given);
    const key = JSON.stringify([agent, version, kind, name]);
    const known = this.#counts.get(key);
    if (known === undefined && this.#counts.size >= mostNames) return;
    this.#counts.set(key, { agent, version, kind, name, count: (known?.count ?? 0) + 1 });
  }

  all(): Unknown[] {
    return [...this.#counts.values()].toSorted((one, other) => other.count - one.count);
  }
}

/** A name from a file, as a person may be shown it. */
function shown(name: string): string {
  return cleanText(name.slice(0, 2 * longestName)).slice(0, longestName);
}

function newest<File extends { readonly mtimeMs: number }>(files: readonly File[]): File[] {
  return files.toSorted((one, other) => other.mtimeMs - one.mtimeMs).slice(0, mostFiles);
}

/** Rows of other types name no version: the one of the rows around them counts. */
function countClaude(path: string, counts: Counts): void {
  let version: string | null = null;
  for (const line of linesAtEnd(path)) {
    const parsed = parseJsonLine(line);
    if (parsed.kind !== "value" || !isObject(parsed.value)) continue;
    const written = textAt(parsed.value, "version");
    if (written !== null) version = shown(written);
    const reading = readRowValue(parsed.value, { sessionId: "" });
    if (reading.outcome === "unknown") counts.add("claude-code", version, "row", reading.type);
    for (const name of unknownMembers(parsed.value)) counts.add("claude-code", version, "field", name);
  }
}

function countCodex(path: string, counts: Counts): void {
  const version = codexVersion(path);
  for (const line of linesAtEnd(path)) {
    const read = readRolloutLine(line);
    if (read.kind === "unknown") counts.add("codex", version, "row", read.type);
  }
}

function codexVersion(path: string): string | null {
  try {
    const [first = ""] = String(readOpening(path, openingBytes) ?? "").split("\n", 1);
    const parsed = parseJsonLine(Buffer.from(first));
    const meta = parsed.kind === "value" && isObject(parsed.value) ? objectAt(parsed.value, "payload") : null;
    const version = textAt(meta, "cli_version");
    return version === null ? null : shown(version);
  } catch (error) {
    errorCode(error);
    return null;
  }
}

/** The whole lines at a file's end. A file that cannot be read has none: other checks report it. */
function linesAtEnd(path: string): Buffer[] {
  const lines: Buffer[] = [];
  try {
    const handle = openToRead(path);
    try {
      const stats = fstatSync(handle);
      if (!stats.isFile()) return [];
      const start = Math.max(0, stats.size - mostBytes);
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
    errorCode(error);
  }
  return lines;
}
