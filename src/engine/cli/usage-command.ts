import { fail, succeed, type Result } from "../base/result.ts";
import { claudeRoots } from "../transcripts/claude/roots.ts";
import { findTranscripts } from "../transcripts/claude/files.ts";
import { scanTranscripts } from "../transcripts/scan/scan.ts";
import { aggregateUsage, groupings, type Grouping } from "../usage/aggregate.ts";
import { builtInCatalogue } from "../usage/catalogue.ts";
import { localDays } from "../usage/local-day.ts";
import { parseOptions, quoted } from "./args.ts";
import type { CliHost, Command } from "./cli-host.ts";
import { dayForms, parseDay } from "./day-argument.ts";
import { usageToJson, type UsageOutcome } from "./usage-outcome.ts";

const help = `purser usage: tokens and cost of past sessions

  purser usage [--by day|session|project|model] [--since D] [--until D] [--json]

  --by       what a line is: a day (default), a session, a project's folder, or a model
  --since D  only responses of this local day and later: ${dayForms}
  --until D  only responses of this local day and earlier
  --json     print JSON; its shape is in media/schemas/usage.schema.json
  --help     print this

Costs are list prices, not what was charged. Transcripts are looked for in CLAUDE_CONFIG_DIR (a comma list), else in
~/.claude and ~/.config/claude.
`;

const byForms = "day, session, project or model";
const specs = {
  by: { value: byForms },
  since: { value: dayForms },
  until: { value: dayForms },
  json: {},
  help: {},
};

export const usageCommand: Command = { help, run };

async function run(argv: readonly string[], host: CliHost): Promise<number> {
  const request = parseRequest(argv, host.now());
  if (!request.ok) {
    host.stderr.write(`purser usage: ${request.detail}\n`);
    return 2;
  }
  if (request.value === "help") {
    host.stdout.write(help);
    return 0;
  }
  const outcome = await gather(request.value, host);
  if (request.value.isJson) host.stdout.write(`${JSON.stringify(usageToJson(outcome), null, 2)}\n`);
  else {
    const { printUsage } = await import("./print-usage.ts");
    printUsage(outcome, host);
  }
  return 0;
}

interface UsageRequest {
  readonly by: Grouping;
  readonly since: string | null;
  readonly until: string | null;
  readonly isJson: boolean;
}

function parseRequest(argv: readonly string[], now: number): Result<UsageRequest | "help", "bad_argument"> {
  const options = parseOptions(argv, specs);
  if (!options.ok) return options;
  if (options.value.has("help")) return succeed("help");
  const asked = options.value.value("by") ?? "day";
  const by = groupings.find((grouping) => grouping === asked);
  if (by === undefined) return fail("bad_argument", `--by ${quoted(asked)} is none of ${byForms}`);
  const limits: { since: string | null; until: string | null } = { since: null, until: null };
  for (const name of ["since", "until"] as const) {
    const text = options.value.value(name);
    if (text === undefined) continue;
    const day = parseDay(text, now);
    if (day === undefined) return fail("bad_argument", `--${name} ${quoted(text)} is not ${dayForms}`);
    limits[name] = day;
  }
  const { since, until } = limits;
  if (since !== null && until !== null && since > until)
    return fail(
      "bad_argument",
      `--since ${since} is after --until ${until}; the earlier day goes with --since`,
    );
  return succeed({ by, since, until, isJson: options.value.has("json") });
}

async function gather({ by, since, until }: UsageRequest, host: CliHost): Promise<UsageOutcome> {
  const roots = claudeRoots({ env: host.env, home: host.home });
  const found = findTranscripts(roots);
  const scan = await scanTranscripts({
    files: found.files,
    workerPath: host.scanWorker,
    signal: host.signal,
  });
  const options = { by, since, until, dayOf: localDays(), catalogue: builtInCatalogue };
  const report = aggregateUsage(scan.responses, options);
  const problems = [...found.problems, ...scan.problems];
  return { by, since, until, roots, report, skipped: scan.skipped, files: scan.files, problems };
}
