import { readdirSync } from "node:fs";
import path from "node:path";
import { readSmallText } from "../../base/files.ts";
import { parseJson } from "../../base/parse.ts";
import { type HomeInput, repositoryRoot } from "../../base/paths.ts";
import { errorCode } from "../../base/result.ts";
import { claudeFolder, isOwnHandler } from "../../hooks/install.ts";
import { memberOf } from "../own-value.ts";

/** An asynchronous hook gives no answer. */
const isAwaited = (handler: unknown): boolean => memberOf(handler, "async") !== true;

/**
 * Returns the matchers of other programs' PostToolUse hooks in settings of Claude Code or a plugin. Each may replace the
 * original output too: the last answer wins.
 */
function rivalMatchers(settings: unknown): string[] {
  const groups = memberOf(memberOf(settings, "hooks"), "PostToolUse");
  if (!Array.isArray(groups)) return [];
  return groups.flatMap((group: unknown) => {
    const matcher = memberOf(group, "matcher");
    const handlers = memberOf(group, "hooks");
    if (!Array.isArray(handlers)) return [];
    const isRival = handlers.some((handler: unknown) => !isOwnHandler(handler) && isAwaited(handler));
    return isRival ? [typeof matcher === "string" && matcher !== "" ? matcher : "*"] : [];
  });
}

/** Whether a matcher is for a tool. An invalid one may be for any. */
export function isFor(matcher: string, tool: string): boolean {
  if (matcher === "*") return true;
  if (/^[\w|\s,-]+$/u.test(matcher)) return matcher.split(/[|,]/u).some((name) => name.trim() === tool);
  try {
    return new RegExp(matcher, "u").test(tool);
  } catch {
    return true;
  }
}

/** Claude Code's tools with outputs that are shortened, except servers' tools. */
const tools = ["Bash", "PowerShell", "Grep", "Glob", "WebFetch"];

/** Whether a matcher is for any tool with outputs that are shortened. */
function isForReplaced(matcher: string): boolean {
  return matcher.includes("mcp__") || tools.some((tool) => isFor(matcher, tool));
}

interface PluginHooks {
  readonly file: string;
  readonly content: unknown;
}

/** Maximum plugins, and maximum versions of one. */
const limits = { plugins: 100, versions: 20 };

/**
 * Returns the hooks of enabled plugins, of every installed version: only Claude Code knows which one runs.
 * @param folder Claude Code's
 * @param settings contents of settings files
 */
function pluginHookFiles(folder: string, settings: readonly unknown[]): PluginHooks[] {
  const enabled = new Set(settings.flatMap(enabledIn));
  if (enabled.size === 0) return [];
  const plugins = path.join(folder, "plugins");
  const installed = memberOf(jsonIn(path.join(plugins, "installed_plugins.json")), "plugins");
  const roots = [...enabled]
    .slice(0, limits.plugins)
    .flatMap((id) => [...installedAt(installed, id), ...usualRoots(plugins, id)]);
  return [...new Set(roots)].flatMap((root) => {
    const file = path.join(root, "hooks", "hooks.json");
    const manifest = path.join(root, ".claude-plugin", "plugin.json");
    const content = jsonIn(manifest);
    const named = memberOf(content, "hooks");
    const other = typeof named === "string" && !path.isAbsolute(named) ? path.join(root, named) : null;
    const own = other === null || other === file ? [] : [{ file: other, content: jsonIn(other) }];
    // A manifest's hooks may or may not be inside another member `hooks`.
    const inline = memberOf(named, "hooks") === undefined ? { hooks: named } : named;
    return [{ file, content: jsonIn(file) }, { file: manifest, content: inline }, ...own];
  });
}

/** Returns the enabled ids, as `name@marketplace`. */
function enabledIn(settings: unknown): string[] {
  const plugins = memberOf(settings, "enabledPlugins");
  if (typeof plugins !== "object" || plugins === null) return [];
  return Object.entries(plugins).flatMap(([id, value]) => (value === false ? [] : [id]));
}

function installedAt(installed: unknown, id: string): string[] {
  const entry = memberOf(installed, id);
  const all: readonly unknown[] = Array.isArray(entry) ? entry : [entry];
  return all.flatMap((each) => {
    const root = memberOf(each, "installPath");
    return typeof root === "string" && path.isAbsolute(root) ? [root] : [];
  });
}

function usualRoots(plugins: string, id: string): string[] {
  const at = id.lastIndexOf("@");
  const [name, market] = at > 0 ? [id.slice(0, at), id.slice(at + 1)] : [id, ""];
  if (!isFolderName(name) || !isFolderName(market)) return [];
  const cached = path.join(plugins, "cache", market, name);
  const marketplace = path.join(plugins, "marketplaces", market);
  return [
    ...foldersIn(cached),
    path.join(marketplace, "plugins", name),
    path.join(marketplace, name),
    path.join(plugins, name),
  ];
}

const isFolderName = (name: string): boolean => /^[\w.-]{1,100}$/u.test(name) && !/^\.+$/u.test(name);

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .slice(0, limits.versions)
      .map(({ name }) => path.join(folder, name));
  } catch (error) {
    // Most plugins are in only one of the places.
    errorCode(error);
    return [];
  }
}

/** Folders of an administrator's settings of Claude Code on Linux, macOS and Windows. */
const usualFolders = [
  "/etc/claude-code",
  "/Library/Application Support/ClaudeCode",
  "C:\\Program Files\\ClaudeCode",
];

/** Returns the possible files of an administrator's settings. */
function managedFiles(folders: readonly string[] = usualFolders): string[] {
  return folders
    .filter((folder) => path.isAbsolute(folder))
    .flatMap((folder) => {
      const parts = path.join(folder, "managed-settings.d");
      const names = jsonFilesIn(parts).map((name) => path.join(parts, name));
      return [path.join(folder, "managed-settings.json"), ...names];
    });
}

function jsonFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch (error) {
    errorCode(error);
    return [];
  }
}

/** Another program's hook that may also replace outputs. */
interface RivalHook {
  readonly file: string;
  /** A pattern of its tools. */
  readonly matcher: string;
}

interface RivalInput extends HomeInput {
  /** Folders of an administrator's settings; default: the usual ones. */
  readonly managed?: readonly string[];
}

/** Maximum size of a settings file. Bytes. */
const maxBytes = 1024 * 1024;

/**
 * Finds the hooks that may replace outputs of Claude Code's tools, in settings of user, project, folder and administrator, and
 * in the plugins that these enable.
 * @param folder where the agent works; null if unknown
 */
export function findRivalHooks(folder: string | null, input: RivalInput): RivalHook[] {
  const projects = folder === null ? [] : [...new Set([folder, repositoryRoot(folder, input.home)])];
  const own = claudeFolder(input).folder;
  const folders = [own, ...projects.map((each) => path.join(each, ".claude"))];
  const files = [...new Set(folders)].flatMap((each) =>
    ["settings.json", "settings.local.json"].map((name) => path.join(each, name)),
  );
  const read = [...managedFiles(input.managed), ...files].map((file) => ({ file, content: jsonIn(file) }));
  const plugins = pluginHookFiles(
    own,
    read.map(({ content }) => content),
  );
  return [...read, ...plugins].flatMap(({ file, content }) =>
    rivalMatchers(content)
      .filter(isForReplaced)
      .map((matcher) => ({ file, matcher })),
  );
}

function jsonIn(file: string): unknown {
  return parseJson(readSmallText(file, maxBytes) ?? "");
}
