import * as vscode from "vscode";
import type { ProjectBudgets } from "../../engine/budgets/budgets-answers.ts";
import type { BudgetTextOptions } from "./budgets-node-text.ts";
import { distinctProjects, type BudgetsFeed } from "./budgets-state.ts";
import type { Services } from "../services.ts";
import { sessionName, type Translate } from "../editor/describe-editor.ts";

const mutedKey = "mutedBudgets";
const shownKey = "budgetAlarmsTold";
/** Maximum entries stored. Old periods do not come back. */
const maxEntries = 300;

/** Budget alarms already shown, and muted budgets, across all windows and restarts. */
export class BudgetMutes implements vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly onChange = this.#changes.event;
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  isMuted(project: string, convoyId: string): boolean {
    return this.#held(mutedKey).includes(keyOf(project, convoyId));
  }

  async mute({ project }: ProjectBudgets, convoyId: string, isMuted: boolean): Promise<void> {
    const key = keyOf(project, convoyId);
    const others = this.#held(mutedKey).filter((held) => held !== key);
    await this.#memory.update(mutedKey, (isMuted ? [...others, key] : others).slice(-maxEntries));
    this.#changes.fire();
  }

  wasShown(key: string): boolean {
    return this.#held(shownKey).includes(key);
  }

  /** Called before an alarm is shown, so that a burst of changes cannot show it twice. */
  markShown(keys: readonly string[]): void {
    const held = this.#held(shownKey).filter((key) => !keys.includes(key));
    void this.#memory.update(shownKey, [...held, ...keys].slice(-maxEntries));
  }

  dispose(): void {
    this.#changes.dispose();
  }

  #held(name: string): string[] {
    return this.#memory.get<string[]>(name, []);
  }
}

function keyOf(project: string, convoyId: string): string {
  return JSON.stringify([project, convoyId]);
}

/** Context shared by all budget features of a window. */
export interface BudgetsContext {
  readonly services: Services;
  readonly feed: BudgetsFeed;
  readonly mutes: BudgetMutes;
}

/** The window's projects, without duplicates. */
export function projectsOf({ feed }: BudgetsContext): ProjectBudgets[] {
  return distinctProjects(feed.projects ?? []);
}

export function textOptions({ services, mutes }: BudgetsContext, t: Translate): BudgetTextOptions {
  return {
    t,
    titleOf: (id) => {
      const session = services.sessions.find(id);
      return session === undefined ? undefined : sessionName(session);
    },
    isMuted: (project, convoyId) => mutes.isMuted(project, convoyId),
  };
}
