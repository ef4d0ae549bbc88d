import { createHash } from "node:crypto";
import { ruleText, type Rule } from "../rule.ts";

/** What of a MEMORY.md comes into an agent's context: what is beyond is not read. */
export const memoryLimits = { lines: 199, bytes: 25 * 1024 };

/** An agent's memory, made of its active rules. */
export interface CompiledMemory {
  /** The whole file; empty where there is no rule, and then there is to be no file. */
  readonly text: string;
  /** The rules that are in it, those that save most first. */
  readonly ruleIds: readonly string[];
  /** Active rules there was no room for, those that save least. */
  readonly leftOut: readonly string[];
}

/** What a MEMORY.md is, as far as its text tells. */
export type MemoryKind =
  /** As purser wrote it: this version. */
  | { readonly kind: "ours"; readonly version: string }
  /** Purser wrote it, and somebody changed it since. */
  | { readonly kind: "edited"; readonly version: string }
  | { readonly kind: "foreign" };

/** Short: every conversation pays for it. */
const header =
  /^<!-- purser v(\d{1,9}) ([0-9a-f]{12}): generated from measured rules; change them with `purser rules`, not here -->\n/u;

/** @param version a whole number */
export function compileMemory(rules: readonly Rule[], version: string): CompiledMemory {
  const active = rules
    .filter(({ status }) => status === "active")
    .toSorted((one, other) => (other.saving ?? 0) - (one.saving ?? 0) || (one.id < other.id ? -1 : 1));
  if (active.length === 0) return { text: "", ruleIds: [], leftOut: [] };
  const kept: Rule[] = [];
  const room = memoryLimits.bytes - Buffer.byteLength(withHeader("", version));
  let used = 0;
  for (const rule of active) {
    const bytes = Buffer.byteLength(`- ${ruleText(rule)}\n`);
    // One line is the header's.
    if (used + bytes > room || kept.length + 1 >= memoryLimits.lines) break;
    kept.push(rule);
    used += bytes;
  }
  const body = kept.map((rule) => `- ${ruleText(rule)}\n`).join("");
  const ruleIds = kept.map(({ id }) => id);
  return {
    text: withHeader(body, version),
    ruleIds,
    leftOut: active.slice(kept.length).map(({ id }) => id),
  };
}

export function memoryKind(text: string): MemoryKind {
  const found = header.exec(text);
  const [whole = "", version = "", sum = ""] = found ?? [];
  if (found === null) return { kind: "foreign" };
  return { kind: sumOf(text.slice(whole.length)) === sum ? "ours" : "edited", version };
}

/** Without the header: two versions that say the same have the same. */
export function memoryBody(text: string): string {
  return text.replace(header, "");
}

function withHeader(body: string, version: string): string {
  const about = `purser v${version} ${sumOf(body)}`;
  return `<!-- ${about}: generated from measured rules; change them with \`purser rules\`, not here -->\n${body}`;
}

function sumOf(body: string): string {
  return createHash("sha256").update(body).digest("hex").slice(0, 12);
}
