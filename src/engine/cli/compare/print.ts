import { dash, dollars, shortNumber, wholeNumber } from "../../base/text/format.ts";
import { cleanText } from "../../base/text/text.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import { describeReplay } from "../../bench/describe-replay.ts";
import type { ExperimentProgress } from "../../verdict/experiment.ts";
import type { Receipt } from "../../verdict/receipt/receipt.ts";
import type { PassRate } from "../../verdict/verdict.ts";
import { formatTokens } from "../../verdict/describe.ts";
import type { CliHost } from "../ports.ts";
import { styleFor } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";

/** Prints the state after a round. */
export function printRound(
  { rounds, tokensSpent, tokensToDecision, verdict }: ExperimentProgress,
  most: number | null,
  { stderr, name = "" }: Pick<CliHost, "stderr"> & { readonly name?: string },
): void {
  const saving =
    verdict.saving === null ? "nothing to compare yet" : `saves ${formatTokens(verdict.saving)} a run`;
  const left =
    tokensToDecision === null || verdict.stop !== null
      ? ""
      : `, about ${shortNumber(tokensToDecision)} more needed to decide`;
  const of = most === null ? "" : ` of at most ${most}`;
  const clear = stderr.isTTY === true ? "\r\u001b[K" : "";
  const about = name === "" ? "" : ` ${cleanText(name)}`;
  stderr.write(
    `${clear}Round ${rounds}${of}:${about} ${saving}; ${shortNumber(tokensSpent)} tokens used${left}\n`,
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
    ["Tokens per completed run", ...figure(({ processingTokens }) => wholeNumber(processingTokens))],
    ["Read from cache", ...figure(({ cacheRead }) => wholeNumber(cacheRead))],
    ["Turns", ...figure(({ turns }) => turns.toFixed(1))],
    ["Seconds (advisory)", ...figure(({ durationMs }) => (durationMs / 1000).toFixed(1))],
    ["Passed", ...verdict.passed.map(passedOf)],
  ];
  const titles = sides.map(({ label }) => ({ title: cleanText(label), isFigure: true }));
  stdout.write(`\n${alignColumns([{ title: "" }, ...titles], rows, style)}`);
  const tasks = verdict.tasks.map(({ taskId, pairs, tokens, saving, passed, runs, regressed }) => [
    `${cleanText(taskId)}${regressed ? " (regressed)" : ""}`,
    String(pairs),
    ...(tokens === null ? [dash, dash] : tokens.map(wholeNumber)),
    saving === null ? dash : formatTokens(saving),
    ...[0, 1].map((side) => `${passed[side] ?? 0}/${runs[side] ?? 0}`),
  ]);
  const columns: readonly Column[] = [
    { title: "Task", fit: "middle" },
    ...["Pairs", "Unchanged", "Changed", "Saved", "Passed", "Changed"].map((title) => ({
      title,
      isFigure: true,
    })),
  ];
  stdout.write(`\n${alignColumns(columns, tasks, style)}\n`);
  const isDemo = !measuresModel(receipt.driver);
  const usd = isDemo || spent.usd === null ? "" : `, about ${dollars(spent.usd)} at list price`;
  const tokens = `${wholeNumber(spent.processingTokens)} ${isDemo ? "recorded tokens, none spent" : "new tokens"}`;
  stdout.write(`${spent.runs} runs, ${tokens}${usd}\n`);
  if (isDemo) stdout.write(`${cleanText(describeReplay(receipt.recordedBy))}\n`);
}

function passedOf({ passed, runs }: PassRate): string {
  return `${passed} of ${runs}`;
}
