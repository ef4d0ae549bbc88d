import * as z from "zod/mini";
import { plural, t } from "../../base/language.ts";
import { percent, wholeNumber } from "../../base/local-format.ts";
import { cellsOf, padCells } from "../text-cells.ts";
import { cleanText, cutMiddle } from "../../base/text.ts";
import { agentNames } from "../../transcripts/agents.ts";
import { describeTime } from "../terminal-text.ts";
import type { Style } from "../style.ts";
import { scorecard } from "../../continuity/continuity-answers.ts";
import { described } from "../../base/sentence-schema.ts";
import { lostKinds } from "../../ledger/entries.ts";

const thing = {
  kind: z.enum(lostKinds),
  text: z.string(),
  turn: described(z.int(), "The prompt after which it was last seen."),
};

export const sessionShowJson = z.object({
  schema: z.literal(1),
  session: z.string(),
  cli: z.nullable(z.string()),
  folder: described(z.nullable(z.string()), "The project's."),
  countedBefore: described(
    z.boolean(),
    "An earlier version counted what it used, and its transcript was not read since: mostly it is gone.",
  ),
  turn: described(
    z.nullable(z.int()),
    "Prompts so far. This and the figures of its work below are null where guards reported none.",
  ),
  asOf: described(z.nullable(z.string()), "ISO time of the last hook that this tells of."),
  phase: described(z.nullable(z.string()), "Warmup, Productive, Exploring, Struggling or Late."),
  trust: described(z.nullable(z.int()), "0 to 100."),
  focus: described(z.nullable(z.int()), "0 to 100."),
  calls: z.nullable(z.int()),
  errors: z.nullable(z.int()),
  switches: described(z.nullable(z.int()), "Edits in another part of the project than the edit before."),
  deadEnds: described(
    z.nullable(z.int()),
    "Actions that failed three times in the same way and have not succeeded since.",
  ),
  edited: described(z.nullable(z.int()), "Files."),
  verified: described(z.nullable(z.int()), "Edited files of which a check has passed since."),
  unverified: described(z.array(z.string()), "The other edited files, the newest first; the first few."),
  loop: described(z.nullable(z.string()), "The pattern that repeats."),
  percentLeft: described(z.nullable(z.number()), "Share of the context left; null where unknown."),
  thresholds: described(
    z.nullable(z.object({ repeats: z.int(), edits: z.int(), reads: z.int() })),
    "Repetitions, unverified edits, and reads without an edit after which guards tell the agent.",
  ),
  budget: described(
    z.nullable(z.object({ pieces: z.int(), characters: z.int() })),
    "The most that guards tell the agent in one turn.",
  ),
  compactions: described(
    z.array(
      z.object({
        id: z.string(),
        at: described(z.nullable(z.string()), "ISO time."),
        trigger: described(z.nullable(z.string()), "In the agent's own word."),
        kept: described(z.array(z.object(thing)), "What its summary says of what was known before it."),
        lost: z.array(
          z.object({
            ...thing,
            back: described(
              z.nullable(z.enum(["told", "chosen", "given"])),
              "told: the agent received it right after. chosen: you put it back, and the next prompt sends it. given: the agent has received it.",
            ),
          }),
        ),
      }),
    ),
    "Those that were compared, the newest first.",
  ),
  scorecard: described(
    z.nullable(scorecard),
    "What it took beside the user's own median; shares are 0 to 1. Null where the ledger does not know the session.",
  ),
});
export type SessionShowJson = z.infer<typeof sessionShowJson>;

/** Characters of a bar from 0 to 100, and of a name. */
const [barWidth, maxNameLength] = [20, 100];

export function showText(
  shown: SessionShowJson,
  { style, now }: { readonly style: Style; readonly now: number },
): string {
  const { session, cli, folder, turn, asOf } = shown;
  const time = asOf === null ? "" : `, ${t("as of {0}", describeTime(Date.parse(asOf), now))}`;
  const agent = cli === null ? "" : ` (${clean(agentNames.of(cli))})`;
  const turns = turn === null ? "" : `, ${t("turn {0}", wholeNumber(turn))}`;
  const rows = workRows(shown, style);
  if (shown.compactions.length > 0) rows.push([t("Compactions"), compactionsText(shown)]);
  const width = Math.max(...rows.map(([name]) => cellsOf(name)));
  return [
    `${style.bold(clean(session))}${agent}${turns}${time}`,
    ...(folder === null ? [] : [style.dim(clean(folder))]),
    ...(shown.countedBefore
      ? [style.dim(t("Counted by an earlier version; its transcript is not read again."))]
      : []),
    "",
    ...rows.map(([name, value]) => `${style.dim(padCells(name, width))}  ${value}`),
    ...lostLines(shown, style),
    "",
  ].join("\n");
}

