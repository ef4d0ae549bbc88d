import path from "node:path";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { plural, sentence, t } from "../../../base/language.ts";
import { decimalNumber, wholeNumber } from "../../../base/local-format.ts";
import { purserPaths } from "../../../base/paths.ts";
import { fail, rethrowUnlessSystemError, succeed, type Result } from "../../../base/result.ts";
import { cleanText, cutMiddle } from "../../../base/text.ts";
import { estimatePrice } from "../../../bench/run-budget.ts";
import { prepareFixtureModules, writeLock } from "../../../bench/fixture.ts";
import { typicalRun } from "../../../bench/plan.ts";
import {
  commandsOf,
  draftHistory,
  planHistory,
  type HistoryPlan,
  type HistoryProgress,
} from "../../../bench/golden.ts";
import { agentName } from "../../../bench/frontmatter.ts";
import { loadSuite, workspaceSuite, workspaceSuiteFolder } from "../../../bench/suite.ts";
import { builtInCatalogue } from "../../../usage/catalogue.ts";
import { humanOutput } from "../../answer.ts";
import { wrongUsage, type ParsedOptions } from "../../args.ts";
import type { CliHost } from "../../cli-ports.ts";
import { canAsk, confirmed } from "../../confirm.ts";
import { servicePorts } from "../../service/service-access.ts";
import { nothingDone, type GoldenAnswer } from "./golden-actions.ts";
import { commitPortsOf, goldenWorkspace } from "./target.ts";

const usualAgent = "developer";
/** Runs of the tests of one commit, at most: before, three times each without and with the work, and wrong solutions. */
const runsPerCommit = 12;
/** Model whose list price is named: the usual one of Claude Code. */
const pricedModel = "claude-sonnet-4-6";
const minutesPerRun = 4.5;

/** Makes tasks of the project's own commits. Names the price first, and asks. */
export async function draftFromHistory(options: ParsedOptions, host: CliHost): GoldenAnswer {
  const wanted = Number(options.value("from-history") ?? "");
  if (!options.has("from-history"))
    return wrongUsage(
      sentence("--from-history is required: the number of tasks to make of the newest commits"),
    );
  const agent = options.value("agent") ?? usualAgent;
  if (!agentName.safeParse(agent).success)
    return wrongUsage(sentence("an agent's name has small letters, digits and single hyphens"));
  const test = options.value("test");
  const commands = test === undefined ? null : commandsOf(test);
  if (test !== undefined && commands === null)
    return wrongUsage(
      sentence(
        "--test takes a command without a shell: words, quotes and &&; {files} stands for the tests of a commit",
      ),
    );
  const workspace = goldenWorkspace(options, host);
  const folder = workspaceSuiteFolder(workspace);
  const known = await knownBases(workspace, host);
  if (!known.ok) return known;
  const { env, signal } = host;
  const plan = await planHistory({ wanted, known: known.value }, { folder: workspace, env, signal });
  if (!plan.ok) return plan;
  sayPlan(plan.value, wanted, options, host);
  if (plan.value.candidates.length === 0 || options.has("dry-run"))
    return succeed({ ...nothingDone, commits: plan.value.excluded });
  const agreed = await agreedTo(plan.value, options, host);
  if (!agreed.ok) return agreed;
  const commits = commitPortsOf(host);
  const { folder: purser, goldenHistory } = purserPaths(host);
  const modulesPorts = { ...commits, cache: path.join(purser, "fixture") };
  const { pid, machine } = servicePorts(host);
  const made = await draftHistory(
    {
      plan: plan.value,
      wanted,
      isAgain: options.has("again"),
      workspace,
      folder,
      agent,
      agents: [path.join(workspace, ".claude", "agents")],
    },
    {
      ...commits,
      scratch: host.scratch,
      commands,
      lock: { pid, machine, unique: randomUUID },
      unique: randomUUID,
      memory: goldenHistory,
      modules: async (fixture, date) => {
        const locked = await writeLock(fixture, date, modulesPorts);
        return locked.ok ? await prepareFixtureModules(fixture, modulesPorts) : locked;
      },
      issue: (message) => issueOf(message, options.value("issues"), host),
      onProgress: (progress) => sayProgress(progress, host),
    },
  );
  if (!made.ok) return made;
  const done = made.value.flatMap(({ file }) => file ?? []);
  // The tasks made so far are kept. The same command continues.
  if (signal.aborted)
    return fail("cancelled", sentence("Cancelled after {0} tasks; the same command continues", done.length));
  const remaining =
    done.length === 0
      ? []
      : [sentence("read the prompts, then run purser golden check and purser bench {0}", agent)];
  return succeed({
    ...nothingDone,
    files: done,
    remaining,
    commits: [...made.value, ...plan.value.excluded],
  });
}

