import * as z from "zod";
import { pathText, type WindowSettings } from "./editor-window.ts";

/** A folder whose own files may say something of guard rules, and who trusts it: an editor's user, or with null a terminal's. */
const trusted = z.object({ path: pathText, editor: pathText.nullable() });
export type TrustedFolder = Readonly<z.infer<typeof trusted>>;

/** More than anybody works in; beyond, those that were trusted first are forgotten. */
const mostFolders = 1000;

const file = z.object({ schema: z.literal(1), folders: z.array(trusted) });

/** Reads the file of trusted folders. */
export function readTrustedFolders(value: unknown): readonly TrustedFolder[] | null {
  const read = file.safeParse(value);
  return read.success ? read.data.folders : null;
}

export function trustedFoldersText(folders: readonly TrustedFolder[]): string {
  return `${JSON.stringify({ schema: 1, folders }, null, 2)}\n`;
}

/** Returns the folders after a window's report; the same array where nothing changes. */
export function withWindowTrust(
  known: readonly TrustedFolder[],
  { editor, isTrusted, folders }: Pick<WindowSettings, "editor" | "isTrusted" | "folders">,
): readonly TrustedFolder[] {
  if (isTrusted === undefined) return known;
  return folders.reduce(
    (all, { path }) => (isTrusted ? withTrusted(all, path, editor) : withoutTrusted(all, path, editor)),
    known,
  );
}

export function withTrusted(
  known: readonly TrustedFolder[],
  path: string,
  editor: string | null,
): readonly TrustedFolder[] {
  const isThere = known.some((each) => each.path === path && each.editor === editor);
  return isThere ? known : [...known, { path, editor }].slice(-mostFolders);
}

/** @param editor the one that no longer trusts it; undefined for all of them */
export function withoutTrusted(
  known: readonly TrustedFolder[],
  path: string,
  editor?: string | null,
): readonly TrustedFolder[] {
  const left = known.filter((each) => each.path !== path || (editor !== undefined && each.editor !== editor));
  return left.length === known.length ? known : left;
}
