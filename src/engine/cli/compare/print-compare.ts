import { said } from "../language/said.ts";
import { t } from "../../base/text/l10n.ts";
import { dash } from "../../base/text/format.ts";
import { decimalNumber, dollars, shortNumber, wholeNumber } from "../../base/text/local-format.ts";
import { cleanText } from "../../base/text/text.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import { describeReplay } from "../../bench/describe-replay.ts";
import type { ExperimentProgress } from "../../verdict/verdict-experiment.ts";
import type { Receipt } from "../../verdict/receipt/receipt.ts";
import type { PassRate } from "../../verdict/verdict.ts";
import { formatTokens } from "../../verdict/describe-verdict.ts";
import type { CliHost } from "../cli-ports.ts";
import { styleFor } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";

/** Prints the state after a round. */
export function printRound(
  { rounds, tokensSpent, tokensToDecision, verdict }: ExperimentProgress,
  most: number | null,
  { stderr, name = "" }: Pick<CliHost, "stderr"> & { readonly name?: string },
): void {
  const saving =
    verdict.saving === null
      ? t("nothing to compare yet")
      : t("saves {0} a run", said(formatTokens(verdict.saving)));
  const left =
    tokensToDecision === null || verdict.stop !== null
      ? ""
      : `, ${t("about {0} more needed to decide", shortNumber(tokensToDecision))}`;
  const round = most === null ? t("Round {0}:", rounds) : t("Round {0} of at most {1}:", rounds, most);
  const clear = stderr.isTTY === true ? "\r\u001b[K" : "";
  const about = name === "" ? "" : ` ${said(name)}`;
  stderr.write(
    `${clear}${round}${about} ${saving}; ${t("{0} tokens used", shortNumber(tokensSpent))}${left}\n`,
  );
}

type Side = Receipt["sides"][number];

/** Prints both sides' figures, each task's difference, and the cost. */
export function printReceipt(receipt: Receipt, host: Pick<CliHost, "stdout" | "env">): void {
  const { stdout } = host;
  const style = styleFor(host);
  const { sides, verdict, spent } = receipt;
  const figure = (of: (side: NonNullable<Side["figures"]>) => string) =>
    sides.map(({ figures }) => (figures === null ? dash : of(figures)));
  const rows = [
    [t("Tokens per completed run"), ...figure(({ processingTokens }) => wholeNumber(processingTokens))],
    [t("Read from cache"), ...figure(({ cacheRead }) => wholeNumber(cacheRead))],
    [t("Turns"), ...figure(({ turns }) => decimalNumber(turns, 1))],
    [t("Seconds (advisory)"), ...figure(({ durationMs }) => decimalNumber(durationMs / 1000, 1))],
    [t("Passed"), ...verdict.passed.map(passedOf)],
  ];
  const titles = sides.map(({ label }) => ({ title: said(label), isFigure: true }));
  stdout.write(`\n${alignColumns([{ title: "" }, ...titles], rows, style)}`);
  const tasks = verdict.tasks.map(({ taskId, pairs, tokens, saving, passed, runs, regressed }) => [
    `${cleanText(taskId)}${regressed ? ` (${t("regressed")})` : ""}`,
    String(pairs),
    ...(tokens === null ? [dash, dash] : tokens.map(wholeNumber)),
    saving === null ? dash : said(formatTokens(saving)),
    ...[0, 1].map((side) => `${passed[side] ?? 0}/${runs[side] ?? 0}`),
  ]);
  const columns: readonly Column[] = [
    { title: t("Task"), fit: "middle" },
    ...[t("Pairs"), t("Unchanged"), t("Changed"), t("Saved"), t("Passed"), t("Changed")].map((title) => ({
      title,
      isFigure: true,
    })),
  ];
  stdout.write(`\n${alignColumns(columns, tasks, style)}\n`);
  const isDemo = !measuresModel(receipt.driver);
  const usd = isDemo || spent.usd === null ? "" : `, ${t("about {0} at list price", dollars(spent.usd))}`;
  const count = wholeNumber(spent.processingTokens);
  const tokens = isDemo
    ? t("{0} runs, {1} recorded tokens, none spent", spent.runs, count)
    : t("{0} runs, {1} new tokens", spent.runs, count);
  stdout.write(`${tokens}${usd}\n`);
  if (isDemo) stdout.write(`${said(describeReplay(receipt.recordedBy))}\n`);
}

function passedOf({ passed, runs }: PassRate): string {
  return t("{0} of {1}", passed, runs);
}
