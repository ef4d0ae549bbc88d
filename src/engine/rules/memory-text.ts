import { sha256Hex } from "../base/hash.ts";
import { ruleText, type Rule } from "./rule.ts";

/** Length of a MEMORY.md that the agent reads into its context; the rest is ignored. */
export const memoryLimits = { lines: 199, bytes: 25 * 1024 };

interface CompiledMemory {
  /** The whole file. Empty without rules, and so without a file. */
  readonly text: string;
  readonly ruleIds: readonly string[];
  /** Active rules that did not fit, those with the smallest savings. */
  readonly leftOut: readonly string[];
}

export type MemoryKind =
  /** Unchanged since purser wrote it as this version. */
  | { readonly kind: "ours"; readonly version: string }
  /** Written by purser, and changed by somebody since. */
  | { readonly kind: "edited"; readonly version: string }
  | { readonly kind: "foreign" };

/** Kept short: every conversation pays for it. */
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
    // The header takes one line.
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
  return { kind: sha256Hex(text.slice(whole.length), 12) === sum ? "ours" : "edited", version };
}

/** The text without the header: equal for two versions with the same content. */
export function memoryBody(text: string): string {
  return text.replace(header, "");
}

function withHeader(body: string, version: string): string {
  const about = `purser v${version} ${sha256Hex(body, 12)}`;
  return `<!-- ${about}: generated from measured rules; change them with \`purser rules\`, not here -->\n${body}`;
}
