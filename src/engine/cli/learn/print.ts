import { wholeNumber } from "../../base/text/format.ts";
import { cleanText, cutMiddle } from "../../base/text/text.ts";
import type { LearnedItem, LearningStatus } from "../../continuity/answers/learn.ts";
import { describeTime } from "../describe-time.ts";
import type { Style } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";
import type { LearnJson } from "./schema.ts";

interface Context {
  readonly style: Style;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export function statusText({ service, tasks = [], told = [] }: LearnJson, { style, now }: Context): string {
  const columns = [
    { title: "Task" },
    { title: "Files read", isFigure: true },
    { title: "Projects", isFigure: true },
  ];
  const rows = tasks.map(({ task, files, projects }) => [
    task,
    files === null ? "" : wholeNumber(files),
    projects === null ? "" : wholeNumber(projects),
  ]);
  const state =
    service === undefined || service === null ? "The service is not running." : stateText(service, now);
  return `${state}\n\n${alignColumns(columns, rows, style)}${toldTable(told, style)}`;
}

type Told = NonNullable<LearnJson["told"]>;

const toldNames: Readonly<Record<Told[number]["kind"], string>> = {
  "resume-packet": "Resume packet",
  "resume-offer": "Offer of a resume packet",
  "lost-facts": "Facts lost in a compaction",
};

/** Returns the lines on how far continuity's own texts to agents helped; empty where nothing is known. */
function toldTable(told: Told, style: Style): string {
  if (told.length === 0) return "";
  const columns: readonly Column[] = [
    { title: "Told to agents" },
    { title: "Helped", isFigure: true },
    { title: "Did not help", isFigure: true },
    { title: "Helps", fit: "wrap" },
  ];
  const rows = told.map(({ kind, helped, ignored, helpsAtMost, isSilent }) => [
    toldNames[kind],
    wholeNumber(helped),
    wholeNumber(ignored),
    `at most ${wholeNumber(helpsAtMost * 100)} %${isSilent ? `: silent; purser learn wake ${kind} reactivates it` : ""}`,
  ]);
  return `\n${alignColumns(columns, rows, style)}`;
}

const waits: Readonly<Record<NonNullable<LearningStatus["waitsFor"]>, string>> = {
  setting: "Learning is off (setting learn).",
  agents: "Agents are working; learning waits until they are idle for a minute.",
  time: "Nothing to do: it ran recently.",
  battery: "Learning waits while the machine runs on battery.",
};

function stateText({ running, waitsFor, endedAt }: LearningStatus, now: number): string {
  const last = endedAt === null ? "" : ` Last run at ${describeTime(endedAt, now)}.`;
  if (running !== null) {
    const { task, done, of } = running;
    return `${task} is running${of === 0 ? "" : `: ${wholeNumber(done)} of ${wholeNumber(of)}`}.`;
  }
  return `${waitsFor === null ? "Learning starts within a minute." : waits[waitsFor]}${last}`;
}

const headings: Readonly<Record<LearnedItem["kind"], string>> = {
  convention: "How things are done",
  repair: "What fixed errors",
  sequence: "What precedes success",
  error: "Recurring errors",
  "dead-end": "Dead ends",
};

/** Learned facts by project and kind, each with its evidence. */
export function learnedText({ learned = [], files = [] }: LearnJson, style: Style): string {
  if (learned.length === 0 && files.length === 0)
    return "Nothing has been learned yet. Start with purser learn run.\n";
  const projects = [...new Set([...learned, ...files].map(({ project }) => project))].toSorted();
  const parts = projects.flatMap((project) => [
    style.bold(cleanText(project)),
    ...Object.entries(headings).flatMap(([kind, heading]) => {
      const own = learned.filter((each) => each.project === project && each.kind === kind);
      return own.length === 0 ? [] : [`  ${heading}`, ...own.map((item) => itemText(item, style))];
    }),
    ...filesText(
      files.filter((file) => file.project === project),
      style,
    ),
    "",
  ]);
  return `${parts.join("\n")}\n`;
}

function itemText(
  { id, text, sessions, times, evidence, score, state, uses, helped }: LearnedItem,
  style: Style,
): string {
  const seen = `${wholeNumber(times)} ${times === 1 ? "time" : "times"} in ${wholeNumber(sessions)} ${sessions === 1 ? "session" : "sessions"}`;
  const where = evidence
    .slice(0, 3)
    .map(
      ({ session, turns }) =>
        `${cutMiddle(cleanText(session), 12)}${turns.length === 0 ? "" : ` [${turns.join(", ")}]`}`,
    )
    .join(", ");
  const told = uses === 0 ? "" : `; told ${wholeNumber(uses)} times, helped ${wholeNumber(helped)}`;
  const mark = state === "shown" ? "" : ` (${state})`;
  return [
    `    ${cleanText(text)}${mark}`,
    style.dim(
      `      ${id}  ${seen}: ${where}${told}; score ${score === null ? "unknown" : wholeNumber(score)}`,
    ),
  ].join("\n");
}

/** Most files that are printed. */
const mostFiles = 10;

function filesText(files: NonNullable<LearnJson["files"]>, style: Style): string[] {
  if (files.length === 0) return [];
  return [
    "  Files, most needed first",
    ...files
      .slice(0, mostFiles)
      .map(({ path, reads, edits, sessions }) =>
        [
          `    ${cleanText(path)}`,
          style.dim(
            `  read ${wholeNumber(reads)}, edited ${wholeNumber(edits)} times in ${wholeNumber(sessions)} ${sessions === 1 ? "session" : "sessions"}`,
          ),
        ].join(""),
      ),
  ];
}
