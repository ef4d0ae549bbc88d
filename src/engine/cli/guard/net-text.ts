import { plural, t } from "../../base/language.ts";
import { confidenceLevel } from "../../base/confidence.ts";
import { dollars, estimatedNumber, percent, wholeNumber } from "../../base/local-format.ts";
import { cleanText } from "../../base/text.ts";
import type { NetFigures, NetRow, NetView, RestingFormat } from "../../guard/guard-answers.ts";
import type { Style } from "../style.ts";
import { alignColumns, figures, type Column } from "../table.ts";

const maxNameLength = 44;
/** Rows of one table. */
const maxRows = 12;

/** Describes the savings of shortened outputs, the calls that followed, and the formats that are switched off. */
export function netText({ total, tools, programs, formats, resting }: NetView, style: Style): string {
  if (total.outputs + total.pending === 0)
    return [`${t("No output has been shortened in this time.")}\n`, restingText(resting)].join("");
  const dearer = dollarsText(total);
  const sum = [
    t("gross {0}", tokens(total.gross)),
    t("minus {0}", tokens(total.minus)),
    style.bold(t("net {0}", tokens(total.net))),
    intervalText(total),
    ...(dearer === null ? [] : [dearer]),
  ].join(" · ");
  const parts = [
    style.bold(t("Tokens that shorter outputs saved, estimated")),
    `  ${sum}`,
    `  ${outputsText(total)}`,
    ...followUpLines(total).map((line) => `  ${line}`),
    `  ${t("A token saved is a token at the price of new input: what is written to a cache, read from it and answered counts by its price.")}`,
    "",
  ];
  return [
    parts.join("\n"),
    netTable(t("Program"), programs, style),
    netTable(t("Format"), formats, style),
    netTable(t("Tool"), tools, style),
    restingText(resting),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** Gross, minus and net in one line. */
export function netLine(total: NetFigures): string {
  return `${t(
    "That saved {0} tokens net ({1}): {2} gross, minus {3} for what followed. purser guard effects has more.",
    tokens(total.net),
    intervalText(total),
    tokens(total.gross),
    tokens(total.minus),
  )}\n`;
}

function outputsText({ outputs, pending, sessions, leftOut, requests }: NetFigures): string {
  const known = t(
    "outputs: {0}; sessions: {1}; tokens left out: {2}; requests that would have carried them: {3}",
    wholeNumber(outputs),
    wholeNumber(sessions),
    tokens(leftOut),
    wholeNumber(requests),
  );
  if (pending === 0) return known;
  return `${known}; ${plural(
    pending,
    t("1 more, after which no request is known"),
    t("{0} more, after which no request is known", wholeNumber(pending)),
  )}`;
}

function followUpLines({ fetched, again, narrower, error }: NetFigures): string[] {
  const followed = [
    [fetched, t("{0}× the original fetched: {1} tokens", times(fetched), tokens(fetched.tokens))],
    [again, t("{0}× the same command again: {1} tokens", times(again), tokens(again.tokens))],
    [narrower, t("{0}× a narrower command: {1} tokens", times(narrower), tokens(narrower.tokens))],
    [error, t("{0}× the same error again: {1} tokens", times(error), tokens(error.tokens))],
  ] as const;
  const lines = followed.filter(([{ calls }]) => calls > 0).map(([, line]) => line);
  return lines.length === 0 ? [t("nothing followed that counts against it")] : lines;
}

function times({ calls }: NetFigures["fetched"]): string {
  return wholeNumber(calls);
}

function dollarsText({ usd, unpriced }: NetFigures): string | null {
  if (usd === null) return null;
  const net = t("net {0} at list prices", dollars(usd.net));
  return unpriced === 0 ? net : t("{0}, without {1} of unknown price", net, wholeNumber(unpriced));
}

function netTable(title: string, rows: readonly NetRow[], style: Style): string {
  const columns: readonly Column[] = [
    { title, maxWidth: maxNameLength, fit: "end" },
    ...figures(t("Outputs"), t("Gross"), t("Minus"), t("Net")),
    { title: t("{0} confidence", percent(100 * confidenceLevel)), fit: "wrap" },
  ];
  const lines = rows
    .slice(0, maxRows)
    .map((row) => [
      row.name === "" ? t("unknown") : cleanText(row.name),
      wholeNumber(row.outputs),
      tokens(row.gross),
      tokens(row.minus),
      tokens(row.net),
      intervalText(row),
    ]);
  const rest = rows.length - maxRows;
  const more = rest > 0 ? `${t("{0} more", wholeNumber(rest))}\n` : "";
  return `${alignColumns(columns, lines, style)}${more}`;
}

function intervalText({ interval }: Pick<NetFigures, "interval">): string {
  return interval === null ? t("not known yet") : `${tokens(interval.low)} … ${tokens(interval.high)}`;
}

/** A line for each format that is switched off. */
export function restingText(resting: readonly RestingFormat[]): string {
  return resting
    .map((format) => {
      const { rule, command } = format;
      const name = command ?? rule;
      const again = `purser output on ${JSON.stringify(cleanText(name))}`;
      const range = intervalText(format);
      return command === null
        ? t(
            "Outputs are no longer shortened by {0}: its net is not above zero ({1} tokens). To shorten them again: {2}",
            cleanText(rule),
            range,
            again,
          )
        : t(
            "Outputs of {0} are no longer shortened by {1}: its net is not above zero ({2} tokens). To shorten them again: {3}",
            JSON.stringify(cleanText(command)),
            cleanText(rule),
            range,
            again,
          );
    })
    .map((line) => `${line}\n`)
    .join("");
}

/** Three digits, as tokens are estimated. */
function tokens(value: number): string {
  return estimatedNumber(value);
}
