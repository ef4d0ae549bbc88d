import * as z from "zod/mini";
import { parseJson } from "../../base/parse.ts";
import { cleanText } from "../../base/text.ts";
import { labelFrom, sharedProject } from "../../base/paths.ts";
import { sharedEntry, type CheckedSharedEntry } from "../entries/machine-entries.ts";
import { count, id } from "../entries/fields.ts";
import { cursorIn } from "./cursor.ts";

/** The format of a machine's rows. A reader refuses a later one. */
export const sharedFormat = 1;

const header = z.object({
  purser: z.literal("machine"),
  format: z.int().check(z.positive()),
  id: z.string().check(z.regex(/^[0-9a-f-]{36}$/u)),
  label: z.string().check(z.maxLength(200)),
  /** The cursor that the export continues from; null if it is a whole one. */
  since: z.nullable(z.string()),
  /** The machine's clock. Milliseconds since the epoch. */
  now: z.int(),
  /** Up to when its transcripts were read; null if that is unknown. */
  asOf: z.nullable(z.int()),
});
const cursor = z.string().check(z.refine((text) => cursorIn(text) !== undefined));
const rowLine = z.object({ version: count, row: sharedEntry });
const retractionLine = z.object({ version: count, retracted: id });
const cursorLine = z.object({ cursor });
const endLine = z.object({ end: z.object({ cursor, rows: count }) });

export type SharedHeader = z.infer<typeof header>;
export type SharedLine =
  | ({ readonly kind: "header" } & SharedHeader)
  | { readonly kind: "row"; readonly version: number; readonly row: CheckedSharedEntry }
  | { readonly kind: "retraction"; readonly version: number; readonly session: string }
  | { readonly kind: "cursor"; readonly cursor: string }
  | { readonly kind: "end"; readonly cursor: string; readonly rows: number }
  /** Of a later version of purser, or damaged. */
  | { readonly kind: "unreadable" };

/** Reads a line that another machine wrote. Its texts are cleaned; a row with an id that is not clean is refused. */
export function readSharedLine(text: string): SharedLine {
  const value = parseJson(text);
  const row = rowLine.safeParse(value);
  if (row.success) {
    const clean = cleanRow(row.data.row);
    return clean === null ? unreadable : { kind: "row", version: row.data.version, row: clean };
  }
  const retraction = retractionLine.safeParse(value);
  if (retraction.success) {
    const { version, retracted: session } = retraction.data;
    return isClean(session) ? { kind: "retraction", version, session } : unreadable;
  }
  const place = cursorLine.safeParse(value);
  if (place.success) return { kind: "cursor", cursor: place.data.cursor };
  const end = endLine.safeParse(value);
  if (end.success) return { kind: "end", ...end.data.end };
  const first = header.safeParse(value);
  if (!first.success) return unreadable;
  return { kind: "header", ...first.data, label: labelFrom(first.data.label) ?? "machine" };
}

const unreadable: SharedLine = { kind: "unreadable" };

/** The fields by which rows are recognised. */
const ids: ReadonlySet<string> = new Set([
  "id",
  "sessionId",
  "messageId",
  "requestId",
  "agentId",
  "parentId",
]);

function cleanRow(row: CheckedSharedEntry): CheckedSharedEntry | null {
  const clean: Record<string, unknown> = { ...row };
  for (const [field, value] of Object.entries(row)) {
    if (typeof value !== "string") continue;
    if (ids.has(field)) {
      if (!isClean(value)) return null;
    } else if (field === "cwd") clean[field] = projectIn(value);
    else if (field !== "kind" && field !== "priceTerms") clean[field] = cleanText(value);
  }
  // Counters by names that an agent chose.
  if ("raw" in clean && clean["raw"] !== null && typeof clean["raw"] === "object")
    clean["raw"] = Object.fromEntries(
      Object.entries(clean["raw"]).map(([name, each]) => [cleanText(name), each]),
    );
  return sharedEntry.safeParse(clean).data ?? null;
}

function isClean(text: string): boolean {
  return cleanText(text) === text;
}

/** Another machine names projects, never a folder of this one. */
function projectIn(text: string): string | null {
  const clean = cleanText(text);
  return sharedProject(clean) === null ? null : clean;
}

/** The longest line. A row is less than a tenth of it. Characters. */
const maxLine = 1 << 20;

/** Splits bytes into lines, wherever they are cut. */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  #rest = "";
  /** Whether the beginning of the line was dropped, as it is too long. */
  #isLong = false;

  /** @returns whole lines; null for one that is too long */
  add(bytes: Uint8Array): (string | null)[] {
    const lines: (string | null)[] = this.#decoder.decode(bytes, { stream: true }).split("\n");
    const last = lines.pop() ?? "";
    if (lines.length === 0) this.#keep(last);
    else {
      lines[0] = this.#whole(lines[0] ?? "");
      this.#rest = "";
      this.#isLong = false;
      this.#keep(last);
    }
    return lines
      .map((line) => (line !== null && line.length > maxLine ? null : line))
      .filter((line) => line !== "");
  }

  /** The bytes after the last line break: an interrupted line. */
  get rest(): string {
    return this.#rest;
  }

  #whole(end: string): string | null {
    return this.#isLong ? null : this.#rest + end;
  }

  #keep(text: string): void {
    this.#rest += text;
    if (this.#rest.length <= maxLine) return;
    this.#rest = "";
    this.#isLong = true;
  }
}
