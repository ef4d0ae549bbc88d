import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { launchBrowser } from "../browser.ts";
import { hostCache } from "../cache-folder.ts";
import { startServer } from "./server.ts";
import type { EditorServer } from "./server.ts";
import { installEditor } from "./install.ts";
import type { EditorChoice } from "../pinned-packages.ts";
import { packedExtension } from "../repository.ts";
import { makeScratch } from "../scratch.ts";
import type { Scratch } from "../scratch.ts";
import { extensionIn, openFile, Workbench } from "./workbench.ts";

/** The id of purser's item in the status bar. */
export const statusId = "purser.status";
/** The item of a running job. */
export const jobId = "purser.job";

/** A VS Code with the packed extension installed, opened on a scratch workspace. */
export interface EditorWindow {
  readonly scratch: Scratch;
  readonly server: EditorServer;
  readonly workbench: Workbench;
  /** Opens another window on the same server, on the same folder or a different one. */
  reopen(folder?: string): Promise<Workbench>;
  close(): Promise<void>;
}

export interface WindowOptions {
  readonly choice: EditorChoice;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly size?: { readonly width: number; readonly height: number };
  /** The editor's language; English without it. */
  readonly language?: string;
  /** Whether VS Code asks for trust; off by default. */
  readonly workspaceTrust?: boolean;
  /** A file of the workspace to show. */
  readonly openFile?: string;
  /** Runs before the editor starts, for example to write transcripts. */
  readonly prepare?: (scratch: Scratch) => Promise<void>;
  /**
   * Modifies purser's installed extension before the editor starts. @param folder path of the installed
   * extension
   */
  readonly change?: (folder: string) => Promise<void>;
  /** Writes an extension that is loaded from its folder, with proposed parts of the editor's API; returns the folder. */
  readonly develop?: (scratch: Scratch) => Promise<string>;
  /** Packs further extensions to install beside purser; returns their paths. */
  readonly beside?: (scratch: Scratch) => Promise<readonly string[]>;
}

/** Starts a server with the packed extension and opens a window on it. */
export async function openEditorWindow(options: WindowOptions): Promise<EditorWindow> {
  const vsix = await packedExtension();
  if (!existsSync(vsix)) throw new Error(`${vsix} is missing. Make it: npm run package`);
  const cache = hostCache(process.env, homedir());
  const editor = await installEditor(options.choice, cache);
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const scratch = await makeScratch();
    closers.push(() => scratch.remove());
    await options.prepare?.(scratch);
    const packages = [vsix, ...((await options.beside?.(scratch)) ?? [])];
    const { settings = {}, workspaceTrust = false } = options;
    const developed = await options.develop?.(scratch);
    const develops = developed !== undefined;
    const { env } = scratch;
    const server = await startServer({ editor, packages, settings, workspaceTrust, develops, env });
    closers.push(() => server.stop());
    await options.change?.(await installedPurser(server));
    const browser = await launchBrowser({ cache });
    closers.push(() => browser.close());
    const { size = { width: 1280, height: 800 } } = options;
    const payload = [
      ...(options.openFile === undefined ? [] : [openFile(server, scratch.workspace, options.openFile)]),
      ...(developed === undefined ? [] : [extensionIn(server, developed)]),
    ];
    const { language } = options;
    const open = (folder = scratch.workspace) =>
      Workbench.open({ browser, server, folder, size, payload, language });
    return { scratch, server, workbench: await open(), reopen: open, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Path of purser's extension among those installed on a server. */
export async function installedPurser({ extensions }: EditorServer): Promise<string> {
  const name = (await readdir(extensions)).find((each) => each.startsWith("context-purser"));
  if (name === undefined) throw new Error(`No extension of purser's is installed in ${extensions}.`);
  return join(extensions, name);
}
