import * as vscode from "vscode";
import type { Disposable, Observable } from "../../engine/base/events.ts";
import { budgetBadge } from "../budgets/status-bar.ts";
import type { BudgetBadge } from "../sessions/status-text.ts";
import { BudgetMutes, textOptions, type BudgetsContext } from "../budgets/budgets-context.ts";
import { registerBudgetNotices } from "../budgets/budgets-notices.ts";
import { registerBudgetProblems } from "../budgets/budgets-problems.ts";
import { BudgetsFeed } from "../budgets/budgets-state.ts";
import { registerBudgetsView } from "../budgets/budgets-view.ts";
import type { GuardActions } from "./guard-actions.ts";
import { type GuardRow, GuardFeed } from "./guard-feed.ts";
import { systemClock } from "../../engine/base/timing.ts";
import type { LazyCommand } from "../editor/lazy-commands.ts";
import { registerMessages } from "../messages/messages-notices.ts";
import type { Services } from "../services.ts";
import { hasHooks } from "../hooks/any-installed.ts";
import { onSettingsChange } from "../editor/settings.ts";
import { versionIn } from "../../engine/base/process.ts";
import { windowFolders } from "../editor/window-files.ts";
import { t } from "../../engine/base/language.ts";
/** Milliseconds. */
const repairAfter = 4000;

/** Everything about hooks, budgets and messages in a window, loaded after the window has started. */
export class GuardHost implements vscode.Disposable {
  readonly #services: Services;
  readonly #budgets: BudgetsContext;
  readonly #owned: readonly Disposable[];
  #actions: Promise<GuardActions> | undefined;
  #repair: NodeJS.Timeout | undefined;

  constructor(services: Services, badge: Observable<BudgetBadge>, row: Observable<GuardRow>) {
    const { link, service, log, context, sessions } = services;
    this.#services = services;
    const feed = new BudgetsFeed({ service, folders: windowFolders, warn: (message) => log.warn(message) });
    const mutes = new BudgetMutes(context.globalState);
    const budgets: BudgetsContext = { services, feed, mutes };
    this.#budgets = budgets;
    const show = () => {
      const isLive = (id: string) => sessions.find(id)?.live === true;
      badge.set(budgetBadge(feed.projects ?? [], { t, isLive, titleOf: textOptions(budgets, t).titleOf }));
    };
    this.#owned = [
      feed,
      mutes,
      feed.onChange(show),
      sessions.onChange(show),
      registerBudgetsView(budgets),
      registerBudgetNotices(budgets),
      registerBudgetProblems(budgets),
      registerMessages(services),
      new GuardFeed({ service, clock: systemClock, t, onSettingsChange, hasHooks }, row),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void feed.follow()),
      link.onClient(() => this.#repairSoon()),
    ];
    this.#repairSoon();
  }

  async run(command: LazyCommand, target: unknown): Promise<void> {
    await (await this.#load()).run(command, target);
  }

  dispose(): void {
    clearTimeout(this.#repair);
    for (const item of this.#owned) item.dispose();
  }

  #load(): Promise<GuardActions> {
    this.#actions ??= this.#start();
    return this.#actions;
  }

  async #start(): Promise<GuardActions> {
    const { GuardActions } = await import("./guard-actions.ts");
    return new GuardActions(this.#budgets);
  }

  /** A service that has to change ports notices shortly after its start, and is a new connection. */
  #repairSoon(): void {
    clearTimeout(this.#repair);
    this.#repair = setTimeout(() => this.#repairHooks(), repairAfter);
  }

  /**
   * Repairs hooks only if any were ever installed, and only in a window of the serving version: a window still running an
   * older one would undo the newer one's repairs.
   */
  #repairHooks(): void {
    const { link, log, context } = this.#services;
    if (versionIn(context.extension.packageJSON) !== link.client?.version) return;
    if (!hasHooks()) return;
    void this.#load()
      .then((actions) => actions.repairHooks())
      .catch((error: unknown) => log.error(`Hooks could not be looked at: ${String(error)}`));
  }
}
