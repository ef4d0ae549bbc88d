import { Emitter, type Disposable } from "../../engine/base/events.ts";
import type { ProjectBudgets } from "../../engine/budgets/answers.ts";
import type { ServiceConnection } from "../service/connection.ts";

export interface FeedPorts {
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
