import { BudgetCommands } from "../budgets/commands.ts";
import type { BudgetsDesk } from "../budgets/context.ts";
import { HookDesk } from "../hooks/context.ts";
import { installHooks, uninstallHooks } from "../hooks/install.ts";
import { repairInWindow } from "../hooks/repair.ts";
import { showHooks } from "../hooks/status.ts";
import type { LateCommand } from "../editor/late-commands.ts";

/** Commands that change files: agents' settings and budgets. The code is large, and loaded on first use. */
export class GuardActs {
  readonly #hooks: HookDesk;
  readonly #acts: Readonly<Record<LateCommand, (target: unknown) => Promise<void> | void>>;

  constructor(desk: BudgetsDesk) {
    const hooks = new HookDesk(desk.services);
    const budgets = new BudgetCommands(desk);
    this.#hooks = hooks;
    this.#acts = {
      "purser.installHooks": () => installHooks(hooks),
      "purser.uninstallHooks": () => uninstallHooks(hooks),
      "purser.showHooks": () => showHooks(hooks),
      "purser.applyHookChange": () => hooks.answer(true),
      "purser.dropHookChange": () => hooks.answer(false),
      "purser.createBudget": (target) => budgets.create(target),
      "purser.raiseLimit": (target) => budgets.raise(target),
      "purser.deleteBudget": (target) => budgets.remove(target),
      "purser.openBudgetFile": (target) => budgets.open(target),
      "purser.acceptBudget": (target) => budgets.accept(target),
      "purser.muteBudget": (target) => budgets.mute(target, true),
      "purser.unmuteBudget": (target) => budgets.mute(target, false),
    };
  }

  async run(command: LateCommand, target: unknown): Promise<void> {
    await this.#acts[command](target);
  }

  repairHooks(): Promise<void> {
    return repairInWindow(this.#hooks);
  }
}
