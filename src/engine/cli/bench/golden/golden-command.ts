import { printedJson } from "../../../base/text.ts";
import { flag, jsonOf, number, option, type ParsedOptions } from "../../args.ts";
import type { CliHost } from "../../cli-ports.ts";
import { command } from "../../command.ts";
import type { Run } from "../../declaration.ts";
import {
  check,
  draft,
  freeze,
  list,
  nothingDone,
  type GoldenAnswer,
  type GoldenDone,
} from "./golden-actions.ts";
import { draftFromHistory } from "./history-action.ts";
import { install, uninstall } from "./install.ts";
import { suiteOptions } from "./target.ts";
import { printGolden } from "./print-golden.ts";
import type { GoldenJson } from "./golden-schema.ts";
import { asLine } from "../../terminal-text.ts";
import { inWordsOf } from "../../../bench/golden.ts";
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
    "from-history": number("N", "make up to N tasks of the project's own commits", { from: 1, to: 200 }),
    test: option(
      "COMMAND",
      "a command",
      "how the project's tests run, with {files} for the tests of a commit (default: found in the project)",
    ),
    issues: option("DIR", "a folder", "folder with the texts of issues, such as 12.md", "folder"),
    again: flag("try commits again that could not become tasks before"),
    "dry-run": flag("show what would change or run, without doing it"),
    yes: flag("do not ask for confirmation"),
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
    draft: {
      words: "--from-history N",
      does: "make up to N tasks of the project's newest commits: their tests have to fail before and pass after",
      takes: ["from-history", "agent", "test", "issues", "again", "dry-run", "yes", "cwd", "json"],
      run: running("draft", draftFromHistory),
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
purser golden draft names what it takes before it starts. It changes nothing but .purser/golden, and the same command continues after an interruption.

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
  const { suite, audits, files, remaining, drafts, commits } = done.ok ? done.value : nothingDone;
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
    commits: commits.map((each) => ({ ...each, why: inWordsOf(each.reason) })),
    faults: done.ok ? [] : [{ reason: done.reason, detail: done.detail }],
  };
}
