import path from "node:path";
import { isObject } from "../../base/parse.ts";
import { starPattern } from "../../base/text.ts";
import type { HookProgram } from "../program.ts";
import { claudeFolder, hookFile, type HookFileInput } from "./settings/agent-file.ts";
import { parseJsonDocument, valueOf } from "./settings/json-document.ts";
import { geminiHookName } from "./settings/wanted-hooks.ts";
import { agentHome } from "../../transcripts/home-folder.ts";

export interface Policy {
  /** `no_hooks`: none of our hooks run. `no_http`: none may be posted to our address; commands still run. */
  readonly effect: "no_hooks" | "no_http";
  readonly file: string;
  readonly setting: string;
  /** Set by an administrator of the machine or the account: the user cannot change it. */
  readonly isManaged: boolean;
}

export interface PolicyInput extends HookFileInput {
  readonly platform: NodeJS.Platform;
  /** Returns null for a file that is missing or unreadable: we do not judge settings that belong to others. */
  readonly readText: (file: string) => string | null;
  /** Returns the names in a folder; empty without a folder. */
  readonly list: (folder: string) => string[];
  /** The address that hooks would be posted to; null when none are. */
  readonly url: string | null;
}

/**
 * Finds the settings that keep hooks from running, in the files that may contain them. Policies that administrators store elsewhere
 * (the Windows registry, macOS preferences) are not detected.
 */
export function findPolicies(program: HookProgram, input: PolicyInput): Policy[] {
  switch (program) {
    case "claude-code":
      return claudePolicies(input);
    case "codex":
      return codexPolicies(input);
    case "copilot":
      return copilotPolicies(input);
    case "gemini":
      return geminiPolicies(input);
  }
}

interface Layer {
  readonly file: string;
  readonly isManaged: boolean;
}

/** `disableAllHooks` counts in any file; the other switches only in an administrator's. */
function claudePolicies(input: PolicyInput): Policy[] {
  const read = [...managedByClaude(input), ...ownOfClaude(input)].map((layer) => ({
    layer,
    settings: readObject(layer.file, input),
  }));
  const off = read.flatMap(({ layer, settings }) => {
    const policy = (setting: string): Policy => ({ effect: "no_hooks", setting, ...layer });
    if (settings["disableAllHooks"] === true) return [policy("disableAllHooks")];
    if (!layer.isManaged) return [];
    if (settings["allowManagedHooksOnly"] === true) return [policy("allowManagedHooksOnly")];
    const only = settings["strictPluginOnlyCustomization"];
    const isLocked = only === true || (Array.isArray(only) && only.includes("hooks"));
    return isLocked ? [policy("strictPluginOnlyCustomization")] : [];
  });
  // The lists of all layers are merged.
  const lists = read.filter(({ settings }) => Array.isArray(settings["allowedHttpHookUrls"]));
  const patterns = lists.flatMap(({ settings }): unknown[] => {
    const list = settings["allowedHttpHookUrls"];
    return Array.isArray(list) ? list : [];
  });
  const { url } = input;
  const [first] = lists;
  if (first === undefined || url === null || patterns.some((pattern) => matches(pattern, url))) return off;
  return [...off, { effect: "no_http", setting: "allowedHttpHookUrls", ...first.layer }];
}

function managedByClaude({ platform, list, env, home }: PolicyInput): Layer[] {
  const folder = managedFolder(platform);
  const parts = path.join(folder, "managed-settings.d");
  const names = list(parts).filter((name) => name.endsWith(".json"));
  const files = [
    path.join(folder, "managed-settings.json"),
    ...names.sort().map((name) => path.join(parts, name)),
    // Settings of the account's administrator, as last fetched.
    path.join(claudeFolder({ env, home }).folder, "remote-settings.json"),
  ];
  return files.map((file) => ({ file, isManaged: true }));
}

function managedFolder(platform: NodeJS.Platform): string {
  if (platform === "darwin") return "/Library/Application Support/ClaudeCode";
  return platform === "win32" ? String.raw`C:\Program Files\ClaudeCode` : "/etc/claude-code";
}

function ownOfClaude(input: PolicyInput): Layer[] {
  return (["user", "project", "local"] as const).flatMap((scope) => {
    const found = hookFile("claude-code", scope, input);
    return found.ok ? [{ file: found.value.file, isManaged: false }] : [];
  });
}

