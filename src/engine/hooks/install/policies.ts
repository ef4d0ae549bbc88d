import path from "node:path";
import type { HookProgram } from "../program.ts";
import { claudeFolder, hookFile, type HookFileInput } from "./settings/agent-file.ts";
import { isObject } from "./settings/entry.ts";
import { parseJson, valueOf } from "./settings/json-document.ts";
import { readTomlFlag } from "./settings/toml-flag.ts";
import { agentHome } from "../../transcripts/home-folder.ts";

/** A setting of somebody's that keeps hooks from being run, or from being posted. */
export interface Policy {
  /** `no_hooks`: none of ours is run. `no_http`: none may be posted to our address; commands may be run. */
  readonly effect: "no_hooks" | "no_http";
  readonly file: string;
  readonly setting: string;
  /** Set by whoever manages the machine or the account: the user cannot change it. */
  readonly isManaged: boolean;
}

export interface PolicyInput extends HookFileInput {
  readonly platform: NodeJS.Platform;
  /** Null for a file that is not there or cannot be read; of others the agent's settings are not ours to judge. */
  readonly readText: (file: string) => string | null;
  /** The names in a folder; none where there is no folder. */
  readonly list: (folder: string) => string[];
  /** What would be posted to; null when nothing is. */
  readonly url: string | null;
}

/**
 * What keeps hooks from being run, in the files where it may be said. Policies that an administrator keeps elsewhere (the registry of
 * Windows, preferences of macOS) are not seen.
 */
export function findPolicies(program: HookProgram, input: PolicyInput): Policy[] {
  switch (program) {
    case "claude-code":
      return claudePolicies(input);
    case "codex":
      return codexPolicies(input);
    case "copilot":
      return copilotPolicies(input);
  }
}

interface Layer {
  readonly file: string;
  readonly isManaged: boolean;
}

/** `disableAllHooks` counts wherever it is said. The other switches count only where an administrator says them. */
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
  // The lists of all layers are one.
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
    // What the account's administrator set, as it was last heard.
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

/** Hooks are on unless `config.toml` says otherwise; requirements are the administrator's. */
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

function copilotPolicies(input: PolicyInput): Policy[] {
  const { env, home, project } = input;
  const user = agentHome({ env, home }, ["COPILOT_HOME"], ".copilot");
  const shared = project === null ? null : path.join(project, ".github", "copilot");
  const files = [
    path.join(user, "settings.json"),
    path.join(user, "config.json"),
    ...(shared === null
      ? []
      : ["settings.json", "settings.local.json"].map((name) => path.join(shared, name))),
  ];
  return files.flatMap((file): Policy[] =>
    readObject(file, input)["disableAllHooks"] === true
      ? [{ effect: "no_hooks", file, setting: "disableAllHooks", isManaged: false }]
      : [],
  );
}

function readObject(file: string, { readText }: PolicyInput): Record<string, unknown> {
  const parsed = parseJson(readText(file) ?? "");
  if (!parsed.ok || parsed.value.root === null) return {};
  const value = valueOf(parsed.value.root);
  return isObject(value) ? value : {};
}

/** A `*` stands for anything. */
function matches(pattern: unknown, url: string): boolean {
  if (typeof pattern !== "string") return false;
  const parts = pattern.split("*").map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/gu, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "u").test(url);
}
