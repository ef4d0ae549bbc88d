import { cleanText } from "../../../base/text/text.ts";
import type { ParsedOptions } from "../../args.ts";
import type { CliHost } from "../../ports.ts";
import { usageError, commandWithSubcommands, type Subcommand } from "../../subcommands.ts";
import { check, draft, freeze, list, type GoldenAnswer } from "./actions.ts";
import { install, uninstall } from "./install.ts";
import { goldenToJson } from "./outcome.ts";
import { suiteOptions } from "./target.ts";
import { printGolden } from "./print.ts";
import type { GoldenJson } from "./schema.ts";

const help = `purser golden: the tasks that agents are measured with

  purser golden list                          agents and tasks, and what their hashes are
  purser golden check                         whether each task's check tells work from none: it fails where nothing was done,
                                              passes with the solution, and fails with every wrong one
  purser golden new --session ID --agent A    draft a task of the workspace's own suite from a finished session of Claude Code
  purser golden freeze [--commit C]           take the workspace's fixture as it is; with --commit, copy it from git first
  purser golden install [--agent A]           put the suite's agents, or one, where Claude Code finds them; each file is shown first
  purser golden uninstall [--agent A]         take them out again, where nobody changed them

  --suite S    built-in or workspace; the workspace's own (.purser/golden) where it has one, when nothing is told
  --task ID    check this one only
  --dry-run    of install and uninstall: show what would be written or removed, and change nothing
  --yes        of install and uninstall: do not ask
  --cwd DIR    the workspace's folder, or one in it
  --json       print JSON; its shape is in media/schemas/golden.schema.json
  --help       print this

Checks are programs, and check runs them. What the fixture depends on is installed once, by npm, below ~/.purser/fixture.
Exit code 1: a check tells nothing, or it could not be done; 2: asked wrongly.
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
    if (options.has("json")) host.stdout.write(`${JSON.stringify(goldenToJson(act, done), null, 2)}\n`);
    else if (done.ok) printGolden(act, done.value, host);
    if (!done.ok) host.stderr.write(`purser golden ${act}: ${cleanText(done.detail)}\n`);
    return done.ok && done.value.audits.every(({ faults }) => faults.length === 0) ? 0 : 1;
  };
}
