import { cleanText } from "../base/text.ts";
import { fail, succeed, type Result } from "../base/result.ts";
import {
  acceptBudget,
  createBudget,
  deleteBudget,
  listBudgets,
  loadBudget,
  saveBudget,
  type StoredBudget,
} from "../budget/budget-store.ts";
import type { Budgeted } from "../budget/budget-faults.ts";
import type { BudgetPorts } from "../budget/check-budget.ts";
import type { joinConvoy } from "../budget/members.ts";
import { getBudgetReport } from "../budget/report.ts";
import type { ParsedOptions } from "./args.ts";
import { limitSpecs, readBudgetOptions } from "./budget-arguments.ts";
import type { BudgetOutcome } from "./budget-outcome.ts";

/** What a word was given. */
export interface Asked {
  readonly id: string;
  readonly options: ParsedOptions;
  readonly ports: BudgetPorts;
  /** The agent's session that this was typed in; undefined in none. */
  readonly session: string | undefined;
}

/** What a word did: what to show, and a line that says so. */
export interface Done {
  readonly outcome: BudgetOutcome;
  readonly said: string | null;
}

type Answer = Promise<Budgeted<Done> | Result<Done, "bad_argument">>;

export async function create({ id, options, ports }: Asked): Answer {
  const wanted = readBudgetOptions(options);
  if (!wanted.ok) return wanted;
  const made = await createBudget({ convoyId: id, ...wanted.value }, ports);
  return made.ok ? succeed(shown([made.value], ports, `Created ${made.value.file}`)) : made;
}

const limitNames = Object.keys(limitSpecs);

export async function set({ id, options, ports }: Asked): Answer {
  const isAnyTold = limitNames.some((name) => options.has(name));
  if (options.has("accept")) {
    if (isAnyTold) return fail("bad_argument", "--accept takes the file as it is; change it afterwards");
    const accepted = await acceptBudget(id, ports);
    if (!accepted.ok) return accepted;
    return succeed(shown([accepted.value], ports, `Accepted ${accepted.value.file} as it is`));
  }
  if (!isAnyTold)
    return fail(
      "bad_argument",
      "say what to change: --project, --convoy, --agent, --session, --period, --warn or --branch",
    );
  return await change({ id, options, ports });
}

/** Somebody else may change the same budget: then what is asked for is put into theirs. */
const attempts = 20;

async function change({ id, options, ports }: Omit<Asked, "session">): Answer {
  for (let attempt = 1; ; attempt += 1) {
    const loaded = await loadBudget(id, ports);
    if (!loaded.ok) return loaded;
    const { budget, revision } = loaded.value;
    const wanted = readBudgetOptions(options, budget);
    if (!wanted.ok) return wanted;
    const { schema, convoyId } = budget;
    const saved = await saveBudget({ schema, convoyId, ...wanted.value }, revision, ports);
    if (saved.ok) return succeed(shown([saved.value], ports, `Changed ${saved.value.file}`));
    if (saved.reason !== "changed" || attempt === attempts) return saved;
  }
}

/** Puts a session into the convoy, or takes it out: the one that is told, else the one that asks. */
export function membership(act: typeof joinConvoy, words: string): (asked: Asked) => Answer {
  return async ({ id, options, ports, session }) => {
    const sessionId = options.value("session") ?? session;
    if (sessionId === undefined)
      return fail("bad_argument", "say which session with --session ID; inside of one it is known");
    const done = await act(id, sessionId, ports);
    return done.ok
      ? succeed(shown([done.value], ports, `Session ${cleanText(sessionId)} ${words} ${id}`))
      : done;
  };
}

export async function remove({ id, ports }: Asked): Answer {
  const deleted = await deleteBudget(id, ports);
  if (!deleted.ok) return deleted;
  return succeed(shown([], ports, `Deleted ${cleanText(deleted.value)}; what was spent stays counted`));
}

export async function list({ ports }: Asked): Answer {
  const listed = await listBudgets(ports);
  if (!listed.ok) return listed;
  const stored = listed.value.map((each) => each.stored);
  const done = shown(
    stored.flatMap((each) => (each.ok ? [each.value] : [])),
    ports,
    null,
  );
  const faults = stored.flatMap((each) => (each.ok ? [] : [each]));
  return succeed({ ...done, outcome: { ...done.outcome, faults } });
}

export async function show({ id, ports }: Asked): Answer {
  const loaded = await loadBudget(id, ports);
  return loaded.ok ? succeed(shown([loaded.value], ports, null)) : loaded;
}

/** Of one budget, or of all. */
export async function report(asked: Asked): Answer {
  const found = asked.id === "" ? await list(asked) : await show(asked);
  if (!found.ok) return found;
  const { outcome } = found.value;
  const budgets: BudgetOutcome["budgets"][number][] = [];
  const faults = [...outcome.faults];
  // One that is damaged keeps the others' limits from being known; it is told instead.
  for (const each of faults.length > 0 ? [] : outcome.budgets) {
    const told = await getBudgetReport(each.budget.convoyId, asked.ports);
    if (!told.ok) return told;
    budgets.push({ ...each, report: told.value });
  }
  return succeed({ said: null, outcome: { ...outcome, budgets, faults } });
}

function shown(stored: readonly StoredBudget[], { project }: BudgetPorts, said: string | null): Done {
  const budgets = stored.map(({ budget, file }) => ({ budget, file, report: null }));
  return { said, outcome: { project, budgets, faults: [] } };
}
