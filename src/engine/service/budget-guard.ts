import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../base/clock.ts";
import { DisposableList, type Disposable } from "../base/disposable.ts";
import type { BudgetMode } from "../budget/budget-mode.ts";
import type { RunHistory } from "../budget/projection.ts";
import { budgetHandler, type BudgetHandlerPorts } from "../guard/budget-handler.ts";
import { proposalMaker } from "./budget-proposals.ts";
import { BudgetBoard } from "./budget-board.ts";
import { BudgetDesk } from "./budget-desk.ts";
import { BudgetOffers } from "./budget-offers.ts";
import { heldPrograms } from "./held-programs.ts";
import type { LiveAccounts } from "./live-accounts.ts";
import type { LedgerKeeper } from "./ledger-keeper.ts";
import type { Machine } from "../base/machine.ts";
import type { HomeInput, PurserHome } from "./purser-home.ts";
import { projectBudgets } from "./project-budgets.ts";
import { RecentValues } from "./recent-values.ts";

export interface BudgetGuardPorts extends Pick<BudgetHandlerPorts, "memory"> {
  readonly ledger: Pick<LedgerKeeper, "recentTokens" | "onBudgetsRecorded" | "budgetRecorder" | "read">;
  readonly live: LiveAccounts;
  readonly home: PurserHome;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly userHome: string;
  /** What the user wants done when a limit is passed. */
  readonly mode: () => BudgetMode;
  readonly pid: number;
  readonly machine: Machine;
  readonly clock: Clock;
  readonly onProblem: (message: string) => void;
}

/** How much an agent takes changes slowly. Milliseconds. */
const historyTrust = 60_000;
/** Somebody who installs hooks looks whether they hold. Milliseconds. */
const heldTrust = 5000;

/** What holds agents to their budgets, and what tells windows how they stand: both know the same. */
export class BudgetGuard implements Disposable {
  readonly handler: ReturnType<typeof budgetHandler>;
  readonly board: BudgetBoard;
  readonly #owned = new DisposableList();

  constructor({ ledger, live, mode, onProblem, home, env, userHome, memory, ...world }: BudgetGuardPorts) {
    const history = lately((asked) => ledger.recentTokens(asked));
    const { clock } = world;
    const desk = new BudgetDesk({
      budgetsOf: (project) => projectBudgets(project, { ...world, history }),
      reckon: async (project, asked) => await (await ledger.budgetRecorder())?.reckon(project, asked),
      live,
      pause: (milliseconds) => pause(milliseconds),
      clock,
      onProblem,
    });
    const propose = proposalMaker({
      ask: async (question) => {
        const asked = await ledger.read(question);
        return asked.ok ? asked.value : undefined;
      },
      history,
      clock,
    });
    this.board = this.#owned.add(
      new BudgetBoard({
        desk,
        mode,
        clock,
        held: this.#held({ env, home: userHome }),
        propose,
        offers: new BudgetOffers(home, onProblem),
        history,
        record: async () => await (await ledger.budgetRecorder())?.record(),
      }),
    );
    this.handler = budgetHandler({
      mode,
      onProblem,
      memory,
      check: (spender, asked) => desk.check(spender, asked),
      begin: (spender, asked) => desk.begin(spender, asked),
      begun: (spender) => desk.begun(spender),
    });
    this.#owned.add(
      ledger.onBudgetsRecorded((project) => {
        desk.watchOf(project).forget();
        this.board.ask();
      }),
    );
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** Windows ask every second, and settings change seldom. */
  #held(home: HomeInput): (project: string) => readonly string[] {
    const known = new RecentValues((project) => heldPrograms(project, home), {
      trust: heldTrust,
      now: () => performance.now(),
    });
    return (project) => known.of(project);
  }
}

/** A history that is not asked for the same again and again. */
function lately(ask: RunHistory["recentTokens"]): RunHistory {
  const known = new RecentValues(
    (key) => {
      const [agentId = "", model = null] = key.split("\n");
      return ask({ agentId, model });
    },
    { trust: historyTrust, now: () => performance.now() },
  );
  return {
    recentTokens: ({ agentId, model }) => known.of(model === null ? agentId : `${agentId}\n${model}`),
  };
}
