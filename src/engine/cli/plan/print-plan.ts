import * as z from "zod/mini";
import { sentenceOf, plural, t } from "../../base/language.ts";
import { asLine } from "../terminal-text.ts";
import { percent, shortNumber, wholeNumber } from "../../base/local-format.ts";
import { cleanText, printedJson } from "../../base/text.ts";
import { measuresModel, driverNames } from "../../bench/run-facts.ts";
import type { ParsedOptions } from "../args.ts";
import type { CliHost } from "../cli-ports.ts";
import { styleFor } from "../style.ts";
import { figures, alignColumns } from "../table.ts";
import { described } from "../../base/sentence-schema.ts";
import { powerPlan } from "../../jobs/compare-answers.ts";

export const planJson = z.object({
  schema: z.literal(1),
  command: z.enum(["plan rules", "plan compare model", "plan compare prompt", "plan compare setting"]),
  agent: z.string(),
  model: z.string(),
  driver: z.enum(driverNames),
  rules: described(z.array(z.string()), "Ids of the rules that would be measured; empty for a comparison."),
  power: powerPlan,
});
type PlanJson = z.infer<typeof planJson>;

export function printPower(plan: PlanJson, options: ParsedOptions, host: CliHost): void {
  if (options.has("json")) {
    host.stdout.write(`${printedJson(plan, 2)}\n`);
    return;
  }
  const line = (text: string) => host.stdout.write(`${cleanText(text)}\n`);
  const { agent, model, driver, rules, power } = plan;
  const { savings, curves, noise, perRun, passShare, tasks, barShare, trial, confirmation } = power;
  const isOfRules = plan.command === "plan rules";
  const count = plural(rules.length, t("1 rule is waiting"), t("{0} rules are waiting", rules.length));
  line(isOfRules ? `${agent}, ${model}: ${count}` : `${agent}, ${model}`);
  const isOfArms = power.isOfArms === true;
  line(
    isOfRules
      ? t("Chance of a decision, by new tokens spent per rule (rows) and true savings (columns)")
      : isOfArms
        ? t("Chance of a decision, by new tokens spent per change (rows) and true savings (columns)")
        : t("Chance of a decision, by new tokens spent (rows) and true savings (columns)"),
  );
  const style = styleFor(host);
  for (const { together, points, most } of curves) {
    if (isOfRules) line(`\n${describeTogether(together, power.together)}`);
    if (isOfArms)
      line(
        together === 1
          ? `\n${t("Each with its own unchanged runs, at one error rate for all")}`
          : `\n${t("{0} changes with the same unchanged runs, at one error rate for all", together)}`,
      );
    const columns = [t("Tokens"), t("Rounds"), ...savings.map(inPercent)].map((title) => ({
      title,
      isFigure: true,
    }));
    const rows = [...points.filter(({ rounds }) => rounds < most.rounds), most].map((point) => [
      shortNumber(point.tokens),
      String(point.rounds),
      ...point.chances.map(inPercent),
    ]);
    // Two budgets that read the same are one row, with the more rounds.
    const distinct = rows.filter(([tokens], index) => tokens !== rows[index + 1]?.[0]);
    host.stdout.write(alignColumns(columns, distinct, style));
  }
  line("");
  if (confirmation !== undefined)
    line(
      `${t("If two or more are found, they are then confirmed together, in at most {0} rounds: {1} tokens more, for all of them.", confirmation.rounds, shortNumber(confirmation.tokens))}\n`,
    );
  if (trial !== null) {
    const rows = trial.needed.map(({ share, sessions, days }) => [
      inPercent(share),
      wholeNumber(sessions),
      days === null ? t("unknown") : wholeNumber(days),
    ]);
    line(t("A trial on real work (free)"));
    const columns = figures(t("Saves"), t("Sessions"), t("Days"));
    host.stdout.write(`${alignColumns(columns, rows, style)}\n`);
    line(
      t(
        "Sessions of real work differ by about {0} ({1}: {2}).",
        inPercent(trial.noise),
        asLine(sentenceOf(trial.source)),
        asLine(trial.because),
      ),
    );
  }
  line(
    t(
      "Runs of one task differ by about {0} ({1}: {2}).",
      inPercent(noise.value),
      asLine(sentenceOf(noise.source)),
      asLine(noise.because),
    ),
  );
  line(
    t(
      "A run: about {0} tokens ({1}: {2}); {3} tasks.",
      wholeNumber(perRun.value),
      asLine(sentenceOf(perRun.source)),
      asLine(perRun.because),
      tasks,
    ),
  );
  const bar =
    barShare > 0
      ? ` ${t("A rule must save more than {0}, twice its cost per session.", inPercent(barShare))}`
      : "";
  line(`${t("Assumed: {0} of runs pass on both sides, and none goes astray.", inPercent(passShare))}${bar}`);
  if (!measuresModel(driver)) line(t("These are recordings: free, and they say nothing about a model."));
  line("");
  for (const advice of power.advice) line(asLine(advice));
}

/** `waiting`: rules that wait. */
function describeTogether(together: number, waiting: number): string {
  if (together === 1) return t("A rule alone");
  const more = together - waiting;
  return more > 0
    ? t("{0} rules together, with {1} more candidates", together, more)
    : t("{0} rules together", together);
}

function inPercent(share: number): string {
  return percent(100 * share);
}
