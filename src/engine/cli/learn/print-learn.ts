import * as z from "zod/mini";
import { plural, t } from "../../base/language.ts";
import { wholeNumber } from "../../base/local-format.ts";
import { cleanText, cutMiddle } from "../../base/text.ts";
import {
  type LearnedItem,
  type LearningStatus,
  type TaskName,
  learnedItem,
  learningStatus,
  learnReport,
} from "../../continuity/learning-answers.ts";
import { describeTime } from "../terminal-text.ts";
import type { Style } from "../style.ts";
import { alignColumns, type Column, figures } from "../table.ts";
import { described } from "../../base/sentence-schema.ts";
import { sentTexts } from "../../ledger/learned.ts";
import { taskNames } from "../../continuity/learning.ts";

const count = z.int().check(z.nonnegative());

export const learnJson = z.object({
  schema: z.literal(1),
  service: described(z.optional(z.nullable(learningStatus)), "Null while no service runs: status."),
  tasks: described(
    z.optional(
      z.array(
        z.object({
          task: z.enum(taskNames),
          files: described(z.nullable(count), "Files that it has read; null for a task that reads none."),
          projects: described(
            z.nullable(count),
            "Projects of which it has concluded; null where it does not.",
          ),
        }),
      ),
    ),
    "In the order in which they are done: status.",
  ),
  told: described(
    z.optional(
      z.array(
        z.object({
          kind: z.enum(sentTexts),
          helped: described(count, "Taken, for an offer; else the prompt that it came with was completed."),
          ignored: count,
          helpsAtMost: described(z.number(), "Upper bound of the share that helps, 0 to 1."),
          isSilent: described(z.boolean(), "It helps too seldom and is not sent until it is woken."),
        }),
      ),
    ),
    "What continuity tells agents of itself: status; and the one of wake.",
  ),
  learned: described(z.optional(z.array(learnedItem)), "The best first: show; and the one of forget."),
  files: described(
    z.optional(
      z.array(
        z.object({
          project: z.string(),
          path: z.string(),
          score: count,
          reads: count,
          edits: count,
          sessions: count,
        }),
      ),
    ),
    "The working set, the most needed first: show.",
  ),
  report: described(z.optional(learnReport), "What was done: run."),
});
export type LearnJson = z.infer<typeof learnJson>;

