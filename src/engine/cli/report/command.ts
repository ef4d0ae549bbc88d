import path from "node:path";
import { succeed } from "../../base/result.ts";
import { parseOptions } from "../args.ts";
import type { Command } from "../ports.ts";
import { usageError } from "../subcommands.ts";
import { printReport } from "./print.ts";
import { withRules } from "../rules/access.ts";
import type { ReportJson } from "../rules/schema.ts";
import { styleFor } from "../style.ts";

const help = `purser report: runs, golden suites, rules and learning of each agent, real work by project, and what waits

  purser report [--project DIR] [--json]

  --project DIR  only runs of this folder, and what its agents learned in it; all else is of all projects
  --json         print JSON; its shape is in media/schemas/report.schema.json
  --help         print this

Runs are completed ones of real work, the last 200 of each agent; golden tasks are not among them. All figures but rules, runs
and tasks are processing tokens. Learning is by the version of the agent's memory that a run began with; p25 and p75 are of the
same runs. A suite's figures are its tasks' together: the first completed run of each, the best, and the last. What an active
rule saves was measured per completed run; what it costs, its rent, is estimated for a conversation.
`;

const specs = { project: { value: "a folder" }, json: {}, help: {} };

export const reportCommand: Command = {
  help,
  syntax: { options: specs },
  run: async (argv, host) => {
    const options = parseOptions(argv, specs);
    if (!options.ok) return usageError("report", options.detail, host);
    if (options.value.has("help")) {
      host.stdout.write(help);
      return 0;
    }
    return await withRules("report", host, async (service) => {
      const folder = options.value.value("project");
      const project = folder === undefined ? null : path.resolve(host.cwd, folder);
      const read = await service.ask("rulesReport", { project }, host.signal);
      if (!read.ok) return read;
      const json: ReportJson = { schema: 1, report: read.value.report };
      const text = printReport(read.value.report, { style: styleFor(host), now: host.now() });
      host.stdout.write(options.value.has("json") ? `${JSON.stringify(json, null, 2)}\n` : text);
      return succeed(0);
    });
  },
};