/** Hooks are on unless `config.toml` turns them off; `requirements.toml` is the administrator's. */
function codexPolicies({ env, home, project, readText, platform }: PolicyInput): Policy[] {
  const user = agentHome({ env, home }, ["CODEX_HOME"], ".codex");
  const configs = [user, ...(project === null ? [] : [path.join(project, ".codex")])].map((folder) =>
    path.join(folder, "config.toml"),
  );
  const off = configs.flatMap((file): Policy[] =>
    ["hooks", "codex_hooks"].some((name) => readTomlFlag(readText(file) ?? "", ["features", name]) === false)
      ? [{ effect: "no_hooks", file, setting: "features.hooks", isManaged: false }]
      : [],
  );
  const folder = platform === "win32" ? String.raw`C:\ProgramData\OpenAI\Codex` : "/etc/codex";
  const file = path.join(folder, "requirements.toml");
  const setting = "allow_managed_hooks_only";
  const isManagedOnly = readTomlFlag(readText(file) ?? "", [setting]) === true;
  return isManagedOnly ? [...off, { effect: "no_hooks", file, setting, isManaged: true }] : off;
}

/** `disableAllHooks` in the user's own settings does not keep Copilot CLI from running the files in its folder of hooks. */
function copilotPolicies(input: PolicyInput): Policy[] {
  const { project } = input;
  if (project === null) return [];
  const shared = path.join(project, ".github", "copilot");
  const files = ["settings.json", "settings.local.json"].map((name) => path.join(shared, name));
  return files.flatMap((file): Policy[] =>
    readObject(file, input)["disableAllHooks"] === true
      ? [{ effect: "no_hooks", file, setting: "disableAllHooks", isManaged: false }]
      : [],
  );
}

/** The system's files are an administrator's. A hook is disabled by its name or else by its command. */
function geminiPolicies(input: PolicyInput): Policy[] {
  const { platform } = input;
  const own = (["user", "project"] as const).flatMap((scope) => {
    const found = hookFile("gemini", scope, input);
    return found.ok ? [{ file: found.value.file, isManaged: false }] : [];
  });
  const system = ["settings.json", "system-defaults.json"].map((name) => ({
    file: path.join(geminiSystemFolder(platform), name),
    isManaged: true,
  }));
  return [...system, ...own].flatMap((layer): Policy[] => {
    const { hooksConfig: config } = readObject(layer.file, input);
    if (!isObject(config)) return [];
    const { enabled, disabled } = config;
    const isDisabled = Array.isArray(disabled) && disabled.includes(geminiHookName);
    const setting =
      enabled === false ? "hooksConfig.enabled" : isDisabled ? "hooksConfig.disabled" : undefined;
    return setting === undefined ? [] : [{ effect: "no_hooks", setting, ...layer }];
  });
}

function geminiSystemFolder(platform: NodeJS.Platform): string {
  if (platform === "darwin") return "/Library/Application Support/GeminiCli";
  return platform === "win32" ? String.raw`C:\ProgramData\gemini-cli` : "/etc/gemini-cli";
}

function readObject(file: string, { readText }: PolicyInput): Record<string, unknown> {
  const parsed = parseJsonDocument(readText(file) ?? "");
  if (!parsed.ok || parsed.value.root === null) return {};
  const value = valueOf(parsed.value.root);
  return isObject(value) ? value : {};
}

/** A `*` matches anything. */
function matches(pattern: unknown, url: string): boolean {
  if (typeof pattern !== "string") return false;
  const parts = pattern.split("*").map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/gu, String.raw`\$&`));
  return starPattern(parts).test(url);
}

/**
 * Reads a boolean key from a TOML text. Null if it is neither true nor false. Supports tables, dotted keys
 * and comments, which people use for switches, but not inline tables.
 */
export function readTomlFlag(text: string, key: readonly string[]): boolean | null {
  let table = "";
  let found: boolean | null = null;
  for (const line of text.split(/\r?\n/u)) {
    const [, header] = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/u.exec(line) ?? [];
    if (header !== undefined) {
      table = plain(header);
      continue;
    }
    // An array of tables; its members are not ours.
    if (/^\s*\[\[/u.test(line)) table = "[]";
    const [, name, value] = /^([\w."'\-\s]+)=\s*(true|false)\s*(?:#.*)?$/u.exec(line) ?? [];
    if (name === undefined) continue;
    const full = table === "" ? plain(name.trim()) : `${table}.${plain(name.trim())}`;
    if (full === key.join(".")) found = value === "true";
  }
  return found;
}

function plain(name: string): string {
  return name.replaceAll(/["' ]/gu, "");
}
