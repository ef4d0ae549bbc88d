import { printedJson } from "../../../base/text/printed-json.ts";
import type { ParsedOptions } from "../../args.ts";
import type { CliHost } from "../../cli-ports.ts";
import { usageError, commandWithSubcommands, type Subcommand } from "../../subcommands.ts";
import { check, draft, freeze, list, type GoldenAnswer } from "./golden-actions.ts";
import { install, uninstall } from "./install.ts";
import { goldenToJson } from "./golden-outcome.ts";
import { suiteOptions } from "./target.ts";
import { printGolden } from "./print-golden.ts";
import type { GoldenJson } from "./golden-schema.ts";
import { said } from "../../language/said.ts";

const help = `purser golden: the tasks that agents are measured with

  purser golden list                          list agents and tasks with their hashes, and unfinished drafts
  purser golden check                         test each task's check: it must fail on the untouched project and on every wrong
                                              solution, and pass with the right one
  purser golden new --session ID --agent A    draft a task of the workspace's own suite from a finished Claude Code session
  purser golden freeze [--commit C]           record the workspace's test project as it is; with --commit, copy it from git first
  purser golden install [--agent A]           make the suite's agents available in Claude Code; every file is shown first
  purser golden uninstall [--agent A]         remove those files again, unless somebody changed them

  --suite S     built-in or workspace (default: the workspace's .purser/golden if it has one)
  --task ID     check only this task
  --session ID  session to draft a task from
  --agent A     agent that the task is for, or only this agent
  --commit C    git commit to copy the test project from
  --dry-run     for install and uninstall: show what would change, without changing anything
  --yes         for install and uninstall: do not ask for confirmation
  --cwd DIR     workspace folder, or a folder in it (default: the working folder)
  --json        print JSON (schema: media/schemas/golden.schema.json)
  --help        print this help

Checks are programs, and purser golden check runs them. The test project's dependencies are installed once, by npm, in ~/.purser/fixture.

Exit codes: 0 done; 1 a check does not work, or it failed; 2 usage error.
`;

type ActName = GoldenJson["act"];
const common = { json: {}, help: {} };

const agentOptions = { agent: { value: "an agent's name" }, "dry-run": {}, yes: {} };

export const goldenCommand = commandWithSubcommands("golden", help, {
  list: { specs: { ...suiteOptions, ...common }, run: running("list", list) },
  check: {
    specs: { ...suiteOptions, ...common, task: { value: "a task's id" } },
    run: running("check", check),
  },
  new: {
    specs: {
      cwd: suiteOptions.cwd,
      ...common,
      session: { value: "a session's id" },
      agent: { value: "an agent's name" },
    },
    run: running("new", draft),
  },
  freeze: {
    specs: { cwd: suiteOptions.cwd, ...common, commit: { value: "a commit" } },
    run: running("freeze", freeze),
  },
  install: { specs: { ...suiteOptions, ...common, ...agentOptions }, run: running("install", install) },
  uninstall: { specs: { ...suiteOptions, ...common, ...agentOptions }, run: running("uninstall", uninstall) },
});

function running(
  act: ActName,
  work: (options: ParsedOptions, host: CliHost) => GoldenAnswer,
): Subcommand["run"] {
  return async ({ options }, host) => {
    const done = await work(options, host);
    if (host.stderr.isTTY === true) host.stderr.write("\r\u001b[K");
    if (!done.ok && done.reason === "bad_argument") return usageError(`golden ${act}`, done.detail, host);
    if (options.has("json")) host.stdout.write(`${printedJson(goldenToJson(act, done), 2)}\n`);
    else if (done.ok) printGolden(act, done.value, host);
    if (!done.ok) host.stderr.write(`purser golden ${act}: ${said(done.detail)}\n`);
    return done.ok && done.value.audits.every(({ faults }) => faults.length === 0) ? 0 : 1;
  };
}
