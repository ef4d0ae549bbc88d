import path from "node:path";
import * as z from "zod/mini";
import { EditorFactsFile } from "./editor-facts.ts";
import { fileURLToPath } from "node:url";
import { rethrowUnlessSystemError } from "../../base/result.ts";
import { readJson } from "../../base/parse.ts";
import { parseJsonc } from "../parse-jsonc.ts";
import { optionalText } from "../row-values.ts";
import { readOpening } from "../open-file.ts";

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
  const file = readJson(workspaceFile, read(path.join(holder, "workspace.json")));
  const folder = localPath(file?.folder ?? null);
  if (folder !== null) return folder;
  const workspace = localPath(file?.workspace ?? file?.configuration ?? null);
  return workspace === null ? null : firstFolder(workspace);
}

function firstFolder(workspace: string): string | null {
  const folders = codeWorkspace.safeParse(parseJsonc(read(workspace))).data?.folders ?? [];
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

/** Empty for a file that is missing or may not be read. */
function read(file: string): string {
  try {
    return readOpening(file, maxSize)?.toString("utf8") ?? "";
  } catch (error) {
    rethrowUnlessSystemError(error);
    return "";
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
