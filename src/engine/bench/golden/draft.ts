import { sentence } from "../../base/language.ts";
import { createReadStream } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { createTwoFilesPatch } from "diff";
import * as z from "zod/mini";
import { fail, succeed, type Result } from "../../base/result.ts";
import { anyRow, askedContent, userRow } from "../../transcripts/claude.ts";
import { parseJson } from "../../base/parse.ts";

export interface SessionDraft {
  /** The first prompt. Untrusted text. */
  readonly prompt: string;
  /** The session's working folder. */
  readonly cwd: string;
  /** The session's edits as a patch; null if no known change was made. */
  readonly patch: string | null;
  /** Changed files without their previous content in the transcript. */
  readonly unknown: readonly string[];
}

/** Results of file-changing tools, as the agent's program receives them. */
const changed = z.looseObject({
  filePath: z.string(),
  originalFile: z.nullish(z.string()),
  /** Set when the whole file was written. */
  content: z.optional(z.string()),
  type: z.optional(z.string()),
  /** Set for an edit. */
  oldString: z.optional(z.string()),
  newString: z.optional(z.string()),
  replaceAll: z.optional(z.boolean()),
});
const resultRow = z.looseObject({ toolUseResult: changed });

/** A file before and after; null if it did not exist. */
interface Change {
  readonly before: string | null;
  after: string;
}

const maxLineLength = 50_000_000; // characters

/**
 * Extracts the draft of a golden task from a finished Claude Code session: its first prompt, and the changes its tools made. Changes made
 * by shell commands are in no transcript.
 *
 * @throws the system's error if the file cannot be read
 */
export async function draftFromSession(transcript: string): Promise<Result<SessionDraft, "nothing_asked">> {
  let prompt: string | null = null;
  let cwd: string | null = null;
  const changes = new Map<string, Change>();
  const unknown = new Set<string>();
  for await (const line of createInterface({ input: createReadStream(transcript, "utf8") })) {
    // The last line of a killed session may be truncated.
    const row = line.length > maxLineLength ? null : parseJson(line);
    const common = anyRow.safeParse(row);
    if (!common.success || common.data.isSidechain === true) continue;
    cwd ??= common.data.cwd ?? null;
    if (common.data.type !== "user") continue;
    prompt ??= askedIn(row);
    const result = resultRow.safeParse(row);
    if (result.success) take(result.data.toolUseResult, changes, unknown);
  }
  if (prompt === null || cwd === null)
    return fail("nothing_asked", sentence("Nobody asked anything in {0}", transcript));
  const project = cwd;
  const outside = (file: string) => {
    const way = path.relative(project, file);
    return way === "" || way.startsWith("..") || path.isAbsolute(way);
  };
  const patches = [...changes]
    .filter(([file, { before, after }]) => !outside(file) && !unknown.has(file) && before !== after)
    .map(([file, change]) => patchOf(path.relative(project, file).replaceAll(path.sep, "/"), change));
  return succeed({
    prompt,
    cwd: project,
    patch: patches.length === 0 ? null : patches.join(""),
    unknown: [...unknown].filter((file) => !outside(file)).map((file) => path.relative(project, file)),
  });
}

function askedIn(row: unknown): string | null {
  const read = userRow.safeParse(row);
  if (!read.success || read.data.isMeta === true || read.data.isCompactSummary === true) return null;
  const content = askedContent.safeParse(read.data.message?.content);
  if (!content.success) return null;
  const texts =
    typeof content.data === "string" ? [content.data] : content.data.map(({ text }) => text ?? "");
  const asked = texts
    .filter((text) => !/^\s*<[a-z-]+>/u.test(text))
    .join("\n")
    .trim();
  return asked === "" || asked.startsWith("[Request interrupted") ? null : asked;
}

function take(result: z.infer<typeof changed>, changes: Map<string, Change>, unknown: Set<string>): void {
  const { filePath, originalFile, content, type, oldString, newString, replaceAll } = result;
  const isWhole = content !== undefined && (type === "create" || type === "update");
  const isEdit = oldString !== undefined && newString !== undefined;
  if (!isWhole && !isEdit) return;
  const known = changes.get(filePath);
  const before = originalFile ?? (isWhole && type === "create" ? null : undefined);
  const from = originalFile ?? known?.after;
  if (before === undefined && known === undefined) {
    unknown.add(filePath);
    return;
  }
  const after = isWhole ? content : edited(from ?? "", oldString ?? "", newString ?? "", replaceAll === true);
  if (after === null) unknown.add(filePath);
  else if (known === undefined) changes.set(filePath, { before: before ?? null, after });
  else known.after = after;
}

function edited(from: string, old: string, replacement: string, isAll: boolean): string | null {
  if (old === "") return from === "" ? replacement : null;
  if (!from.includes(old)) return null;
  return isAll ? from.replaceAll(old, () => replacement) : from.replace(old, () => replacement);
}

function patchOf(name: string, { before, after }: Change): string {
  const from = before === null ? "/dev/null" : `a/${name}`;
  const text = createTwoFilesPatch(from, `b/${name}`, before ?? "", after, undefined, undefined, {
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  return `diff --git a/${name} b/${name}\n${text}`;
}
