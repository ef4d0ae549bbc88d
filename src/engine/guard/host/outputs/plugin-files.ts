import { readdirSync } from "node:fs";
import path from "node:path";
import { errorCode } from "../../../base/result.ts";

interface PluginHooks {
  readonly file: string;
  readonly content: unknown;
}

/** Plugins, and versions of one, beyond these numbers are not looked at. */
const most = { plugins: 100, versions: 20 };

/**
 * Returns the hooks of the plugins that settings turn on: those of every version that is there, since only Claude Code knows which runs.
 * @param folder Claude Code's own
 * @param settings contents of settings files
 * @param read returns what a file of JSON holds
 */
export function pluginHookFiles(
  folder: string,
  settings: readonly unknown[],
  read: (file: string) => unknown,
): PluginHooks[] {
  const enabled = new Set(settings.flatMap(enabledIn));
  if (enabled.size === 0) return [];
  const plugins = path.join(folder, "plugins");
  const installed = memberOf(read(path.join(plugins, "installed_plugins.json")), "plugins");
  const roots = [...enabled]
    .slice(0, most.plugins)
    .flatMap((id) => [...installedAt(installed, id), ...usualRoots(plugins, id)]);
  return [...new Set(roots)].flatMap((root) => {
    const file = path.join(root, "hooks", "hooks.json");
    const manifest = path.join(root, ".claude-plugin", "plugin.json");
    const content = read(manifest);
    const named = memberOf(content, "hooks");
    const other = typeof named === "string" && !path.isAbsolute(named) ? path.join(root, named) : null;
    const own = other === null || other === file ? [] : [{ file: other, content: read(other) }];
    // A manifest's hooks have either form: with a member of that name around them, or without.
    const inline = memberOf(named, "hooks") === undefined ? { hooks: named } : named;
    return [{ file, content: read(file) }, { file: manifest, content: inline }, ...own];
  });
}

/** The ids, as `name@marketplace`, that settings turn on. */
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
      .slice(0, most.versions)
      .map(({ name }) => path.join(folder, name));
  } catch (error) {
    // Most plugins are in one of the places only.
    errorCode(error);
    return [];
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