/** The commits that the suite's tasks begin at. */
async function knownBases(workspace: string, host: CliHost): Promise<Result<ReadonlySet<string>>> {
  const paths = await workspaceSuite(workspace, true);
  if (!paths.ok) return paths.reason === "no_suite" ? succeed(new Set()) : paths;
  const suite = await loadSuite(paths.value, commitPortsOf(host));
  // A suite with agents and no tasks yet.
  if (!suite.ok) return suite.reason === "no_suite" ? succeed(new Set()) : suite;
  return succeed(new Set(suite.value.tasks.flatMap(({ base }) => base ?? [])));
}

function sayPlan({ candidates }: HistoryPlan, wanted: number, options: ParsedOptions, host: CliHost): void {
  const { stdout } = humanOutput({ options, host });
  const tasks = Math.min(wanted, candidates.length);
  const count = wholeNumber(candidates.length);
  stdout.write(
    `${plural(candidates.length, t("1 commit changes both tests and code."), t("{0} commits change both tests and code.", count))}\n`,
  );
  if (candidates.length === 0) return;
  stdout.write(
    `${t("Making tasks of them takes no tokens: it runs their tests on this machine, up to {0} times for each commit, in copies.", runsPerCommit)}\n`,
  );
  const usd = estimatePrice(
    pricedModel,
    { processing: typicalRun.perRun * tasks, cacheRead: typicalRun.cacheReadPerRun * tasks },
    builtInCatalogue,
  );
  stdout.write(
    `${t("A later benchmark of {0} tasks, each once, takes about {1}M tokens, {2} hours and ${3} at the list price of {4}.", wholeNumber(tasks), decimalNumber((typicalRun.perRun * tasks) / 1e6, 1), decimalNumber((minutesPerRun * tasks) / 60, 1), usd === null ? "?" : decimalNumber(usd, 0), pricedModel)}\n`,
  );
}

async function agreedTo(
  { candidates }: HistoryPlan,
  options: ParsedOptions,
  host: CliHost,
): Promise<Result<null>> {
  if (options.has("yes")) return succeed(null);
  const output = humanOutput({ options, host });
  if (!canAsk(output))
    return wrongUsage(
      sentence(
        "this would run the tests of {0} commits, and there is no terminal to ask in; --yes starts without asking",
        candidates.length,
      ),
    );
  return (await confirmed(t("Run the tests of up to {0} commits?", candidates.length), output))
    ? succeed(null)
    : fail("cancelled", sentence("Nothing was changed"));
}

function sayProgress({ commit, of, subject, runs, tasks }: HistoryProgress, { stderr }: CliHost): void {
  const text = t(
    "Commit {0} of {1}, {2} tasks, run {3}: {4}",
    commit,
    of,
    tasks,
    runs,
    cutMiddle(cleanText(subject), 50),
  );
  if (stderr.isTTY === true) stderr.write(`\r\u001b[K${text}`);
  else if (runs === 0) stderr.write(`${text}\n`);
}

/** The issue's text from a folder of files named by its number, `12.md` or `12.txt`. */
async function issueOf(
  message: string,
  folder: string | undefined,
  { cwd }: CliHost,
): Promise<string | null> {
  if (folder === undefined) return null;
  for (const [, number = ""] of message.matchAll(/#(\d{1,9})\b/gu))
    for (const ending of ["md", "txt"])
      try {
        return await readFile(path.resolve(cwd, folder, `${number}.${ending}`), "utf8");
      } catch (error) {
        rethrowUnlessSystemError(error);
      }
  return null;
}
