import { compose, sentence } from "../../engine/base/language.ts";
import { pathToFileURL } from "node:url";
import * as z from "zod/mini";
import { parseJson } from "../../engine/base/parse.ts";
import { fail, succeed, type Result } from "../../engine/base/result.ts";
import type { LedgerEntry } from "../../engine/ledger/entries.ts";
import type { StoredJob } from "../../engine/jobs/queue.ts";

/** Everything that the sample consists of, as it is packed: see `npm run generate -- sample`. */
export interface SampleData {
  readonly version: 1;
  /** When the sample is opened, as all its times have it. Milliseconds since the epoch. */
  readonly moment: number;
  /** The project's folder and Claude Code's, as all its texts have them. */
  readonly workspace: string;
  readonly claude: string;
  /** Path below the sample's folder, with `/`, and text. A path may contain `{day TIME}`, `{time TIME}` and `{minute TIME}`. */
  readonly files: readonly (readonly [path: string, text: string])[];
  /** The ledger's entries that do not come from the agents' files or the jobs' runs. */
  readonly entries: readonly LedgerEntry[];
  readonly jobs: readonly StoredJob[];
}

const about = z.object({
  version: z.literal(1),
  moment: z.int(),
  workspace: z.string().check(z.minLength(1)),
  claude: z.string().check(z.minLength(1)),
});
const dataSchema = z.extend(about, {
  files: z.array(z.tuple([z.string().check(z.minLength(1)), z.string()])),
  // Their readers check them: the ledger its journal, the job queue its files.
  entries: z.array(z.custom<LedgerEntry>((value: unknown) => typeof value === "object" && value !== null)),
  jobs: z.array(z.custom<StoredJob>((value: unknown) => typeof value === "object" && value !== null)),
});

export interface SamplePlacement {
  /** When the sample is opened. Milliseconds since the epoch. */
  readonly now: number;
  /** Folders that take the place of the packed ones, with `/`. */
  readonly workspace: string;
  readonly claude: string;
}

export const isoTime = /(?<!\d)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/gu;
/** Milliseconds since the epoch, of this decade and the next. */
export const epochTime = /(?<![\d.\w-])[12]\d{12}(?![\d.\w])/gu;
/** The story's length, and more. Milliseconds. */
const [maxBefore, maxAfter] = [400 * 86_400_000, 2 * 86_400_000];

/** Reads the packed sample, with its times and folders replaced throughout, also in texts inside of texts. */
export function placeSample(
  text: string,
  { now, workspace, claude }: SamplePlacement,
): Result<SampleData, "damaged" | "unfit"> {
  const packed = about.safeParse(parseJson(text));
  if (!packed.success) return fail("damaged", sentence("the sample's file is not what was packed"));
  // They are put into JSON in several depths, where anything that needs escaping would be escaped differently.
  if (/["\\\p{Cc}]/u.test(workspace + claude))
    return fail(
      "unfit",
      compose`${workspace} has a quotation mark, a backslash or a control character in its name`,
    );
  const shift = now - packed.data.moment;
  const isOfStory = (time: number) =>
    time > packed.data.moment - maxBefore && time < packed.data.moment + maxAfter;
  const moved = text
    .replace(isoTime, (time) => new Date(Date.parse(time) + shift).toISOString())
    .replace(epochTime, (time) => (isOfStory(Number(time)) ? String(Number(time) + shift) : time))
    .replaceAll(packed.data.claude, () => claude)
    .replaceAll(`file://${packed.data.workspace}`, () => pathToFileURL(workspace).href)
    .replaceAll(packed.data.workspace, () => workspace);
  const placed = dataSchema.safeParse(parseJson(moved));
  if (!placed.success) return fail("damaged", sentence("the sample's file is not what was packed"));
  return succeed(placed.data);
}
