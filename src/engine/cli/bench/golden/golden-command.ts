import { printedJson } from "../../../base/text.ts";
import { flag, jsonOf, option, type ParsedOptions } from "../../args.ts";
import type { CliHost } from "../../cli-ports.ts";
import { command } from "../../command.ts";
import type { Run } from "../../declaration.ts";
import { check, draft, freeze, list, type GoldenAnswer, type GoldenDone } from "./golden-actions.ts";
import { install, uninstall } from "./install.ts";
import { suiteOptions } from "./target.ts";
import { printGolden } from "./print-golden.ts";
import type { GoldenJson } from "./golden-schema.ts";
import { asLine } from "../../terminal-text.ts";
import { suiteHash } from "../../../bench/suite.ts";
import type { Result } from "../../../base/result.ts";

type ActName = GoldenJson["act"];
export const goldenCommand = command({
  name: "golden",
  title: "the tasks that agents are measured with",
  options: {
    suite: suiteOptions.suite,
    task: option("ID", "a task's id", "check only this task"),
    session: option("ID", "a session's id", "session to draft a task from", "sessions"),
    agent: option("A", "an agent's name", "agent that the task is for, or only this agent", "agents"),
    commit: option("C", "a commit", "git commit to copy the test project from"),
    "dry-run": flag("for install and uninstall: show what would change, without changing anything"),
    yes: flag("for install and uninstall: do not ask for confirmation"),
    cwd: suiteOptions.cwd,
    json: jsonOf("golden"),
  },
  subcommands: {
    list: {
      does: "list agents and tasks with their hashes, and unfinished drafts",
      takes: ["suite", "cwd", "json"],
      run: running("list", list),
    },
    check: {
      does: "test each task's check: it must fail on the untouched project and on every wrong solution, and pass with the right one",
      takes: ["suite", "task", "cwd", "json"],
      run: running("check", check),
    },
    new: {
      words: "--session ID --agent A",
      does: "draft a task of the workspace's own suite from a finished Claude Code session",
      takes: ["session", "agent", "cwd", "json"],
      run: running("new", draft),
    },
    freeze: {
      words: "[--commit C]",
      does: "record the workspace's test project as it is; with --commit, copy it from git first",
      takes: ["commit", "cwd", "json"],
      run: running("freeze", freeze),
    },
    install: {
      words: "[--agent A]",
      does: "make the suite's agents available in Claude Code; every file is shown first",
      takes: ["suite", "agent", "dry-run", "yes", "cwd", "json"],
      run: running("install", install),
    },
    uninstall: {
      words: "[--agent A]",
      does: "remove those files again, unless somebody changed them",
      takes: ["suite", "agent", "dry-run", "yes", "cwd", "json"],
      run: running("uninstall", uninstall),
    },
  },
  notes: `
Checks are programs, and purser golden check runs them. The test project's dependencies are installed once, by npm, in ~/.purser/fixture.

Exit codes: 0 done; 1 a check does not work, or it failed; 2 usage error.
`,
});

function running(act: ActName, work: (options: ParsedOptions, host: CliHost) => GoldenAnswer): Run {
  return async ({ options }, host) => {
    const done = await work(options, host);
    if (host.stderr.isTTY === true) host.stderr.write("\r\u001b[K");
    if (!done.ok && done.reason === "bad_argument") return done;
    if (options.has("json")) host.stdout.write(`${printedJson(goldenToJson(act, done), 2)}\n`);
    else if (done.ok) printGolden(act, done.value, host);
    if (!done.ok) host.stderr.write(`purser golden ${act}: ${asLine(done.detail)}\n`);
    return done.ok && done.value.audits.every(({ faults }) => faults.length === 0) ? 0 : 1;
  };
}

function goldenToJson(act: GoldenJson["act"], done: Result<GoldenDone>): GoldenJson {
  const { suite, audits, files, remaining, drafts } = done.ok
    ? done.value
    : { suite: null, audits: [], files: [], remaining: [], drafts: [] };
  return {
    schema: 1,
    act,
    suite: suite && {
      origin: suite.origin,
      folder: suite.folder,
      fixture: suite.fixture && {
        folder: suite.fixture.folder,
        files: suite.fixture.files,
        hash: suite.fixture.hash,
      },
      agents: suite.agents.map(({ name, description }) => ({
        name,
        description,
        suiteHash: suiteHash(suite, name),
        tasks: suite.tasks.filter(({ agent }) => agent === name).length,
      })),
    },
    tasks:
      suite?.tasks.map(({ id, agent, title, weight, path, hash }) => ({
        id,
        agent,
        title,
        weight,
        file: path,
        hash,
      })) ?? [],
    audits: audits.map(({ taskId, agent, path, trials, faults }) => ({
      taskId,
      agent,
      file: path,
      trials: [...trials],
      faults: [...faults],
    })),
    files: [...files],
    remaining: [...remaining],
    drafts: drafts.map((draft) => ({ ...draft, remaining: [...draft.remaining] })),
    faults: done.ok ? [] : [{ reason: done.reason, detail: done.detail }],
  };
}
