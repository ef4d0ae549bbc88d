import { wholeNumber } from "../../base/text/format.ts";
import { cleanText, cutMiddle } from "../../base/text/text.ts";
import { describeTime } from "../describe-time.ts";
import type { Style } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";
import { effectTable } from "./print-effects.ts";
import type { GuardJson } from "./schema.ts";

type Rule = NonNullable<GuardJson["rules"]>[number];

/** Characters. */
const [longestExcerpt, longestName] = [70, 60];

export function listRules(rules: readonly Rule[], style: Style): string {
  if (rules.length === 0) return "This family has no rules on calls.\n";
  const columns: readonly Column[] = [
    { title: "Rule" },
    { title: "Family", dropped: 1 },
    { title: "Does" },
    { title: "About", fit: "end", least: 36 },
  ];
  const rows = rules.map(({ id, family, action, message }) => [id, family, action, cleanText(message)]);
  return `${alignColumns(columns, rows, style)}\n${wholeNumber(rules.length)} rules. purser guard explain ID explains one.\n`;
}

export function explainRule(
  { id, family, action, message, remedy, fires, passes }: Rule,
  style: Style,
): string {
  const does = { advise: "advises the agent", ask: "asks you first", deny: "denies the call" }[action];
  const examples = (title: string, calls: readonly string[]) =>
    calls.length === 0
      ? ""
      : `${style.bold(title)}\n${calls.map((call) => `  ${call.split("\n").map(cleanText).join("\n    ")}`).join("\n")}\n`;
  return [
    `${style.bold(id)} (${family}) ${does} when its family is on.\n`,
    `${cleanText(message)}\n${cleanText(remedy)}\n`,
    examples("Fires on", fires),
    examples("Does not fire on", passes),
  ].join("\n");
}

export function modeTable(modes: NonNullable<GuardJson["modes"]>, style: Style): string {
  const columns = [{ title: "Family" }, { title: "Mode" }, { title: "Rules", isFigure: true }];
  return alignColumns(
    columns,
    modes.map(({ family, mode, rules }) => [family, mode, wholeNumber(rules)]),
    style,
  );
}

const deedNames: Readonly<Record<string, string>> = {
  silent: "silent",
  observed: "only observed",
  advised: "advised",
  replaced: "shortened",
  repeated: "already said",
  withheld: "withheld (enough said in this turn)",
  asked: "asked",
  denied: "denied",
};

export function statusText(
  { modes = [], counts = [], hits = [], effects = [], outputs }: GuardJson,
  { style, now }: { readonly style: Style; readonly now: number },
): string {
  const parts = [modeTable(modes, style)];
  if (counts.length === 0) parts.push("No rule has fired in this time.\n");
  else {
    const columns: readonly Column[] = [
      { title: "Rule", most: longestName, fit: "end" },
      { title: "Action", fit: "end" },
      { title: "Calls", isFigure: true },
      { title: "Last" },
    ];
    const rows = counts.map(({ rule, done, count, lastAt }) => [
      cleanText(rule),
      deedNames[done] ?? cleanText(done),
      wholeNumber(count),
      lastAt === null ? "unknown" : describeTime(lastAt, now),
    ]);
    parts.push(alignColumns(columns, rows, style));
    parts.push(savedText(counts));
    const lines = hits.map(({ rule, excerpt }) => [cleanText(rule), cleanText(excerpt ?? "")]);
    const ofCalls: readonly Column[] = [
      { title: "Fired on", most: longestName, fit: "end" },
      { title: "The newest calls", most: longestExcerpt, fit: "middle", least: 24 },
    ];
    parts.push(alignColumns(ofCalls, lines, style));
  }
  if (effects.length > 0) parts.push(effectTable(effects, style));
  parts.push(outputs === undefined ? "" : leftAloneText(outputs));
  return parts.filter((part) => part !== "").join("\n");
}

function savedText(counts: NonNullable<GuardJson["counts"]>): string {
  const savedBy = (isDone: boolean) =>
    counts.reduce(
      (sum, { done, savedBytes }) => ((done === "replaced") === isDone ? sum + savedBytes : sum),
      0,
    );
  const [done, possible] = [savedBy(true), savedBy(false)];
  const lines = [
    ...(done > 0
      ? [`Outputs were shortened by ${wholeNumber(done)} bytes. purser output lists the originals.`]
      : []),
    ...(possible > 0
      ? [`Outputs could have been shortened by ${wholeNumber(possible)} bytes${done > 0 ? " more" : ""}.`]
      : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Tells why outputs are left alone although their family is on. */
function leftAloneText({ besides, rivals, resting }: NonNullable<GuardJson["outputs"]>): string {
  const lines: string[] = [];
  if (rivals.length > 0) {
    const does = besides
      ? "outputs are shortened anyway, and the last answer wins (guardOutputsBesideHooks)"
      : "outputs in this folder are not shortened (change this with the setting guardOutputsBesideHooks)";
    lines.push(`Other hooks of Claude Code may replace outputs, so ${does}:`);
    for (const { file, matcher } of rivals)
      lines.push(`  ${cleanText(file)}: PostToolUse ${cutMiddle(cleanText(matcher), longestName)}`);
  }
  for (const { command, compressor } of resting)
    lines.push(
      `Outputs of ${JSON.stringify(cleanText(command))} are no longer shortened by ${cleanText(compressor)} because their originals were often asked for. To shorten them again: purser output on ${JSON.stringify(cleanText(command))}`,
    );
  return lines.map((line) => `${line}\n`).join("");
}