interface Context {
  readonly style: Style;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** For a person. `purser learn run` takes the task's own name. */
const taskWords: Readonly<Record<TaskName, string>> = {
  LearnEffectiveness: t("Which advice helped"),
  BuildResumePacket: t("What a next session needs to know"),
  LearnSequences: t("Steps that precede success"),
  ClusterErrors: t("Errors that come again"),
  LearnRepairPatterns: t("What fixed an error"),
  LearnConventions: t("How things are done in the project"),
  UpdateWorkingSetRanking: t("Files that matter most"),
  BuildDeadEndMemory: t("What did not work"),
  ScoreArtifacts: t("Forget what is of no use"),
  ConsolidateEvents: t("Keep the ledger small"),
};

/** @param learned what is shown of it by `purser learn show` */
export function statusText(
  { service, tasks = [], told = [] }: LearnJson,
  learned: readonly LearnedItem[],
  { style, now }: Context,
): string {
  const state =
    service === undefined || service === null ? t("The service is not running.") : stateText(service, now);
  return `${readText(tasks, learned)}\n${state}\n${adviceTable(told, style)}`;
}

/** `Read 7 sessions of 1 project; learned 1 convention.` */
function readText(tasks: NonNullable<LearnJson["tasks"]>, learned: readonly LearnedItem[]): string {
  const sessions = Math.max(0, ...tasks.map(({ files }) => files ?? 0));
  const projects = Math.max(0, ...tasks.map((task) => task.projects ?? 0));
  const of = plural(projects, t("1 project"), t("{0} projects", wholeNumber(projects)));
  const read = plural(
    sessions,
    t("Read 1 session of {0}", of),
    t("Read {0} sessions of {1}", wholeNumber(sessions), of),
  );
  const counts = Object.entries(learnedCounts).flatMap(([kind, inWords]) => {
    const count = learned.filter((item) => item.kind === kind && item.state !== "forgotten").length;
    return count === 0 ? [] : [inWords(count)];
  });
  return counts.length === 0
    ? t("{0}; nothing was learned yet.", read)
    : t("{0}; learned {1}. {2} lists it.", read, counts.join(", "), "purser learn show");
}

const learnedCounts: Readonly<Record<LearnedItem["kind"], (count: number) => string>> = {
  convention: (count) => plural(count, t("1 convention"), t("{0} conventions", wholeNumber(count))),
  repair: (count) => plural(count, t("1 fix"), t("{0} fixes", wholeNumber(count))),
  sequence: (count) =>
    plural(count, t("1 step before success"), t("{0} steps before success", wholeNumber(count))),
  error: (count) => plural(count, t("1 recurring error"), t("{0} recurring errors", wholeNumber(count))),
  "dead-end": (count) => plural(count, t("1 dead end"), t("{0} dead ends", wholeNumber(count))),
};

type AdviceViews = NonNullable<LearnJson["told"]>;

const adviceNames: Readonly<Record<AdviceViews[number]["kind"], string>> = {
  "resume-packet": t("Resume packet"),
  "resume-offer": t("Offer of a resume packet"),
  "lost-facts": t("Facts lost in a compaction"),
};

function adviceTable(told: AdviceViews, style: Style): string {
  if (told.length === 0) return "";
  const columns: readonly Column[] = [
    { title: t("Told to agents") },
    ...figures(t("Helped"), t("Did not help")),
    { title: t("Helps"), fit: "wrap" },
  ];
  const rows = told.map(({ kind, helped, ignored, helpsAtMost, isSilent }) => [
    adviceNames[kind],
    wholeNumber(helped),
    wholeNumber(ignored),
    isSilent
      ? t(
          "at most {0}% of the time: agents no longer get it; {1} turns it on again",
          wholeNumber(helpsAtMost * 100),
          `purser learn wake ${kind}`,
        )
      : t("at most {0}% of the time", wholeNumber(helpsAtMost * 100)),
  ]);
  return `\n${alignColumns(columns, rows, style)}`;
}

const waits: Readonly<Record<NonNullable<LearningStatus["waitsFor"]>, string>> = {
  setting: t("Learning is off (setting learn)."),
  agents: t("Agents are working; learning waits until they are idle for a minute."),
  time: t("Nothing to do: it ran recently."),
  battery: t("Learning waits while the machine runs on battery."),
};

function stateText({ running, waitsFor, endedAt }: LearningStatus, now: number): string {
  const last = endedAt === null ? "" : ` ${t("Last run at {0}.", describeTime(endedAt, now))}`;
  if (running !== null) {
    const { task, done, of } = running;
    return of === 0
      ? t("Learning: {0}.", taskWords[task])
      : t("Learning: {0}, {1} of {2}.", taskWords[task], wholeNumber(done), wholeNumber(of));
  }
  return `${waitsFor === null ? t("Learning starts within a minute.") : waits[waitsFor]}${last}`;
}

const headings: Readonly<Record<LearnedItem["kind"], string>> = {
  convention: t("How things are done"),
  repair: t("What fixed errors"),
  sequence: t("What precedes success"),
  error: t("Recurring errors"),
  "dead-end": t("Dead ends"),
};

export function learnedText({ learned = [], files = [] }: LearnJson, style: Style): string {
  if (learned.length === 0 && files.length === 0)
    return `${t("Nothing has been learned yet. Start with purser learn run.")}\n`;
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
  const seen = seenText(times, sessions);
  const where = evidence
    .slice(0, 3)
    .map(
      ({ session, turns }) =>
        `${cutMiddle(cleanText(session), 12)}${turns.length === 0 ? "" : ` [${turns.join(", ")}]`}`,
    )
    .join(", ");
  const told =
    uses === 0 ? "" : `; ${t("reported {0} times, helped {1}", wholeNumber(uses), wholeNumber(helped))}`;
  const mark = state === "shown" ? "" : ` (${stateWords[state]})`;
  return [
    `    ${cleanText(text)}${mark}`,
    style.dim(
      `      ${id}  ${seen}: ${where}${told}; ${t("score {0}", score === null ? t("unknown") : wholeNumber(score))}`,
    ),
  ].join("\n");
}

const stateWords: Readonly<Record<LearnedItem["state"], string>> = {
  shown: "",
  kept: t("kept"),
  edited: t("edited"),
  forgotten: t("forgotten"),
};

function seenText(times: number, sessions: number): string {
  const [count, all] = [wholeNumber(times), wholeNumber(sessions)];
  return times === 1
    ? plural(sessions, t("1 time in 1 session"), t("1 time in {0} sessions", all))
    : plural(sessions, t("{0} times in 1 session", count), t("{0} times in {1} sessions", count, all));
}

const maxFiles = 10;

function filesText(files: NonNullable<LearnJson["files"]>, style: Style): string[] {
  if (files.length === 0) return [];
  return [
    `  ${t("Files, most needed first")}`,
    ...files
      .slice(0, maxFiles)
      .map(({ path, reads, edits, sessions }) =>
        [
          `    ${cleanText(path)}`,
          style.dim(
            `  ${plural(
              sessions,
              t("read {0}, edited {1} times in 1 session", wholeNumber(reads), wholeNumber(edits)),
              t(
                "read {0}, edited {1} times in {2} sessions",
                wholeNumber(reads),
                wholeNumber(edits),
                wholeNumber(sessions),
              ),
            )}`,
          ),
        ].join(""),
      ),
  ];
}
