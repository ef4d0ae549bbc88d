import { aboutDollars, percent, shortNumber, wholeNumber } from "../../base/text/format.ts";
import { cleanText, cutMiddle } from "../../base/text/text.ts";
import type { Measure, MeasureName, Scorecard } from "../../continuity/answers.ts";
import type { Style } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";

/** Characters of a line, and lines of what was done and what is open. */
const [longestLine, mostLines] = [110, 6];

const names: Readonly<Record<MeasureName, string>> = {
  tokens: "New tokens per completed prompt",
  usd: "Cost per completed prompt",
  cache: "Read from cache",
  rereads: "Repeated file reads",
  failures: "Failed calls",
  loops: "Loops",
  compactions: "Compactions",
  unverified: "Edited files not checked since",
};

const columns: readonly Column[] = [
  { title: "Compared with your sessions" },
  { title: "This session", isFigure: true },
  { title: "Your median", isFigure: true },
];

/** Formats what a session came to beside the user's own median. Empty for a session without a prompt. */
export function scorecardText(scorecard: Scorecard, style: Style): string {
  const { prompts, completed, basis, measures, savedByGuards, savedByHandover, savedByPacket, done, open } =
    scorecard;
  if (prompts === 0) return "";
  const rows = measures.map((measure) => [
    names[measure.name],
    shown(measure.name, measure.value),
    shown(measure.name, measure.usual),
  ]);
  const saved = [
    ...(savedByGuards === null ? [] : [`~${shortNumber(savedByGuards)} tokens by guards`]),
    ...(savedByHandover === null ? [] : [`~${shortNumber(savedByHandover)} tokens by a handover`]),
    ...(savedByPacket === null ? [] : [`~${shortNumber(savedByPacket)} tokens by a packet`]),
  ];
  return [
    alignColumns(columns, rows, style).trimEnd(),
    `${counted(completed, "completed prompt")} of ${wholeNumber(prompts)}. ${basisText(basis)}`,
    ...(saved.length === 0 ? [] : [`Saved: ${saved.join(", ")}`]),
    ...lines("Done", done),
    ...lines("Still open", open),
    "",
  ].join("\n");
}

function basisText(basis: Scorecard["basis"]): string {
  if (basis === null) return "No median yet: fewer than 5 other sessions.";
  const where = basis.of === "project" ? "in this project" : "with this agent";
  return `Compared with ${counted(basis.sessions, "other session")} of yours ${where}.`;
}

function shown(name: MeasureName, value: Measure["value"]): string {
  if (value === null) return "unknown";
  switch (name) {
    case "tokens":
      return wholeNumber(value);
    case "usd":
      return aboutDollars(value);
    case "loops":
    case "compactions":
      return Number.isInteger(value) ? wholeNumber(value) : value.toFixed(1);
    case "cache":
    case "rereads":
    case "failures":
    case "unverified":
      return percent(value * 100);
  }
}

function lines(title: string, all: readonly string[]): string[] {
  if (all.length === 0) return [];
  const more = all.length > mostLines ? [`  and ${wholeNumber(all.length - mostLines)} more`] : [];
  const newest = all.slice(-mostLines).map((line) => `  ${cutMiddle(cleanText(line), longestLine)}`);
  return [`${title}:`, ...newest, ...more];
}

function counted(count: number, thing: string): string {
  return `${wholeNumber(count)} ${thing}${count === 1 ? "" : "s"}`;
}
