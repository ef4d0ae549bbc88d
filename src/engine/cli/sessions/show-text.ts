import { percent, wholeNumber } from "../../base/text/format.ts";
import { cleanText, cutMiddle } from "../../base/text/text.ts";
import { agentNames } from "../../transcripts/agents.ts";
import { describeTime } from "../describe-time.ts";
import type { Style } from "../style.ts";
import type { SessionShowJson } from "./show-schema.ts";

/** Characters of a bar from 0 to 100, and of a name. */
const [barWidth, longestName] = [20, 100];

/** Formats the state of a session's work for a person. */
export function showText(
  shown: SessionShowJson,
  { style, now }: { readonly style: Style; readonly now: number },
): string {
  const { session, cli, folder, turn, asOf } = shown;
  const time = asOf === null ? "" : `, as of ${describeTime(Date.parse(asOf), now)}`;
  const agent = cli === null ? "" : ` (${clean(agentNames.of(cli))})`;
  const turns = turn === null ? "" : `, turn ${wholeNumber(turn)}`;
  const rows = workRows(shown, style);
  if (shown.compactions.length > 0) rows.push(["Compactions", compactionsText(shown)]);
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `${style.bold(clean(session))}${agent}${turns}${time}`,
    ...(folder === null ? [] : [style.dim(clean(folder))]),
    "",
    ...rows.map(([name, value]) => `${style.dim(name.padEnd(width))}  ${value}`),
    ...lostLines(shown, style),
    "",
  ].join("\n");
}

type Row = [name: string, value: string];

/** How the work goes, as guards tell. */
function workRows(shown: SessionShowJson, style: Style): Row[] {
  const { phase, trust, focus, switches, errors, calls, loop, percentLeft, thresholds, budget } = shown;
  if (phase === null || trust === null || focus === null)
    return [["Work", "unknown: guards were off, or no hooks reported"]];
  const rows: Row[] = [
    ["Phase", phaseText(phase, style)],
    ["Trust", `${bar(trust)} ${trust} of 100`],
    ["Focus", `${bar(focus)} ${focus} of 100; ${counted(switches ?? 0, "change")} of focus`],
    ["Files", filesText(shown)],
    ["Errors", `${wholeNumber(errors ?? 0)} of ${counted(calls ?? 0, "call")}${deadEnds(shown, style)}`],
    ["Loop", loop === null ? "none" : style.warning(clean(loop))],
    ["Context left", percentLeft === null ? "unknown" : percent(percentLeft)],
  ];
  if (thresholds !== null)
    rows.push([
      "Warned after",
      `${counted(thresholds.repeats, "repetition")}, ${counted(thresholds.edits, "unverified edit")}, ${counted(thresholds.reads, "read")} without an edit`,
    ]);
  if (budget !== null)
    rows.push([
      "Warned at most",
      `${counted(budget.pieces, "piece")} of advice and ${wholeNumber(budget.characters)} characters per turn`,
    ]);
  return rows;
}

function clean(text: string): string {
  return cutMiddle(cleanText(text), longestName);
}

function bar(value: number): string {
  const full = Math.round((Math.min(100, Math.max(0, value)) * barWidth) / 100);
  return `${"█".repeat(full)}${"░".repeat(barWidth - full)}`;
}

function counted(count: number, thing: string): string {
  return `${wholeNumber(count)} ${thing}${count === 1 ? "" : "s"}`;
}

function phaseText(phase: string, style: Style): string {
  const shown = clean(phase);
  return phase === "Struggling" || phase === "Late" ? style.warning(shown) : shown;
}

function filesText({ edited, verified, unverified }: SessionShowJson): string {
  if (edited === null || verified === null) return "unknown";
  const more = edited - verified - unverified.length;
  const names = unverified.map(clean).join(", ");
  const open = names === "" ? "" : `; not yet: ${names}${more > 0 ? ` and ${wholeNumber(more)} more` : ""}`;
  return `${wholeNumber(edited)} edited, ${wholeNumber(verified)} of them verified${open}`;
}

function compactionsText({ compactions }: SessionShowJson): string {
  const [newest] = compactions;
  if (newest === undefined) return "none";
  return `${wholeNumber(compactions.length)} compared; the newest kept ${wholeNumber(newest.kept.length)} and lost ${counted(newest.lost.length, "fact")}`;
}

/** The fate of a lost item. */
const backWords = { told: "told right after", chosen: "told at the next prompt", given: "put back" } as const;

/** The lost items of the newest compaction, a line each. */
function lostLines({ compactions: [newest] }: SessionShowJson, style: Style): string[] {
  if (newest === undefined || newest.lost.length === 0) return [];
  return [
    "",
    style.dim("Lost in the newest compaction"),
    ...newest.lost.map(({ kind, text, back }) => {
      const state = back === null ? "" : style.dim(` (${backWords[back]})`);
      return `  ${kind.replace("_", " ")}: ${clean(text)}${state}`;
    }),
  ];
}

function deadEnds({ deadEnds: ends }: SessionShowJson, style: Style): string {
  return ends === null || ends === 0 ? "" : style.warning(`; ${counted(ends, "dead end")}`);
}
