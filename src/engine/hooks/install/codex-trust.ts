import path from "node:path";
import { isObject, parseJson } from "../../base/parse.ts";
import { sha256Hex } from "../../base/hash.ts";
import { agentHome } from "../../transcripts/home-folder.ts";
import { hookFormats } from "./settings/install-settings-entry.ts";
import { readHookTree, type OwnHandler } from "./settings/install-settings-tree.ts";
import type { HookFile, HookFileInput } from "./settings/agent-file.ts";
import { parseJsonDocument } from "./settings/json-document.ts";

/**
 * Whether Codex runs a hook. It silently skips a hook that was not reviewed, or that changed since. `off`:
 * its user switched it off.
 */
type HookTrust = "trusted" | "changed" | "untrusted" | "off";

export interface TrustInput extends HookFileInput {
  /** Returns null for a file that is missing or unreadable. */
  readonly readText: (file: string) => string | null;
}

export interface CodexTrust {
  /** Whether each event's hook is run. */
  readonly hooks: ReadonlyMap<string, HookTrust>;
  /** Whether Codex trusts the project itself: otherwise it reads none of its hooks. Null for the user's own. */
  readonly isProjectTrusted: boolean | null;
}

/** Reads which of our hooks in a settings file Codex runs, from the reviews stored in its `config.toml`. */
export function readCodexTrust({ file, scope }: HookFile, input: TrustInput): CodexTrust {
  const config = path.join(agentHome(input, ["CODEX_HOME"], ".codex"), "config.toml");
  const tables = readTomlTables(input.readText(config) ?? "");
  const document = parseJsonDocument(input.readText(file) ?? "");
  const tree = document.ok ? readHookTree(document.value, hookFormats.codex) : document;
  const own = tree.ok ? (tree.value?.own ?? []) : [];
  const hooks = own.map((hook) => [hook.event, trustIn(hook, file, tables, input)] as const);
  const { project } = input;
  const isProjectTrusted =
    scope === "user" || project === null
      ? null
      : tables.some((table) => isTrustedProject(table, project, input));
  return { hooks: new Map(hooks), isProjectTrusted };
}

function isTrustedProject(
  { path: [kind, folder], values }: TomlTable,
  project: string,
  { isSame }: TrustInput,
): boolean {
  return (
    kind === "projects" &&
    folder !== undefined &&
    values.get("trust_level") === "trusted" &&
    isSame(folder, project)
  );
}

function trustIn(
  hook: OwnHandler,
  file: string,
  tables: readonly TomlTable[],
  { isSame }: TrustInput,
): HookTrust {
  const place = placeOf(hook);
  const state = tables.find(({ path: [kind, what, key = ""] }) => {
    const { known, at } = /^(?<known>.*):(?<at>\w+:\d+:\d+)$/su.exec(key)?.groups ?? {};
    return kind === "hooks" && what === "state" && at === place && isSame(known ?? "", file);
  });
  if (state?.values.get("enabled") === false) return "off";
  const hash = state?.values.get("trusted_hash");
  if (hash === undefined) return "untrusted";
  return hash === trustHash(hook) ? "trusted" : "changed";
}

/** A hook's event and position, as Codex names it: `pre_tool_use:0:0`. */
function placeOf({ event, within }: OwnHandler): string {
  const [inGroup, inList] = within.map(({ container, child }) => (container.children ?? []).indexOf(child));
  return `${inCodexWords(event)}:${inList ?? -1}:${inGroup ?? -1}`;
}

function inCodexWords(event: string): string {
  return event.replaceAll(/(?!^)[A-Z]/gu, (letter) => `_${letter}`).toLowerCase();
}

/** The hash by which Codex recognizes a hook that was reviewed: of its event, its command and how it is run. */
export function trustHash({ event, value }: Pick<OwnHandler, "event" | "value">): string {
  const { command = "", timeout = 600, async: isAsync = false } = isObject(value) ? value : {};
  // In the order of the names, without white space.
  const handler = { async: isAsync, command, timeout, type: "command" };
  const identity = JSON.stringify({ event_name: inCodexWords(event), hooks: [handler] });
  return `sha256:${sha256Hex(identity)}`;
}

/** Hooks of ours that an agent does not run until its user does something. */
export interface SkippedHooks {
  readonly unreviewed: readonly string[];
  /** Events with a hook that changed since its review. */
  readonly changed: readonly string[];
  readonly off: readonly string[];
  readonly isProjectUntrusted: boolean;
}

/** Returns null where Codex runs all of them. */
export function skippedHooks({ hooks, isProjectTrusted }: CodexTrust): SkippedHooks | null {
  const those = (trust: HookTrust) => [...hooks].flatMap(([event, each]) => (each === trust ? [event] : []));
  const skipped = {
    unreviewed: those("untrusted"),
    changed: those("changed"),
    off: those("off"),
    isProjectUntrusted: isProjectTrusted === false,
  };
  const isAny = skipped.isProjectUntrusted || [...hooks.values()].some((trust) => trust !== "trusted");
  return isAny ? skipped : null;
}

interface TomlTable {
  /** Its name in parts: `[a."b.c"]` has two. */
  readonly path: readonly string[];
  readonly values: ReadonlyMap<string, string | boolean>;
}

/**
 * Reads the tables of a TOML text as programs write them: each under its own header, one key per line.
 * Ignores other values, inline tables and multi-line texts; never fails.
 */
export function readTomlTables(text: string): TomlTable[] {
  const tables: TomlTable[] = [];
  let values = new Map<string, string | boolean>();
  for (const line of text.split(/\r?\n/u)) {
    const { header } = /^\s*\[(?<header>[^[].*?)\]\s*(?:#.*)?$/su.exec(line)?.groups ?? {};
    if (header !== undefined || /^\s*\[\[/u.test(line)) {
      values = new Map();
      const path = header === undefined ? null : keyParts(header);
      if (path !== null) tables.push({ path, values });
      continue;
    }
    const { name = "", value = "" } =
      /^\s*(?<name>[\w-]+)\s*=\s*(?<value>"(?:[^"\\]|\\.)*"|'[^']*'|true|false)\s*(?:#.*)?$/u.exec(line)
        ?.groups ?? {};
    const read = value === "true" || value === "false" ? value === "true" : textOf(value);
    if (name !== "" && read !== null) values.set(name, read);
  }
  return tables;
}

/** Returns null for a name that TOML does not allow. */
function keyParts(name: string): string[] | null {
  const part = /\s*(?:(?<bare>[\w-]+)|(?<quoted>"(?:[^"\\]|\\.)*"|'[^']*'))\s*(?:\.|$)/uy;
  const parts: string[] = [];
  while (part.lastIndex < name.length) {
    const { bare, quoted } = part.exec(name)?.groups ?? {};
    const read = bare ?? textOf(quoted ?? "");
    if (read === null) return null;
    parts.push(read);
  }
  return parts;
}

/**
 * Returns null for anything but a quoted text. JSON has TOML's escapes except two, which paths do not
 * contain.
 */
function textOf(quoted: string): string | null {
  if (/^'.*'$/u.test(quoted)) return quoted.slice(1, -1);
  if (!/^".*"$/u.test(quoted)) return null;
  const text = parseJson(quoted);
  return typeof text === "string" ? text : null;
}
