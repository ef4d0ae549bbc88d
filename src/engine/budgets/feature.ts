import { setTimeout as pause } from "node:timers/promises";
import { TtlCache } from "../base/timing.ts";
import type { CreateFeature, ServiceCore } from "../hooks/feature.ts";
import { heldPrograms } from "../hooks/install.ts";
import { RepeatedProblems } from "../hooks/hooks-handler.ts";
import { OwnCatalogues } from "../sessions/live.ts";
import { fanOutAnswer } from "./live/fan-out-handler.ts";
import type { HookSpender } from "./check/check.ts";
import { budgetHandler } from "./live/budgets-handler.ts";
import { BudgetChecks } from "./live/checks.ts";
import { BudgetStatusFeed } from "./live/budgets-feed.ts";
import { projectBudgets } from "./live/project.ts";
import { proposalMaker } from "./live/proposals.ts";
import { serveBudgets } from "./live/serve-budgets.ts";
import { apartPlace } from "./spending.ts";
import type { RunHistory } from "./projection.ts";

export { BudgetRecorder } from "./live/budgets-recorder.ts";
export { projectBudgets } from "./live/project.ts";

/** An agent's usage changes slowly. Milliseconds. */
const historyCacheTtl = 60_000;

function recentHistory(ask: RunHistory["recentTokens"]): RunHistory {
  const known = new TtlCache(
    (key) => {
      const [agentId = "", model = null] = key.split("\n");
      return ask({ agentId, model });
    },
    { trust: historyCacheTtl, now: () => performance.now() },
  );
  return {
    recentTokens: ({ agentId, model }) => known.get(model === null ? agentId : `${agentId}\n${model}`),
  };
}

/** How long the list of agents with hooks is cached: users who install hooks check for the effect. Milliseconds. */
const heldCacheTtl = 5000;

/** Holds agents to their budgets, and reports the budgets' status to windows, from the same data. */
export const budgetFeature: CreateFeature = (core) => {
  const parts = core && createBudgets(core);
  return {
    name: "budgets",
    serve: [serveBudgets(parts?.feed)],
    register: (hooks) => {
      if (parts !== undefined) hooks.register(parts.handler);
    },
  };
};

function createBudgets(core: ServiceCore) {
  const { ledger, live, settings, memory, owned, clock, env, userHome } = core;
  const { budgetMode: mode = () => settings.now().budgets } = core;
  const problems = new RepeatedProblems(core.onProblem, () => clock.now());
  const onProblem = (message: string) => problems.add("budgets", message);
  const apart = apartPlace(core);
  const history = recentHistory((asked) => ledger.recentTokens(asked));
  const catalogues = new OwnCatalogues();
  const checks = new BudgetChecks({
    budgetsOf: (project) => projectBudgets(project, { ...core, history, apart }),
    sync: async (project, asked) => await (await ledger.budgetRecorder())?.sync(project, asked),
    live,
    catalogue: () => catalogues.forSettings(settings.now()).catalogue,
    pause: (milliseconds) => pause(milliseconds),
    clock,
    onProblem,
  });
  // Windows ask every second, and settings change rarely.
  const held = new TtlCache((project) => heldPrograms(project, { env, home: userHome }), {
    trust: heldCacheTtl,
    now: () => performance.now(),
  });
  const feed = owned.add(
    new BudgetStatusFeed({
      checks,
      mode,
      clock,
      held: (project) => held.get(project),
      propose: proposalMaker({
        ask: async (question) => {
          const asked = await ledger.read(question);
          return asked.ok ? asked.value : undefined;
        },
        history,
        clock,
      }),
      history,
      record: async () => await (await ledger.budgetRecorder())?.record(),
    }),
  );
  owned.add(
    ledger.onBudgetsRecorded((project) => {
      checks.watchOf(project).forget();
      feed.ask();
    }),
  );
  const limitsOf = (spender: HookSpender) => checks.fanOutOf(spender);
  const budget = budgetHandler({ mode, onProblem, memory, checks });
  const fanOut = fanOutAnswer({ mode, limitsOf, memory, clock });
  // One handler, since the handlers of an event share its time.
  const handler: typeof budget = {
    ...budget,
    answer: async (event, about) => {
      const own = await budget.answer(event, about);
      if (own?.permission !== undefined) return own;
      const asked = await fanOut(event, about);
      return asked === null ? own : { ...own, ...asked };
    },
  };
  return { feed, handler };
}
