import { percent, shortNumber, wholeNumber } from "../../base/text/format.ts";
import { cleanText } from "../../base/text/text.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import type { PowerPlan } from "../../verdict/power/power.ts";
import type { ParsedOptions } from "../args.ts";
import type { CliHost } from "../ports.ts";
import { styleFor } from "../style.ts";
import { alignColumns } from "../table.ts";
import type { PlanJson } from "./schema.ts";

/** Prints a plan: as JSON, or as a table for each number of rules, with what it rests on and an advice. */
export function printPower(plan: PlanJson, options: ParsedOptions, host: CliHost): void {
  if (options.has("json")) {
    host.stdout.write(`${JSON.stringify(plan, null, 2)}\n`);
    return;
  }
  const line = (text: string) => host.stdout.write(`${cleanText(text)}\n`);
  const { agent, model, driver, rules, power } = plan;
  const { savings, curves, noise, perRun, passShare, tasks, barShare, trial, confirmation } = power;
  const isOfRules = plan.command === "plan rules";
  const count = rules.length === 1 ? "1 rule is waiting" : `${rules.length} rules are waiting`;
  line(isOfRules ? `${agent}, ${model}: ${count}` : `${agent}, ${model}`);
  const isOfArms = power.isOfArms === true;
  line(
    `Chance of a decision, by new tokens spent${isOfRules ? " per rule" : isOfArms ? " per change" : ""} (rows) and true savings (columns)`,
  );
  const style = styleFor(host);
  for (const { together, points, most } of curves) {
    if (isOfRules) line(`\n${describeTogether(together, power.together)}`);
    if (isOfArms)
      line(
        together === 1
          ? "\nEach with its own unchanged runs, at one error rate for all"
          : `\n${together} changes with the same unchanged runs, at one error rate for all`,
      );
    const columns = ["Tokens", "Rounds", ...savings.map(inPercent)].map((title) => ({
      title,
      isFigure: true,
    }));
    const rows = [...points.filter(({ rounds }) => rounds < most.rounds), most].map((point) => [
      shortNumber(point.tokens),
      String(point.rounds),
      ...point.chances.map(inPercent),
    ]);
    host.stdout.write(alignColumns(columns, rows, style));
  }
  line("");
  if (confirmation !== undefined)
    line(
      `If two or more are found, they are then confirmed together, ${describeConfirmation(confirmation)}.\n`,
    );
  if (trial !== null) {
    const rows = trial.needed.map(({ share, sessions, days }) => [
      inPercent(share),
      wholeNumber(sessions),
      days === null ? "unknown" : wholeNumber(days),
    ]);
    line("A trial on real work (free)");
    const columns = ["Saves", "Sessions", "Days"].map((title) => ({ title, isFigure: true }));
    host.stdout.write(`${alignColumns(columns, rows, style)}\n`);
    line(
      `Sessions of real work differ by about ${inPercent(trial.noise)} (${trial.source}: ${trial.because}).`,
    );
  }
  line(`Runs of one task differ by about ${inPercent(noise.value)} (${noise.source}: ${noise.because}).`);
  line(
    `A run: about ${wholeNumber(perRun.value)} tokens (${perRun.source}: ${perRun.because}); ${tasks} tasks.`,
  );
  const bar =
    barShare > 0 ? ` A rule must save more than ${inPercent(barShare)}, twice its cost per session.` : "";
  line(`Assumed: ${inPercent(passShare)} of runs pass on both sides, and none goes astray.${bar}`);
  if (!measuresModel(driver)) line("These are recordings: free, and they say nothing about a model.");
  line("");
  for (const advice of power.advice) line(advice);
}

function describeConfirmation({ rounds, tokens }: NonNullable<PowerPlan["confirmation"]>): string {
  return `in at most ${rounds} rounds: ${shortNumber(tokens)} tokens more, for all of them`;
}

/** How many rules a table is about. @param waiting rules that wait */
function describeTogether(together: number, waiting: number): string {
  if (together === 1) return "A rule alone";
  const more = together - waiting;
  return more > 0 ? `${together} rules together, with ${more} more candidates` : `${together} rules together`;
}

function inPercent(share: number): string {
  return percent(100 * share).replace("%", " %");
}
