import path from "node:path";
import * as z from "zod/mini";
import { fileURLToPath } from "node:url";
import { rethrowUnlessSystemError } from "../../base/result.ts";
import { readJson } from "../../base/parse.ts";
import { parseJsonc } from "../parse-jsonc.ts";
import { optionalText, tokens } from "../row-values.ts";
import { statsOf } from "../../base/files.ts";
import { editorFactsFile } from "./vscode-chat-roots.ts";
import { readOpeningText } from "../open-file.ts";

/** Upper bound of the small files that name folders. Bytes. */
const maxSize = 1024 * 1024;

/** Written by a desktop when it creates the folder. */
const workspaceFile = z.object({
  folder: optionalText,
  workspace: optionalText,
  configuration: optionalText,
});
/** A `.code-workspace`, or the unnamed one that VS Code keeps itself. */
const codeWorkspace = z.object({
  folders: z.array(z.catch(z.object({ path: optionalText, uri: optionalText }), { path: null, uri: null })),
});

/**
 * Returns the folder that a window's storage belongs to; the first of several. Null for a window without a folder, or
 * of another machine, and where no file names it (servers write no such file).
 */
function workspaceFolder(holder: string): string | null {
  const file = readJson(workspaceFile, readOpeningText(path.join(holder, "workspace.json"), maxSize));
  const folder = localPath(file?.folder ?? null);
  if (folder !== null) return folder;
  const workspace = localPath(file?.workspace ?? file?.configuration ?? null);
  return workspace === null ? null : firstFolder(workspace);
}

function firstFolder(workspace: string): string | null {
  const folders =
    codeWorkspace.safeParse(parseJsonc(readOpeningText(workspace, maxSize))).data?.folders ?? [];
  const base = path.dirname(workspace);
  for (const { path: own, uri } of folders) {
    const folder = own === null || own === undefined ? localPath(uri ?? null) : path.resolve(base, own);
    if (folder !== null) return folder;
  }
  return null;
}

/** Null for anything but a file on this machine. */
function localPath(uri: string | null): string | null {
  if (uri?.startsWith("file:") !== true) return null;
  try {
    return fileURLToPath(uri);
  } catch (error) {
    rethrowUnlessSystemError(error);
    return null;
  }
}

/** The working folders of windows' storages. Each is read until it is known. */
export class WorkingFolders {
  readonly #known = new Map<string, string>();

  /** Null for a window without a known folder. */
  of(holder: string): string | null {
    const known = this.#known.get(holder);
    if (known !== undefined) return known;
    const folder = workspaceFolder(holder) ?? new EditorFactsFile(holder).now().folder;
    if (folder !== null) this.#known.set(holder, folder);
    return folder;
  }
}

/** Upper bound; the file is a few kilobytes long. Bytes. */
const maxFactsSize = 1024 * 1024;

/** Facts that purser's extension writes about its window, into a file of its own storage, beside the window's chats. */
const editorFacts = z.object({
  /** The window's first folder; null without one. Servers store it nowhere else. */
  folder: z.nullable(z.string()),
  /** Room for a prompt of each model that the window offers, by `<vendor>/<id>`. Tokens. */
  models: z.record(z.string(), tokens.check(z.minimum(1))),
});
export type EditorFacts = z.infer<typeof editorFacts>;

/** Name of the storage of purser's extension, within a window's. */
const ownStorage = "context-purser.context-purser";
const nothing: EditorFacts = { folder: null, models: {} };

/** Reads the facts that purser's extension wrote about a window; again after each change. */
export class EditorFactsFile {
  readonly #path: string;
  #version = "";
  #facts = nothing;

  /** @param holder the folder of a window's storage, or the shared one of all windows without a folder */
  constructor(holder: string) {
    this.#path = path.join(holder, ownStorage, editorFactsFile);
  }

  now(): EditorFacts {
    const stats = statsOf(this.#path);
    const version = stats === undefined ? "" : `${stats.size} ${stats.mtimeMs}`;
    // A half-written file does not parse: the earlier facts still apply.
    if (version !== this.#version)
      this.#facts = readJson(editorFacts, readOpeningText(this.#path, maxFactsSize)) ?? this.#facts;
    this.#version = version;
    return this.#facts;
  }
}
