import { t } from "../../base/language.ts";
import { wholeNumber } from "../../base/local-format.ts";
import { cleanText, printedJson } from "../../base/text.ts";
import type { GoldenBaseline } from "../../ledger/rule-questions.ts";
import type { BaselineJson } from "./bench-schema.ts";
import { jsonOf, option } from "../args.ts";
import type { CliHost } from "../cli-ports.ts";
import { command } from "../command.ts";
import { succeed } from "../../base/result.ts";
import { throughService } from "../service/service-access.ts";
import { styleFor } from "../style.ts";
import { figures, alignColumns, type Column } from "../table.ts";

export const baselineCommand = command({
  name: "baseline",
  title: "the first and the best result of each golden task",
  options: { agent: option("A", "an agent's name", "only this agent", "agents"), json: jsonOf("baseline") },
  subcommands: {
    show: {
      words: "[--agent A]",
      does: "by agent, task, model, suite and driver",
      takes: ["agent", "json"],
      run: async ({ options }, host) =>
        await throughService(host, async (service) => {
          const answer = await service.ask("goldenBook", { asked: host.now() });
          if (!answer.ok) return answer;
          const agent = options.value("agent");
          const baselines = answer.value.answer.baselines.filter(
            (each) => agent === undefined || each.agent === agent,
          );
          if (options.has("json")) host.stdout.write(`${printedJson(toJson(baselines), 2)}\n`);
          else print(baselines, host);
          return succeed(0);
        }),
    },
  },
  notes: `
New tokens (input, output and cache writes) of completed runs of the unchanged agent with its active rules. The first result never changes, the
best only goes down. Repeated audits, changed sides of comparisons, runs with another memory or effort, and replays do not count.
Results recorded before purser distinguished these are kept: for them, the first side of any benchmark counts.
`,
});

function toJson(baselines: readonly GoldenBaseline[]): BaselineJson {
  return {
    schema: 1,
    baselines: baselines.map(
      ({ agent, taskId, taskHash, model, suiteHash, driver, run1Tokens, bestTokens }) => ({
        agent,
        taskId,
        taskHash,
        model,
        suiteHash,
        driver,
        run1Tokens,
        bestTokens,
      }),
    ),
  };
}

function print(baselines: readonly GoldenBaseline[], host: Pick<CliHost, "stdout" | "env">): void {
  if (baselines.length === 0) {
    host.stdout.write(`${t("No golden task has been completed yet. Start with purser bench")}\n`);
    return;
  }
  const columns: readonly Column[] = [
    { title: t("Agent") },
    { title: t("Task"), fit: "middle" },
    { title: t("Model"), fit: "middle" },
    { title: t("Driver"), dropped: 2 },
    { title: t("Suite"), dropped: 1 },
    ...figures(t("First"), t("Best")),
  ];
  const rows = baselines.map((each) => [
    ...[each.agent, each.taskId ?? each.taskHash.slice(0, 8), each.model, each.driver].map(cleanText),
    each.suiteHash.slice(0, 8),
    ...[each.run1Tokens, each.bestTokens].map(wholeNumber),
  ]);
  host.stdout.write(alignColumns(columns, rows, styleFor(host)));
}