type Row = [name: string, value: string];

function workRows(shown: SessionShowJson, style: Style): Row[] {
  const { phase, trust, focus, switches, errors, calls, loop, percentLeft, thresholds, budget } = shown;
  if (phase === null || trust === null || focus === null)
    return [[t("Work"), t("unknown: guards were off, or no hooks reported")]];
  const rows: Row[] = [
    [t("Phase"), phaseText(phase, style)],
    [t("Trust"), `${bar(trust)} ${t("{0} of 100", trust)}`],
    [t("Focus"), `${bar(focus)} ${focusText(focus, switches ?? 0)}`],
    [t("Files"), filesText(shown)],
    [t("Errors"), `${errorsText(errors ?? 0, calls ?? 0)}${deadEnds(shown, style)}`],
    [t("Loop"), loop === null ? t("none") : style.warning(clean(loop))],
    [t("Context left"), percentLeft === null ? t("unknown") : percent(percentLeft)],
  ];
  if (thresholds !== null)
    rows.push([
      t("Warned after"),
      [
        plural(thresholds.repeats, t("1 repetition"), t("{0} repetitions", wholeNumber(thresholds.repeats))),
        plural(
          thresholds.edits,
          t("1 unverified edit"),
          t("{0} unverified edits", wholeNumber(thresholds.edits)),
        ),
        plural(
          thresholds.reads,
          t("1 read without an edit"),
          t("{0} reads without an edit", wholeNumber(thresholds.reads)),
        ),
      ].join(", "),
    ]);
  if (budget !== null)
    rows.push([
      t("Warned at most"),
      plural(
        budget.pieces,
        t("1 piece of advice and {0} characters per turn", wholeNumber(budget.characters)),
        t(
          "{0} pieces of advice and {1} characters per turn",
          wholeNumber(budget.pieces),
          wholeNumber(budget.characters),
        ),
      ),
    ]);
  return rows;
}

function clean(text: string): string {
  return cutMiddle(cleanText(text), maxNameLength);
}

function bar(value: number): string {
  const full = Math.round((Math.min(100, Math.max(0, value)) * barWidth) / 100);
  return `${"█".repeat(full)}${"░".repeat(barWidth - full)}`;
}

function focusText(focus: number, switches: number): string {
  return plural(
    switches,
    t("{0} of 100; 1 change of focus", focus),
    t("{0} of 100; {1} changes of focus", focus, wholeNumber(switches)),
  );
}

function errorsText(errors: number, calls: number): string {
  const shown = wholeNumber(errors);
  return plural(calls, t("{0} of 1 call", shown), t("{0} of {1} calls", shown, wholeNumber(calls)));
}

function phaseText(phase: string, style: Style): string {
  const shown = clean(phase);
  return phase === "Struggling" || phase === "Late" ? style.warning(shown) : shown;
}

function filesText({ edited, verified, unverified }: SessionShowJson): string {
  if (edited === null || verified === null) return t("unknown");
  const more = edited - verified - unverified.length;
  const names = unverified.map(clean).join(", ");
  const [all, done] = [wholeNumber(edited), wholeNumber(verified)];
  if (names === "") return t("{0} edited, {1} of them verified", all, done);
  return more > 0
    ? t("{0} edited, {1} of them verified; not yet: {2} and {3} more", all, done, names, wholeNumber(more))
    : t("{0} edited, {1} of them verified; not yet: {2}", all, done, names);
}

function compactionsText({ compactions }: SessionShowJson): string {
  const [newest] = compactions;
  if (newest === undefined) return t("none");
  const [all, kept] = [wholeNumber(compactions.length), wholeNumber(newest.kept.length)];
  return plural(
    newest.lost.length,
    t("{0} compared; the newest kept {1} and lost 1 fact", all, kept),
    t("{0} compared; the newest kept {1} and lost {2} facts", all, kept, wholeNumber(newest.lost.length)),
  );
}

const backWords = {
  told: t("sent right after"),
  chosen: t("sent with the next prompt"),
  given: t("put back"),
} as const;

function lostLines({ compactions: [newest] }: SessionShowJson, style: Style): string[] {
  if (newest === undefined || newest.lost.length === 0) return [];
  return [
    "",
    style.dim(t("Lost in the newest compaction")),
    ...newest.lost.map(({ kind, text, back }) => {
      const state = back === null ? "" : style.dim(` (${backWords[back]})`);
      return `  ${kind.replace("_", " ")}: ${clean(text)}${state}`;
    }),
  ];
}

function deadEnds({ deadEnds: ends }: SessionShowJson, style: Style): string {
  return ends === null || ends === 0
    ? ""
    : style.warning(`; ${plural(ends, t("1 dead end"), t("{0} dead ends", wholeNumber(ends)))}`);
}
