import path from "node:path";
import type { HomeInput } from "../home-folder.ts";

/** Name of the file in which purser's extension describes its window, within the extension's storage. */
export const editorFactsFile = "chat.json";

/** Products with VS Code's own chat. Cursor and similar products store their chats elsewhere, in another form. */
const products = ["Code", "Code - Insiders", "VSCodium"];
/** Folders of servers, below the home: for remote windows and for browsers. */
const servers = [".vscode-server", ".vscode-server-insiders", ".vscodium-server"];

/**
 * The `User` folders in which VS Code stores its user's data, chats included. They need not exist. A window of another
 * `--user-data-dir` names its own.
 */
export function chatRoots(
  { env, home, paths = path }: HomeInput,
  platform: NodeJS.Platform = process.platform,
): string[] {
  const set = (name: string) => ((env[name] ?? "").trim() === "" ? undefined : env[name]);
  const portable = set("VSCODE_PORTABLE");
  const data = set("VSCODE_APPDATA") ?? appData({ paths, home, platform, set });
  const shared = set("XDG_DATA_HOME") ?? paths.join(home, ".local", "share");
  return [
    ...(portable === undefined ? [] : [paths.join(portable, "user-data", "User")]),
    ...products.map((product) => paths.join(data, product, "User")),
    ...servers.map((server) => paths.join(home, server, "data", "User")),
    paths.join(shared, "code-server", "User"),
  ];
}

interface AppDataInput {
  readonly paths: path.PlatformPath;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly set: (name: string) => string | undefined;
}

function appData({ paths, home, platform, set }: AppDataInput): string {
  if (paths === path.win32) return set("APPDATA") ?? paths.join(home, "AppData", "Roaming");
  if (platform === "darwin") return paths.join(home, "Library", "Application Support");
  return set("XDG_CONFIG_HOME") ?? paths.join(home, ".config");
}
