import { sentence, type Sentence, compose, plainSentence } from "../../base/language.ts";
import { lstat, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { applyPatch as patched, parsePatch, type StructuredPatch } from "diff";
import { textIfThere } from "../../base/files.ts";
import { type Result, type Failure, succeed, fail, errorCode } from "../../base/result.ts";

export type PatchFault = "not_a_patch" | "outside" | "does_not_apply";

/** The result of a patch for one file; null removes it. */
interface PatchedFile {
  readonly relative: string;
  readonly text: string | null;
}

const nothing = "/dev/null";

/**
 * Applies a unified diff in git's format to a folder: all of it or nothing. Refuses a patch that touches a path outside the folder,
 * a link, or a folder that no task's patch may change.
 *
 * @returns the paths that changed
 */
export async function applyPatch(
  folder: string,
  patchText: string,
): Promise<Result<readonly string[], PatchFault>> {
  const read = readPatch(patchText);
  if (!read.ok) return read;
  const files: PatchedFile[] = [];
  for (const part of read.value) {
    const outcome = await patchOne(folder, part);
    if (!outcome.ok) return outcome;
    files.push(...outcome.value);
  }
  const twice = files.find(
    ({ relative }, index) => files.findIndex((other) => other.relative === relative) < index,
  );
  if (twice !== undefined) return fail("not_a_patch", sentence("It changes {0} twice", twice.relative));
  for (const { relative, text } of files) {
    const file = path.join(folder, relative);
    if (text === null) await rm(file);
    else {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
  return succeed(files.map(({ relative }) => relative));
}

function readPatch(text: string): Result<readonly StructuredPatch[], PatchFault> {
  try {
    const parts = parsePatch(text.replaceAll("\r\n", "\n"));
    const isEmpty = parts.every(({ hunks, isRename }) => hunks.length === 0 && isRename !== true);
    return isEmpty ? fail("not_a_patch", sentence("It changes nothing")) : succeed(parts);
  } catch (error) {
    if (error instanceof Error) return fail("not_a_patch", plainSentence(error.message));
    throw error;
  }
}

async function patchOne(
  folder: string,
  part: StructuredPatch,
): Promise<Result<readonly PatchedFile[], PatchFault>> {
  const from = filePathOf(part.oldFileName);
  const to = filePathOf(part.newFileName);
  const unsafe = [from, to].find((file) => file !== nothing && !isInside(file));
  if (unsafe !== undefined)
    return fail("outside", sentence("It names {0}, which no patch may change", JSON.stringify(unsafe)));
  if (from === nothing && to === nothing) return fail("not_a_patch", sentence("A part of it names no file"));
  for (const file of [from, to]) {
    const found = file === nothing ? null : await obstacle(folder, file);
    if (found !== null) return found;
  }
  const before = from === nothing ? "" : await textIfThere(path.join(folder, from));
  if (before === null) return notApplied(from, sentence("there is no such file"));
  if (from !== to && to !== nothing && (await textIfThere(path.join(folder, to))) !== null)
    return notApplied(to, sentence("it is there already"));
  const after = patched(before.replaceAll("\r\n", "\n"), part);
  if (after === false)
    return notApplied(from === nothing ? to : from, sentence("its lines are not what the patch expects"));
  const isMoved = from !== nothing && to !== nothing && from !== to;
  if (to === nothing) return succeed([{ relative: from, text: null }]);
  return succeed([...(isMoved ? [{ relative: from, text: null }] : []), { relative: to, text: after }]);
}

function notApplied(file: string, why: Sentence): Failure<"does_not_apply"> {
  return fail("does_not_apply", compose`${file}: ${why}`);
}

/** Removes the `a/` or `b/` that git puts before the paths of a diff. */
function filePathOf(name: string | undefined): string {
  return name === undefined || name === nothing ? nothing : name.replace(/^[ab]\//u, "");
}

const forbidden = new Set(["", ".", "..", ".git", "node_modules", ".purser-check"]);

/** Whether a path stays in its folder on any system, and outside of folders that are not the project's own. */
function isInside(file: string): boolean {
  if (/[\u0000-\u001f\\:]/u.test(file)) return false;
  return file.split("/").every((part) => !forbidden.has(part.toLowerCase()));
}

/** Returns why a path cannot be written: a part of it is a link, or of the wrong kind. Null if it can. */
async function obstacle(folder: string, file: string): Promise<Failure<PatchFault> | null> {
  const parts = file.split("/");
  for (let count = 1; count <= parts.length; count += 1) {
    const relative = parts.slice(0, count).join("/");
    try {
      const found = await lstat(path.join(folder, relative));
      if (found.isSymbolicLink()) return fail("outside", sentence("{0} is a link", relative));
      const isWanted = count === parts.length ? found.isFile() : found.isDirectory();
      if (!isWanted) return notApplied(file, sentence("{0} is something else", relative));
    } catch (error) {
      if (errorCode(error) === "ENOENT") return null;
      throw error;
    }
  }
  return null;
}
