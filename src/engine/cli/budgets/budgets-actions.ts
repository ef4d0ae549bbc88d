import { type Sentence, sentence, t } from "../../base/language.ts";
import { cleanText } from "../../base/text.ts";
import { succeed, type Result } from "../../base/result.ts";
import {
  listBudgets,
  acceptBudget,
  deleteBudget,
  loadBudget,
  saveBudget,
  type StoredBudget,
  type joinConvoy,
} from "../../budgets/convoys.ts";
import type { Budgeted } from "../../budgets/budget.ts";
import type { BudgetPorts } from "../../budgets/check.ts";
import { getBudgetReport } from "../../budgets/budget-report.ts";
import { type ParsedOptions, wrongUsage } from "../args.ts";
import { limitOptions, readBudgetOptions } from "./arguments.ts";
import type { BudgetService } from "./budgets-access.ts";
import type { BudgetOutcome, ShownBudget } from "./budgets-outcome.ts";

export interface BudgetInput {
  readonly id: string;
  readonly options: ParsedOptions;
  readonly folder: string;
  readonly ports: BudgetPorts;
  readonly portsOf: (folder: string) => BudgetPorts;
  readonly withService: <Value>(
    need: "running" | "started",
    act: (service: BudgetService | null) => Promise<Value>,
  ) => Promise<Value>;
  /** The session that the command was typed in; undefined outside of one. */
  readonly session: string | undefined;
}

export interface Done {
  readonly outcome: BudgetOutcome;
  readonly message: string | null;
  readonly note?: Sentence | null;
}

export type Answer = Promise<Budgeted<Done> | Result<Done, "bad_argument">>;

const limitNames = Object.keys(limitOptions);

export async function set({ id, options, ports }: BudgetInput): Answer {
  const isAnyGiven = limitNames.some((name) => options.has(name));
  if (options.has("accept")) {
    if (isAnyGiven)
      return wrongUsage(
        sentence("--accept only accepts the file as it is; change limits with another command"),
      );
    const accepted = await acceptBudget(id, ports);
    if (!accepted.ok) return accepted;
    return succeed(
      shown([accepted.value], ports, cleanText(t("Accepted {0} as it is", accepted.value.file))),
    );
  }
  if (!isAnyGiven)
    return wrongUsage(
      sentence(
        "nothing to change; give a limit, --period, --warn, --branch, --at-once, --per-prompt, --depth or --ask-models",
      ),
    );
  return await change({ id, options, ports });
}

/**
 * Maximum attempts: another process may change the same budget in between; the request is then applied to the
 * result.
 */
const attempts = 20;

async function change({ id, options, ports }: Pick<BudgetInput, "id" | "options" | "ports">): Answer {
  for (let attempt = 1; ; attempt += 1) {
    const loaded = await loadBudget(id, ports);
    if (!loaded.ok) return loaded;
    const { budget, revision } = loaded.value;
    const wanted = readBudgetOptions(options, budget);
    if (!wanted.ok) return wanted;
    const { schema, convoyId } = budget;
    const saved = await saveBudget({ schema, convoyId, ...wanted.value }, revision, ports);
    if (saved.ok) return succeed(shown([saved.value], ports, cleanText(t("Changed {0}", saved.value.file))));
    if (saved.reason !== "changed" || attempt === attempts) return saved;
  }
}

/** By default the current session. */
export function membership(act: typeof joinConvoy, done: "joined" | "left"): (input: BudgetInput) => Answer {
  return async ({ id, options, ports, session }) => {
    const sessionId = options.value("session") ?? session;
    if (sessionId === undefined)
      return wrongUsage(sentence("missing --session ID (inside a session it is known)"));
    const changed = await act(id, sessionId, ports);
    const words =
      done === "joined"
        ? t("Session {0} joined {1}", sessionId, id)
        : t("Session {0} left {1}", sessionId, id);
    return changed.ok ? succeed(shown([changed.value], ports, cleanText(words))) : changed;
  };
}

export async function remove({ id, ports }: BudgetInput): Answer {
  const deleted = await deleteBudget(id, ports);
  if (!deleted.ok) return deleted;
  return succeed(shown([], ports, t("Deleted {0}; past spending stays counted", cleanText(deleted.value))));
}

export async function list({ ports }: Pick<BudgetInput, "ports">): Answer {
  const listed = await listBudgets(ports);
  if (!listed.ok) return listed;
  const stored = listed.value.budgets.map((each) => each.stored);
  const done = shown(
    stored.flatMap((each) => (each.ok ? [each.value] : [])),
    ports,
    null,
  );
  const faults = stored.flatMap((each) => (each.ok ? [] : [each]));
  const { strays } = listed.value;
  return succeed({ ...done, outcome: { ...done.outcome, faults, strays } });
}

export async function show({ id, ports }: Pick<BudgetInput, "id" | "ports">): Answer {
  const loaded = await loadBudget(id, ports);
  return loaded.ok ? succeed(shown([loaded.value], ports, null)) : loaded;
}

/** Charges all usage up to now first. */
export async function report(input: BudgetInput): Answer {
  const found = input.id === "" ? await list(input) : await show(input);
  if (!found.ok || found.value.outcome.budgets.length === 0) return found;
  const note = await input.withService("started", async (service) =>
    service === null ? notSynced : await service.sync(input.folder),
  );
  const { outcome } = found.value;
  const budgets: ShownBudget[] = [];
  const faults = [...outcome.faults];
  // A damaged budget makes the others' limits unknown; the damage is reported instead.
  for (const each of faults.length > 0 ? [] : outcome.budgets) {
    const budgetReport = await getBudgetReport(each.budget.convoyId, input.ports);
    if (!budgetReport.ok) return budgetReport;
    budgets.push({ ...each, report: budgetReport.value });
  }
  return succeed({ message: null, note, outcome: { ...outcome, budgets, faults } });
}

const notSynced = sentence(
  "purser's service cannot be reached, so usage since it last ran is not counted; start it with purser service restart",
);

export function shown(
  stored: readonly (StoredBudget & Partial<Pick<ShownBudget, "report">>)[],
  { project }: BudgetPorts,
  message: string | null,
): Done {
  const budgets = stored.map(({ budget, file, report: budgetReport = null }) => ({
    budget,
    file,
    report: budgetReport,
  }));
  return { message, outcome: { project, budgets, faults: [], strays: [] } };
}
