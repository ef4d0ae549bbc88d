import { cleanText } from "../base/text.ts";
import { idRule } from "../budget/convoy-id.ts";
import { parseOptions, quoted, type OptionSpec } from "./args.ts";
import { budgetFailed, budgetPorts } from "./budget-access.ts";
import { create, list, remove, report, set, show, type Asked, type Done } from "./budget-acts.ts";
import { limitForms, limitSpecs } from "./budget-arguments.ts";
import { budgetToJson } from "./budget-outcome.ts";
import { printBudgets } from "./budget-print.ts";
import type { CliHost, Command } from "./cli-host.ts";

const help = `purser budget: what agents may spend, checked before they spend it

  purser budget create ID [limits]       a budget for a convoy: agents that work on one thing
  purser budget set ID [limits]          change what is told, and leave the rest
  purser budget set ID --accept          take a file that was edited by hand as it is
  purser budget show ID                  its limits
  purser budget list                     all of the project's
  purser budget report [ID]              what was used and is set aside, of each limit
  purser budget delete ID                remove it; what was spent stays counted

  --convoy T   all of its agents together; 500k when nothing is told
  --agent T    each agent; 100k when nothing is told
  --session T  each session
  --project T  everything in the project, whatever convoy it is of
  --period P   run, day, week or month, for limits that are told without; day when nothing is told
  --warn N     warn from this percentage of a limit on; 80 when nothing is told
  --cwd DIR    the project's folder, or one in it
  --json       print JSON; its shape is in media/schemas/budget.schema.json
  --help       print this

T is ${limitForms}.
Tokens are input, output and what was written to the cache. An ID has ${idRule}.
Budgets are files in .purser/budgets of the project, to be kept in git; what was spent is in .purser/spending, which is not.
Exit code 1: it could not be done, or a budget cannot be used; 2: asked wrongly.
`;

interface Act {
  readonly specs: Readonly<Record<string, OptionSpec>>;
  readonly id: "needed" | "possible" | "none";
  readonly run: (asked: Asked) => ReturnType<typeof show>;
}

const common = { cwd: { value: "a folder" }, json: {}, help: {} };

const acts: Readonly<Record<string, Act>> = {
  create: { specs: { ...limitSpecs, ...common }, id: "needed", run: create },
  list: { specs: common, id: "none", run: list },
  show: { specs: common, id: "needed", run: show },
  set: { specs: { ...limitSpecs, accept: {}, ...common }, id: "needed", run: set },
  delete: { specs: common, id: "needed", run: remove },
  report: { specs: common, id: "possible", run: report },
};

export const budgetCommand: Command = { help, run };

async function run([name, ...rest]: readonly string[], host: CliHost): Promise<number> {
  if (name === undefined || name === "--help" || name === "-h") {
    host.stdout.write(help);
    return name === undefined ? 2 : 0;
  }
  const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
  if (act === undefined) {
    const known = Object.keys(acts).join(", ");
    host.stderr.write(`purser budget: unknown word ${quoted(name)}; one of ${known} is needed\n`);
    return 2;
  }
  const [first] = rest;
  const isNamed = act.id !== "none" && first !== undefined && !first.startsWith("-");
  const options = parseOptions(isNamed ? rest.slice(1) : rest, act.specs);
  if (!options.ok) return askedWrongly(name, options.detail, host);
  if (options.value.has("help")) {
    host.stdout.write(help);
    return 0;
  }
  if (act.id === "needed" && !isNamed) return askedWrongly(name, "the ID of a convoy is needed first", host);
  const ports = budgetPorts(options.value, host);
  const done = await act.run({ id: isNamed ? first : "", options: options.value, ports });
  if (done.ok) return printed(done.value, options.value.has("json"), host);
  return done.reason === "bad_argument" ? askedWrongly(name, done.detail, host) : budgetFailed(done, host);
}

function printed({ outcome, said }: Done, isJson: boolean, host: CliHost): number {
  if (isJson) host.stdout.write(`${JSON.stringify(budgetToJson(outcome), null, 2)}\n`);
  else if (said === null || outcome.budgets.length > 0) printBudgets(outcome, host);
  if (said !== null && !isJson) host.stdout.write(`${cleanText(said)}\n`);
  return outcome.faults.length > 0 ? 1 : 0;
}

function askedWrongly(name: string, detail: string, host: CliHost): number {
  host.stderr.write(`purser budget ${name}: ${detail}\n`);
  return 2;
}
