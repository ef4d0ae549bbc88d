import path from "node:path";
import { succeed } from "../../base/result.ts";
import { printedJson } from "../../base/text/printed-json.ts";
import { parseOptions } from "../args.ts";
import type { Command } from "../cli-ports.ts";
import { usageError } from "../subcommands.ts";
import { printReport } from "./print-report.ts";
import { withRulesReader } from "../rules/rules-access.ts";
import type { ReportJson } from "../rules/rules-schema.ts";
import { styleFor } from "../style.ts";
import { printHelp } from "../help.ts";

const help = `purser report: runs, golden tasks, rules and learning of each agent, and real work by project

  purser report [--project DIR] [--json]

  --project DIR  only runs in this folder, and what its agents learned there; rules and golden tasks are always those of all projects
  --json         print JSON (schema: media/schemas/report.schema.json)
  --help         print this help

Runs are the last 200 completed runs of real work of each agent, without golden tasks. All figures except counts of rules, runs and tasks
are new tokens (input, output and cache writes). Learning compares runs by the version of the agent's memory that they started with; p25
and p75 are percentiles of the same runs. The figures of a golden suite are sums over its tasks: the first completed run of each
(baseline), the best, and the last. What a rule saves is measured per completed run; its cost per session ("rent") is estimated.
`;

const specs = { project: { value: "a folder" }, json: {}, help: {} };

export const reportCommand: Command = {
  help,
  syntax: { options: specs },
  run: async (argv, host) => {
    const options = parseOptions(argv, specs);
    if (!options.ok) return usageError("report", options.detail, host);
    if (options.value.has("help")) {
      printHelp(help, host);
      return 0;
    }
    return await withRulesReader("report", host, async (rules) => {
      const folder = options.value.value("project");
      const project = folder === undefined ? null : path.resolve(host.cwd, folder);
      const read = await rules.report(project);
      if (!read.ok) return read;
      const json: ReportJson = { schema: 1, report: read.value.report };
      const text = printReport(read.value.report, { style: styleFor(host), now: host.now() });
      host.stdout.write(options.value.has("json") ? `${printedJson(json, 2)}\n` : text);
      return succeed(0);
    });
  },
};
