import { sentence } from "../../base/language.ts";
import { asLine } from "../terminal-text.ts";
import { printedJson } from "../../base/text.ts";
import { idRule, joinConvoy, leaveConvoy } from "../../budgets/convoys.ts";
import { budgetFailed, budgetFolder, budgetPorts, withService, withWholeSession } from "./budgets-access.ts";
import {
  list,
  membership,
  remove,
  report,
  set,
  show,
  type BudgetInput,
  type Done,
} from "./budgets-actions.ts";
import { limitForms, limitOptions, tokenForms } from "./arguments.ts";
import { check, record, release, type CallDone } from "./budgets-call.ts";
import { create } from "./create-budgets.ts";
import { budgetToJson } from "./budgets-outcome.ts";
import { printBudgets } from "./print-budgets.ts";
import { flag, folder, option } from "../args.ts";
import { command } from "../command.ts";
import type { CommandInput as Given, Done as Finished, Run } from "../declaration.ts";
import type { CliHost } from "../cli-ports.ts";
import { ownSession } from "../../transcripts/agents.ts";

const limits = {
  ...limitOptions,
  lines: option("N", "a number of lines", "lines of code expected; proposes the group's limit from them"),
};
const ofSession = { session: { value: "a session's ID", offers: "sessions" } } as const;
const ofCall = { ...ofSession, agent: { value: "an agent's name", offers: "agents" } } as const;
const needed = { isMissing: sentence("missing ID of a group; purser budget list shows them") };

export const budgetCommand = command({
  name: "budget",
  title: "limits on what agents may spend, checked before they spend it",
  options: {
    ...limits,
    accept: flag("accept a file that was edited by hand"),
    tokens: option("N", tokenForms, "tokens of the call"),
    usd: option(
      "X",
      "dollars",
      "dollars that the call costs (check: default is the project's average for its tokens)",
    ),
    credits: option("X", "credits", "AI credits that the call costs"),
    run: option("R", "a run's name", "name of your run"),
    type: option("T", "a type of agent", "type of the agent, for an estimate without --tokens"),
    model: option("M", "a model's name", "model of the agent, for an estimate without --tokens"),
    reserve: flag("reserve the tokens until the call is recorded or released"),
    for: option("MINUTES", "minutes", "how long to reserve them (default: 10)"),
    lease: option("ID", "a lease's ID", "reservation that the recorded call used"),
    total: flag("the tokens are all of the agent's calls so far in this run, today"),
    cwd: folder("project folder, or a folder in it (default: the working folder)"),
    json: flag(
      "print JSON (schema: media/schemas/budget.schema.json, budget-check.schema.json or budget-record.schema.json)",
    ),
  },
  subcommands: {
    create: {
      words: "ID [limits]",
      does: "create a budget for a group of agents that work on one thing",
      argument: needed,
      takes: ["cwd", "json"],
      options: limits,
      run: running(create),
    },
    set: {
      words: "ID [limits]",
      does: "change the given limits and keep the others",
      more: [{ words: "ID --accept", does: "accept a file that was edited by hand" }],
      argument: needed,
      takes: ["accept", "cwd", "json"],
      options: limitOptions,
      run: running(set),
    },
    show: {
      words: "ID",
      does: "show its limits",
      argument: needed,
      takes: ["cwd", "json"],
      run: running(show),
    },
    list: {
      does: "list the project's budgets, and files that limit nothing",
      takes: ["cwd", "json"],
      run: running(list),
    },
    join: {
      words: "ID [--session S]",
      does: "add a session to the group, whatever its branch",
      argument: needed,
      takes: ["cwd", "json"],
      options: ofSession,
      run: withSession(running(membership(joinConvoy, "joined"))),
    },
    leave: {
      words: "ID [--session S]",
      does: "remove it again",
      argument: needed,
      takes: ["cwd", "json"],
      options: ofSession,
      run: withSession(running(membership(leaveConvoy, "left"))),
    },
    report: {
      words: "[ID]",
      does: "what was used and reserved, for each limit",
      argument: {},
      takes: ["cwd", "json"],
      run: running(report),
    },
    delete: {
      words: "ID",
      does: "delete it; past spending stays counted",
      argument: needed,
      takes: ["cwd", "json"],
      run: running(remove),
    },
    check: {
      heading: "For other programs that spend tokens themselves:",
      words: "[ID] --agent A --tokens N",
      does: "may agent A make a call of N tokens? exit code 0 yes, 3 no",
      argument: {},
      takes: ["tokens", "usd", "credits", "run", "type", "model", "reserve", "for", "cwd", "json"],
      options: ofCall,
      run: withSession(calls(check)),
    },
    record: {
      words: "[ID] --agent A --tokens N",
      does: "record that it used N tokens",
      argument: {},
      takes: ["tokens", "usd", "credits", "run", "lease", "total", "cwd", "json"],
      options: ofCall,
      run: withSession(calls(record)),
    },
    release: {
      words: "LEASE",
      does: "free what was reserved for a call that is not made",
      argument: { isMissing: sentence("missing ID of a lease") },
      takes: ["cwd", "json"],
      options: ofSession,
      run: withSession(calls(release)),
    },
  },
  notes: `
T is ${limitForms}.
create proposes limits that are not given (the group's, and each agent's) from your past usage in this project if there is enough of it,
else from documented defaults. It says which, and what the new limits already count.

For check, record and release: N is ${tokenForms}. With --session S, the ID of a Claude Code or Codex session,
what its transcript reports is not counted twice, and the call counts for the project and branch of that session, wherever you run
the command; if these are unknown, or with --cwd, for this folder's, and the output says which. Without --session, the agent counts
as a session of its own. Without ID, the group is that of the session or the branch. check without --tokens estimates the call:
9 of 10 of your runs of such agents used less. With --reserve, agents that ask at the same time never pass a limit together.

total counts everything ever used. A run is everything from one prompt to the next, with subagents: a prompt of a conversation, a
claude -p, one run of a benchmark. Days, weeks (from Monday) and months are local.

A session belongs to a group if its branch is named like the group's ID (feature/checkout belongs to feature-checkout) or given with
--branch, in any worktree of the project, or if it joined. Subagents belong to their session's group. So three agents on the branch
"checkout" are a group as soon as you run purser budget create checkout.

With hooks installed (purser hooks install), agents are held to their budgets. The setting "budgets", in VS Code or in
~/.purser/settings.json, says how: "off"; "warn", which tells the agent and you, once; or "hard", which also stops a call that would pass a
limit before it is made, and every call while a budget's file is damaged. The size of the next call is estimated from the conversation:
its context, read from the cache or sent anew, and an answer like the last ones. A tool is denied while there is still room for one call
to sum up; after that the turn ends. Before a subagent starts, an estimate of its usage is reserved: 9 of 10 of your runs of such agents
used less, or 20,000 tokens if there are fewer than 5.

Tokens are new tokens: input, output and cache writes. Dollars are at list prices, or at your own in the setting "models", and count
cache reads too; credits are GitHub Copilot's. Where tokens have no known price, the report says so. An ID has ${idRule.text}.
Budgets are files in .purser/budgets of the project and belong in git; spending is in .purser/spending and does not. Of a folder that you
neither trust nor changed a budget in, what agents spend is in ~/.purser/spending and counts all the same.

--at-once, --per-prompt, --depth and --ask-models ask the user once in a prompt, by the agent's own question; what the user allows goes
on until the next prompt. Where nobody can answer, "hard" refuses the subagent and "warn" tells the agent.

Exit codes: 0 done; 1 failed, or a budget cannot be used; 2 usage error; 3 check: the call is not allowed.
`,
});

