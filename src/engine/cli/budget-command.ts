import { cleanText } from "../base/text.ts";
import { idRule } from "../budget/convoy-id.ts";
import { budgetFailed, budgetPorts } from "./budget-access.ts";
import { joinConvoy, leaveConvoy } from "../budget/members.ts";
import { create, list, membership, remove, report, set, show, type Asked, type Done } from "./budget-acts.ts";
import { limitForms, limitSpecs } from "./budget-arguments.ts";
import { budgetToJson } from "./budget-outcome.ts";
import { printBudgets } from "./budget-print.ts";
import type { CliHost } from "./cli-host.ts";
import { askedWrongly, commandOfWords, type CommandWord } from "./command-words.ts";

const help = `purser budget: what agents may spend, checked before they spend it

  purser budget create ID [limits]       a budget for a convoy: agents that work on one thing
  purser budget set ID [limits]          change what is told, and leave the rest
  purser budget set ID --accept          take a file that was edited by hand as it is
  purser budget show ID                  its limits
  purser budget list                     all of the project's
  purser budget join ID [--session S]    put a session into the convoy, whatever branch it is on
  purser budget leave ID [--session S]   and take it out again
  purser budget report [ID]              what was used and is set aside, of each limit
  purser budget delete ID                remove it; what was spent stays counted

  --convoy T   all of its agents together; 500k when nothing is told
  --agent T    each agent; 100k when nothing is told
  --session T  each session
  --project T  everything in the project, whatever convoy it is of
  --period P   run, day, week or month, for limits that are told without; day when nothing is told
  --warn N     warn from this percentage of a limit on; 80 when nothing is told
  --branch B   sessions on these branches are of the convoy; by commas, * stands for anything
  --cwd DIR    the project's folder, or one in it
  --json       print JSON; its shape is in media/schemas/budget.schema.json
  --help       print this

T is ${limitForms}.

A convoy is a few agents that work on one thing. Sessions are of it whose branch is called like its ID (feature/checkout is of
feature-checkout) or is told with --branch, also in other worktrees of the project, and those that joined; subagents are of their
session's. Three agents on the branch "checkout" are a convoy as soon as there is purser budget create checkout.

With hooks installed (purser hooks install) agents are held to their budgets. The setting "budgets", in VS Code or in
~/.purser/settings.json, says how: "off", "warn" tells the agent and you, once, "hard" also denies the next prompt, tool or subagent
when a limit is passed, and anything while a budget's file is damaged. What was used is known some seconds after it was. A
subagent is counted before it begins with what such agents took in 9 of 10 of your own runs, with the error of that, or
20,000 tokens where there are fewer than 5 runs; that much is set aside until it has begun.

Tokens are input, output and what was written to the cache. An ID has ${idRule}.
Budgets are files in .purser/budgets of the project, to be kept in git; what was spent is in .purser/spending, which is not.
Exit code 1: it could not be done, or a budget cannot be used; 2: asked wrongly.
`;

const common = { cwd: { value: "a folder" }, json: {}, help: {} };
const joining = { session: { value: "a session's ID" }, ...common };
const needed = { isMissing: "the ID of a convoy is needed first" };
const possible = { isMissing: null };

export const budgetCommand = commandOfWords("budget", help, {
  create: { specs: { ...limitSpecs, ...common }, first: needed, run: running("create", create) },
  list: { specs: common, run: running("list", list) },
  show: { specs: common, first: needed, run: running("show", show) },
  set: { specs: { ...limitSpecs, accept: {}, ...common }, first: needed, run: running("set", set) },
  delete: { specs: common, first: needed, run: running("delete", remove) },
  join: { specs: joining, first: needed, run: running("join", membership(joinConvoy, "joined")) },
  leave: { specs: joining, first: needed, run: running("leave", membership(leaveConvoy, "left")) },
  report: { specs: common, first: possible, run: running("report", report) },
});

function running(word: string, act: (asked: Asked) => ReturnType<typeof show>): CommandWord["run"] {
  return async ({ options, first }, host) => {
    const done = await act({
      id: first,
      options,
      ports: budgetPorts(options, host),
      session: host.env["CLAUDE_CODE_SESSION_ID"],
    });
    if (done.ok) return printed(done.value, options.has("json"), host);
    return done.reason === "bad_argument"
      ? askedWrongly(`budget ${word}`, done.detail, host)
      : budgetFailed(done, host);
  };
}

function printed({ outcome, said }: Done, isJson: boolean, host: CliHost): number {
  if (isJson) host.stdout.write(`${JSON.stringify(budgetToJson(outcome), null, 2)}\n`);
  else if (said === null || outcome.budgets.length > 0) printBudgets(outcome, host);
  if (said !== null && !isJson) host.stdout.write(`${cleanText(said)}\n`);
  return outcome.faults.length > 0 ? 1 : 0;
}
