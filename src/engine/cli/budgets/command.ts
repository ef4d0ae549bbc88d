import { cleanText } from "../../base/text/text.ts";
import { idRule } from "../../budgets/convoys/id.ts";
import { joinConvoy, leaveConvoy } from "../../budgets/convoys/members.ts";
import { budgetFailed, budgetFolder, budgetPorts, withService } from "./access.ts";
import { list, membership, remove, report, set, show, type Asked, type Done } from "./actions.ts";
import { limitForms, limitSpecs, tokenForms } from "./arguments.ts";
import { check, record, release, type CallDone } from "./call.ts";
import { create } from "./create.ts";
import { budgetToJson } from "./outcome.ts";
import { printBudgets } from "./print.ts";
import type { ParsedOptions } from "../args.ts";
import type { CliHost } from "../ports.ts";
import { usageError, commandWithSubcommands, type Subcommand } from "../subcommands.ts";
import { ownSession } from "../../transcripts/agents.ts";

const help = `purser budget: what agents may spend, checked before they spend it

  purser budget create ID [limits]       a budget for a convoy: agents that work on one thing
  purser budget set ID [limits]          change what is told, and leave the rest
  purser budget set ID --accept          take a file that was edited by hand as it is
  purser budget show ID                  its limits
  purser budget list                     all of the project's, and files beside them that are none
  purser budget join ID [--session S]    put a session into the convoy, whatever branch it is on
  purser budget leave ID [--session S]   and take it out again
  purser budget report [ID]              what was used and is set aside, of each limit
  purser budget delete ID                remove it; what was spent stays counted

For other programs, which spend tokens themselves:

  purser budget check [ID] --agent A --tokens N    may agent A make a call that uses N tokens? exit code 0 yes, 3 no
  purser budget record [ID] --agent A --tokens N   it used N
  purser budget release LEASE                      it is not made: what was set aside is free again

  --convoy T   all of its agents together
  --agent T    each agent: the main agent of each session, and each subagent
  --session T  each session, its subagents included
  --project T  everything in the project, whatever convoy it is of
  --period P   total, run, day, week or month, for limits that are told without; day for a project, else total
  --lines N    the work is expected to write so many lines: what its convoy may use is proposed from that
  --warn N     warn from this percentage of a limit on; 80 when nothing is told
  --branch B   sessions on these branches are of the convoy; by commas, * stands for anything
  --cwd DIR    the project's folder, or one in it
  --json       print JSON; its shape is in media/schemas/budget.schema.json, budget-check.schema.json and
               budget-record.schema.json
  --help       print this

T is ${limitForms}.
Limits that create is not told (the convoy's, and each agent's) are proposed from what you used in this project before, where
that is enough to tell; else from documented defaults. It says which, and what the new limits count already.

check and record: N is ${tokenForms}. An agent that is told without --session S is one of its own session; tell
the session's id of a Claude Code or Codex session: what its transcript tells is then not counted twice. A session that is told is held to
the project it began in, and to its own branch, wherever you ask; where that is not known, or with --cwd, to this folder's, and the answer
says which; tell release the same session. Without ID, the convoy is the one that the session or the branch is of. --run R names a run of yours. check without --tokens takes what such agents (--type T,
--model M) took in 9 of 10 of your own runs, and --reserve sets it aside for --for MINUTES (10), so that agents who ask at once never
pass a limit together; record --lease ID settles it. record --total tells all of the agent's calls so far in this run, today.

total counts all that was ever used. A run is what one prompt begins, subagents and what they hand back included, until the next
prompt: each prompt of a conversation, a claude -p, one run of a benchmark. Days, weeks (from Monday) and months are local ones.

A convoy is a few agents that work on one thing. Sessions are of it whose branch is called like its ID (feature/checkout is of
feature-checkout) or is told with --branch, also in other worktrees of the project, and those that joined; subagents are of their
session's. Three agents on the branch "checkout" are a convoy as soon as there is purser budget create checkout.

With hooks installed (purser hooks install) agents are held to their budgets. The setting "budgets", in VS Code or in
~/.purser/settings.json, says how: "off", "warn" tells the agent and you, once, "hard" also stops the call that would pass a limit, before
it is made, and any call while a budget's file is damaged. What a call will use is projected from the conversation itself: its
context, read from a warm cache or written anew, and an answer as long as its last ones. A tool is denied while there is still room for
one call to sum up; after that the turn ends. A subagent is counted before it begins with what such agents took in 9 of 10 of your own runs,
or 20,000 tokens where there are fewer than 5 runs; that much is set aside until it has begun.

Tokens are input, output and what was written to the cache. An ID has ${idRule}.
Budgets are files in .purser/budgets of the project, to be kept in git; what was spent is in .purser/spending, which is not.
Exit code 1: it could not be done, or a budget cannot be used; 2: asked wrongly; 3: check's call is not allowed.
`;