function inputOf({ options, first }: Given, host: CliHost): BudgetInput {
  const place = budgetFolder(options, host);
  return {
    id: first,
    options,
    folder: place,
    ports: budgetPorts(place, host),
    portsOf: (other) => budgetPorts(other, host),
    withService: (need, act) => withService(host, need, act),
    session: ownSession(host.env)?.id,
  };
}

function withSession(run: Run): Run {
  return async (given, host) => {
    const options = await withWholeSession(given.options, host);
    return options.ok ? await run({ ...given, options: options.value }, host) : options;
  };
}

function running(act: (budgetInput: BudgetInput) => ReturnType<typeof show>): Run {
  return async (given, host) => {
    const done = await act(inputOf(given, host));
    return done.ok ? printed(done.value, given.options.has("json"), host) : failed(done, host);
  };
}

function calls(act: (budgetInput: BudgetInput) => ReturnType<typeof record>): Run {
  return async (given, host) => {
    const done = await act(inputOf(given, host));
    return done.ok ? printedCall(done.value, given.options.has("json"), host) : failed(done, host);
  };
}

function failed(failure: Exclude<Awaited<ReturnType<typeof show>>, { ok: true }>, host: CliHost): Finished {
  const { reason } = failure;
  return reason === "bad_argument" ? failure : budgetFailed({ ...failure, reason }, host);
}

function printed({ outcome, message, note = null }: Done, isJson: boolean, host: CliHost): number {
  if (isJson) host.stdout.write(`${printedJson(budgetToJson(outcome), 2)}\n`);
  else if (message === null || outcome.budgets.length > 0) printBudgets(outcome, host);
  if (message !== null && !isJson) host.stdout.write(`${message}\n`);
  if (note !== null) host.stderr.write(`purser budget: ${asLine(note)}\n`);
  return outcome.faults.length > 0 ? 1 : 0;
}

function printedCall({ json, text, code }: CallDone, isJson: boolean, host: CliHost): number {
  host.stdout.write(isJson ? `${printedJson(json, 2)}\n` : `${text}\n`);
  return code;
}
