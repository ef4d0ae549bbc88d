import { answer } from "../answer.ts";
import { folder, folderIn, jsonOf } from "../args.ts";
import { command } from "../command.ts";
import { printReport } from "./print-report.ts";
import { withRulesReader } from "../rules/rules-access.ts";
import type { ReportJson } from "../rules/rules-schema.ts";
import { styleFor } from "../style.ts";

export const reportCommand = command({
  name: "report",
  title: "runs, golden tasks, rules and learning of each agent, and real work by project",
  words: "[--project DIR] [--json]",
  options: {
    project: folder(
      "only runs in this folder, and what its agents learned there; rules and golden tasks are always those of all projects",
    ),
    json: jsonOf("report"),
  },
  notes: `
Runs are the last 200 completed runs of real work of each agent, without golden tasks. All figures except counts of rules, runs and tasks
are new tokens (input, output and cache writes). Learning compares runs by the version of the agent's memory that they started with; p25
and p75 are percentiles of the same runs. The figures of a golden suite are sums over its tasks: the first completed run of each
(baseline), the best, and the last. What a rule saves is measured per completed run; its cost per session ("rent") is estimated.
`,
  run: ({ options }, host) =>
    withRulesReader("report", host, async (rules) => {
      const read = await rules.report(folderIn(options, "project", host.cwd));
      if (!read.ok) return read;
      const { report } = read.value;
      const text = () => printReport(report, { style: styleFor(host), now: host.now() });
      return answer<ReportJson>({ schema: 1, report }, text, { options, host });
    }),
});