const common = { cwd: { value: "a folder" }, json: {}, help: {} };
const joining = { session: { value: "a session's ID" }, ...common };
const calling = {
  agent: { value: "an agent's name" },
  session: { value: "a session's ID" },
  run: { value: "a run's name" },
  tokens: { value: tokenForms },
  ...common,
};
const checking = {
  ...calling,
  type: { value: "what such agents are called" },
  model: { value: "a model's name" },
  reserve: {},
  for: { value: "minutes" },
};
const needed = { isMissing: "the ID of a convoy is needed first" };
const possible = { isMissing: null };

export const budgetCommand = commandWithSubcommands("budget", help, {
  create: {
    specs: { ...limitSpecs, lines: { value: "a number of lines" }, ...common },
    first: needed,
    run: running("create", create),
  },
  list: { specs: common, run: running("list", list) },
  show: { specs: common, first: needed, run: running("show", show) },
  set: { specs: { ...limitSpecs, accept: {}, ...common }, first: needed, run: running("set", set) },
  delete: { specs: common, first: needed, run: running("delete", remove) },
  join: { specs: joining, first: needed, run: running("join", membership(joinConvoy, "joined")) },
  leave: { specs: joining, first: needed, run: running("leave", membership(leaveConvoy, "left")) },
  report: { specs: common, first: possible, run: running("report", report) },
  check: { specs: checking, first: possible, run: calls("check", check) },
  record: {
    specs: { ...calling, lease: { value: "a lease's ID" }, total: {} },
    first: possible,
    run: calls("record", record),
  },
  release: {
    specs: joining,
    first: { isMissing: "the ID of a lease is needed first" },
    run: calls("release", release),
  },
});

function askedOf({ options, first }: { options: ParsedOptions; first: string }, host: CliHost): Asked {
  const folder = budgetFolder(options, host);
  return {
    id: first,
    options,
    folder,
    ports: budgetPorts(folder, host),
    portsOf: (other) => budgetPorts(other, host),
    withService: (need, act) => withService(host, need, act),
    session: ownSession(host.env)?.id,
  };
}

function running(word: string, act: (asked: Asked) => ReturnType<typeof show>): Subcommand["run"] {
  return async (given, host) => {
    const done = await act(askedOf(given, host));
    if (done.ok) return printed(done.value, given.options.has("json"), host);
    return failed(word, done, host);
  };
}

function calls(word: string, act: (asked: Asked) => ReturnType<typeof record>): Subcommand["run"] {
  return async (given, host) => {
    const done = await act(askedOf(given, host));
    return done.ok ? printedCall(done.value, given.options.has("json"), host) : failed(word, done, host);
  };
}

function failed(
  word: string,
  failure: Exclude<Awaited<ReturnType<typeof show>>, { ok: true }>,
  host: CliHost,
): number {
  return failure.reason === "bad_argument"
    ? usageError(`budget ${word}`, failure.detail, host)
    : budgetFailed({ ...failure, reason: failure.reason }, host);
}

function printed({ outcome, message, note = null }: Done, isJson: boolean, host: CliHost): number {
  if (isJson) host.stdout.write(`${JSON.stringify(budgetToJson(outcome), null, 2)}\n`);
  else if (message === null || outcome.budgets.length > 0) printBudgets(outcome, host);
  if (message !== null && !isJson) host.stdout.write(`${message}\n`);
  if (note !== null) host.stderr.write(`purser budget: ${cleanText(note)}\n`);
  return outcome.faults.length > 0 ? 1 : 0;
}

function printedCall({ json, text, code }: CallDone, isJson: boolean, host: CliHost): number {
  host.stdout.write(isJson ? `${JSON.stringify(json, null, 2)}\n` : `${text}\n`);
  return code;
}
