import { BudgetCommands } from "../budgets/commands.ts";
import type { BudgetsContext } from "../budgets/budgets-context.ts";
import { InstallerContext } from "../hooks/hooks-context.ts";
import { installHooks } from "../hooks/install.ts";
import { repairInWindow } from "../hooks/repair-hooks.ts";
import { showHooks } from "../hooks/hooks-status.ts";
import type { LazyCommand } from "../editor/lazy-commands.ts";

/** Commands that change files: agents' settings and budgets. The code is large, and loaded on first use. */
export class GuardActions {
  readonly #hooks: InstallerContext;
  readonly #actions: Readonly<Record<LazyCommand, (target: unknown) => Promise<void> | void>>;

  constructor(context: BudgetsContext) {
    const hooks = new InstallerContext(context.services);
    const budgets = new BudgetCommands(context);
    this.#hooks = hooks;
    this.#actions = {
      "purser.installHooks": () => installHooks(hooks),
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

  async run(command: LazyCommand, target: unknown): Promise<void> {
    await this.#actions[command](target);
  }

  repairHooks(): Promise<void> {
    return repairInWindow(this.#hooks);
  }
}
