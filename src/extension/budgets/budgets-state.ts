import type { BudgetLevel, ConvoyBudget, ProjectBudgets } from "../../engine/budgets/budgets-answers.ts";
import { Emitter, type Disposable } from "../../engine/base/events.ts";
import type { ServiceConnection } from "../service/connection.ts";

/** A limit with the convoy and project it belongs to. */
export interface HeldLevel {
  readonly project: ProjectBudgets;
  readonly convoy: ConvoyBudget;
  readonly level: BudgetLevel;
}

/** Removes duplicates: two folders of a window may be in one project. */
export function distinctProjects(projects: readonly ProjectBudgets[]): ProjectBudgets[] {
  return [...new Map(projects.map((each) => [each.project, each])).values()];
}

/** Whether a project has anything to show. */
export function hasBudgets({ convoys, faults, strays }: ProjectBudgets): boolean {
  return convoys.length + faults.length + strays.length > 0;
}

export function heldLevels(projects: readonly ProjectBudgets[]): HeldLevel[] {
  return projects.flatMap((project) =>
    project.convoys.flatMap((convoy) => convoy.levels.map((level) => ({ project, convoy, level }))),
  );
}

const order = { ok: 0, warning: 1, exceeded: 2 };

/** The most urgent limit: passed before near, then by share; undefined for an empty list. */
export function worst(levels: readonly HeldLevel[]): HeldLevel | undefined {
  return levels.toSorted(
    (one, other) =>
      order[other.level.state] - order[one.level.state] || other.level.percent - one.level.percent,
  )[0];
}

/** Whether a limit still matters. A session that has ended spends nothing more, and neither do its agents. */
export function isPresent({ sessionId }: BudgetLevel, isLive: (sessionId: string) => boolean): boolean {
  return sessionId === null || isLive(sessionId);
}

/** The limits that matter now; those of ended sessions appear only in the view. */
export function presentLevels(
  projects: readonly ProjectBudgets[],
  isLive: (sessionId: string) => boolean,
): HeldLevel[] {
  return heldLevels(projects.filter(({ mode }) => mode !== "off")).filter(({ level }) =>
    isPresent(level, isLive),
  );
}

interface FeedPorts {
  readonly service: ServiceConnection;
  /** The window's folders, read when needed. */
  readonly folders: () => readonly string[];
  readonly warn: (message: string) => void;
}

/** The budgets of this window's folders. Without a service the last known ones stay. */
export class BudgetsFeed implements Disposable {
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.on;
  readonly #ports: FeedPorts;
  readonly #subscription: Disposable;
  #attempt = 0;
  /** One per folder, as the service answers. Undefined until its first answer. */
  projects: readonly ProjectBudgets[] | undefined;

  constructor(ports: FeedPorts) {
    this.#ports = ports;
    this.#subscription = ports.service.onChanged("budgetsChanged", (changed) => {
      if (changed === undefined) void this.follow();
      else this.#become(changed.projects);
    });
    void this.follow();
  }

  /** Reads the budgets of the current folders, and subscribes to their changes. */
  async follow(): Promise<void> {
    const attempt = ++this.#attempt;
    const { service, folders, warn } = this.#ports;
    const answer = await service.ask("budgetsFollow", { folders: [...folders()] });
    if (attempt !== this.#attempt) return;
    if (answer.ok) this.#become(answer.value.projects);
    else if (answer.reason === "failed") warn(`Budgets are not known: ${answer.detail.text}`);
  }

  dispose(): void {
    this.#attempt = -1;
    this.#subscription.dispose();
    this.#changes.dispose();
  }

  #become(projects: readonly ProjectBudgets[]): void {
    this.projects = projects;
    this.#changes.fire();
  }
}
