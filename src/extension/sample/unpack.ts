import path from "node:path";
import * as z from "zod/mini";
import { mkdir, readFile, utimes, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { purserPaths } from "../../engine/base/paths.ts";
import { type Result, succeed, fail } from "../../engine/base/result.ts";
import { entriesOfRun } from "../../engine/bench/bench-entries.ts";
import {
  LineWriter,
  journalFormat,
  encodeHeader,
  journalFolderName,
  segmentPath,
} from "../../engine/ledger/journal.ts";
import type { LedgerEntry } from "../../engine/ledger/entries.ts";
import { groupBy } from "../../engine/base/numbers.ts";
import { findDefinition, agree, agentPlace, pastState } from "../../engine/recurring/agents.ts";
import { writePrivateFile } from "../../engine/base/private-files.ts";
import { wakeRow } from "../../engine/ledger/woken.ts";
import { parseJson, readJson } from "../../engine/base/parse.ts";
import type { StoredJob } from "../../engine/jobs/queue.ts";
import { type Receipt, sealReceipt, receiptSchema, receiptToMarkdown } from "../../engine/verdict/receipt.ts";
import { compose, sentence } from "../../engine/base/language.ts";
import { pathToFileURL } from "node:url";
import { lengthened } from "./lengthen.ts";

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

interface SamplePlacement {
  /** When the sample is opened. Milliseconds since the epoch. */
  readonly now: number;
  /** Folders that take the place of the packed ones, with `/`. */
  readonly workspace: string;
  readonly claude: string;
}

const isoTime = /(?<!\d)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/gu;
/** Milliseconds since the epoch, of this decade and the next. */
const epochTime = /(?<![\d.\w-])[12]\d{12}(?![\d.\w])/gu;
/** The story's length, and more. Milliseconds. */
const [maxBefore, maxAfter] = [400 * 86_400_000, 2 * 86_400_000];

/** Reads the packed sample, with its times and folders replaced throughout, also in texts inside of texts. */
export function placeSample(
  text: string,
  { now, workspace, claude }: SamplePlacement,
): Result<SampleData, "damaged" | "unfit"> {
  const packed = readJson(about, text);
  if (packed === null) return fail("damaged", sentence("the sample's file is not what was packed"));
  // They are put into JSON in several depths, where anything that needs escaping would be escaped differently.
  if (/["\\\p{Cc}]/u.test(workspace + claude))
    return fail(
      "unfit",
      compose`${workspace} has a quotation mark, a backslash or a control character in its name`,
    );
  const shift = now - packed.moment;
  const isOfStory = (time: number) => time > packed.moment - maxBefore && time < packed.moment + maxAfter;
  const moved = text
    .replace(isoTime, (time) => new Date(Date.parse(time) + shift).toISOString())
    .replace(epochTime, (time) => (isOfStory(Number(time)) ? String(Number(time) + shift) : time))
    .replaceAll(packed.claude, () => claude)
    .replaceAll(`file://${packed.workspace}`, () => pathToFileURL(workspace).href)
    .replaceAll(packed.workspace, () => workspace);
  const placed = readJson(dataSchema, moved);
  if (placed === null) return fail("damaged", sentence("the sample's file is not what was packed"));
  return succeed(placed);
}

const factsOf = z.omit(receiptSchema, { seal: true });
const sealed = z.looseObject({ seal: z.string() });

/**
 * Seals the sample's receipts again. Only their times changed, with the moment at which the sample is opened.
 */
function resealReceipts(data: SampleData): SampleData {
  const receipts = new Map<string, Receipt>();
  const entries = data.entries.map((entry): LedgerEntry => {
    if (entry.kind !== "receipt" || !sealed.safeParse(parseJson(entry.json)).success) return entry;
    const receipt = sealReceipt(factsOf.parse(parseJson(entry.json)));
    receipts.set(receipt.id, receipt);
    return { ...entry, json: JSON.stringify(receipt) };
  });
  return { ...data, entries, jobs: data.jobs.map((job) => withReceipts(job, receipts)) };
}

function withReceipts(job: StoredJob, receipts: ReadonlyMap<string, Receipt>): StoredJob {
  const { comparison, selection } = job;
  const withNewReceipt = <
    Result extends { readonly receipt: { readonly id: string; readonly markdown: string } } | null,
  >(
    result: Result,
  ): Result => {
    const receipt = result === null ? undefined : receipts.get(result.receipt.id);
    if (result === null || receipt === undefined) return result;
    return { ...result, receipt: { ...result.receipt, markdown: receiptToMarkdown(receipt) } };
  };
  return {
    ...job,
    ...(comparison === undefined
      ? {}
      : { comparison: { ...comparison, result: withNewReceipt(comparison.result) } }),
    ...(selection === undefined
      ? {}
      : {
          selection: {
            ...selection,
            rules: selection.rules.map((rule) => ({ ...rule, result: withNewReceipt(rule.result) })),
            ...(selection.set === undefined
              ? {}
              : { set: { ...selection.set, result: withNewReceipt(selection.set.result) } }),
          },
        }),
  };
}

/** Folders of a sample, below its own. */
export interface SampleHomes {
  /** The sample's folder: the user's home folder as far as its service knows. */
  readonly root: string;
  /** The made-up project. */
  readonly workspace: string;
  /** The environment of its service: every agent's home, and purser's own, are in the sample's folder. */
  readonly env: Readonly<Record<string, string>>;
  /** Claude Code's configuration folder, with the agents' memories. */
  readonly claude: string;
}

export function sampleHomes(folder: string): SampleHomes {
  const below = (name: string) => path.join(folder, name);
  return {
    root: folder,
    workspace: below("harbor"),
    claude: below("claude"),
    env: {
      PURSER_SAMPLE: folder,
      PURSER_HOME: below("purser"),
      // Without clients its service soon ends, even if it cannot tell whether its window lives.
      PURSER_IDLE_MINUTES: "1",
      HOME: folder,
      USERPROFILE: folder,
      APPDATA: below("appdata"),
      LOCALAPPDATA: below("appdata"),
      XDG_CONFIG_HOME: below("config"),
      XDG_DATA_HOME: below("data"),
      XDG_STATE_HOME: below("state"),
      CLAUDE_CONFIG_DIR: below("claude"),
      CODEX_HOME: below("codex"),
      COPILOT_HOME: below("copilot"),
      GEMINI_CLI_HOME: below("gemini"),
    },
  };
}

interface WriteInput {
  /** The packed sample, and the fixture that its runs started from. */
  readonly packed: string;
  readonly fixture: string;
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const inflate = promisify(brotliDecompress);

/** Unpacks the sample into its folder, as if it had happened in the weeks until now. */
export async function writeSample({ packed, fixture, folder, now }: WriteInput): Promise<Result<void>> {
  const text = (await inflate(await readFile(packed))).toString("utf8");
  const homes = sampleHomes(folder);
  const slashed = (each: string) => each.replaceAll(path.sep, "/");
  const placed = placeSample(text, {
    now,
    workspace: slashed(homes.workspace),
    claude: slashed(homes.claude),
  });
  if (!placed.ok) return placed;
  const sample = resealReceipts(placed.value);
  await mkdir(homes.workspace, { recursive: true, mode: 0o700 });
  for (const [name, content] of sample.files) {
    const isTranscript = name.startsWith("claude/projects/") && name.endsWith(".jsonl");
    await writeText(path.join(folder, withTimes(name)), isTranscript ? lengthened(content) : content, now);
  }
  const { folder: home, benches, wakes } = purserPaths({ env: homes.env, home: folder });
  for (const job of sample.jobs) {
    await writeText(path.join(benches, job.id, "job.json"), `${JSON.stringify(job)}\n`, now);
    const suite = { suite: { fixture } };
    for (const bench of new Set(job.runs.map(({ benchId }) => benchId)))
      await writeText(path.join(benches, bench, "bench.json"), `${JSON.stringify(suite)}\n`, now);
  }
  await writeJournal(path.join(home, journalFolderName), entriesOf(sample));
  return writeAgentStates(sample.entries, { wakes, workspace: homes.workspace, now });
}

/** What the ledger would have recorded: runs in the order in which they were made. */
function entriesOf({ entries, jobs }: SampleData): LedgerEntry[] {
  const runs = jobs.flatMap((job) => job.runs).toSorted((one, other) => one.startedAt - other.startedAt);
  return [...entries, ...runs.flatMap(entriesOfRun)];
}

async function writeJournal(folder: string, entries: readonly LedgerEntry[]): Promise<void> {
  const lines = new LineWriter();
  for (const [index, entry] of entries.entries()) lines.add({ number: index + 1, entry });
  const header = encodeHeader({ journal: journalFormat, after: 0, first: 1 });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(segmentPath(folder, 1, 0), Buffer.concat([Buffer.from(header), lines.bytes()]), {
    mode: 0o600,
  });
}

/** Writes a file that was last changed when the last thing in it happened. */
async function writeText(file: string, text: string, now: number): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, text, { mode: 0o600 });
  const times = [
    ...[...text.matchAll(isoTime)].map(([time]) => Date.parse(time)),
    ...[...text.matchAll(epochTime)].map(([time]) => Number(time)),
  ];
  const last = new Date(Math.max(...times.filter((time) => time <= now), now - maxAge));
  await utimes(file, last, last);
}

/** The age of a file without any time. Milliseconds. */
const maxAge = 40 * 86_400_000;

/** A rollout's folder is named after its local day, its file after its local time; a chat of Gemini CLI after a minute in UTC. */
function withTimes(name: string): string {
  return name.replace(/\{(day|time|minute) ([^{}]*)\}/gu, (_, kind: string, time: string) => {
    const at = new Date(time);
    if (kind === "minute") return at.toISOString().slice(0, "2026-11-02T12:00".length).replace(":", "-");
    const two = (value: number) => String(value).padStart(2, "0");
    const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())];
    if (kind === "day") return date.join("/");
    return `${date.join("-")}T${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join("-")}`;
  });
}

/**
 * Writes what purser remembers of the sample's recurring agents: the sessions and wakes that the ledger has, and that their files are agreed to. Their
 * folder's name depends on where the sample is.
 *
 * @param wakes the folder of all agents' states
 */
function writeAgentStates(
  entries: readonly LedgerEntry[],
  { wakes, workspace, now }: { readonly wakes: string; readonly workspace: string; readonly now: number },
): Result<void> {
  const rows = entries.flatMap((entry) => (entry.kind === "wake" ? [wakeRow.parse(entry)] : []));
  for (const [name, own] of groupBy(rows, ({ agent }) => agent)) {
    const found = findDefinition(workspace, name);
    if (!found.ok || !found.value.read.ok) continue;
    const agent = found.value.read.value;
    const place = agentPlace(wakes, workspace, name);
    const agreed = agree(place, { definition: agent.hash, checks: [], at: own[0]?.at ?? now });
    if (!agreed.ok) return agreed;
    const state = pastState(own, { folder: workspace, sessionHash: agent.sessionHash, lastSlot: now });
    writePrivateFile(place.state, JSON.stringify(state));
  }
  return succeed(undefined);
}
