import type { Disposable } from "../../engine/base/disposable.ts";
import { Emitter } from "../../engine/base/emitter.ts";
import type { ProjectBudgets } from "../../engine/budgets/answers.ts";
import type { ServiceConnection } from "../service/connection.ts";

export interface FeedPorts {
  readonly service: ServiceConnection;
  /** The folders of the window, as they are now. */
  readonly folders: () => readonly string[];
  readonly warn: (message: string) => void;
}

/** The budgets of this window's folders, whoever serves. While nobody does, what was known last stays. */
export class BudgetsFeed implements Disposable {
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.on;
  readonly #ports: FeedPorts;
  readonly #hearing: Disposable;
  #attempt = 0;
  /** One for each folder, as the service answers. Undefined until it has answered once. */
  projects: readonly ProjectBudgets[] | undefined;

  constructor(ports: FeedPorts) {
    this.#ports = ports;
    this.#hearing = ports.service.onChanged("budgetsChanged", (changed) => {
      if (changed === undefined) void this.follow();
      else this.#become(changed.projects);
    });
    void this.follow();
  }

  /** Asks how things stand, and to be told of changes, in the folders there are now. */
  async follow(): Promise<void> {
    const attempt = ++this.#attempt;
    const { service, folders, warn } = this.#ports;
    const answer = await service.ask("budgetsFollow", { folders: [...folders()] });
    if (attempt !== this.#attempt) return;
    if (answer.ok) this.#become(answer.value.projects);
    else if (answer.reason === "failed") warn(`Budgets are not known: ${answer.detail}`);
  }

  dispose(): void {
    this.#attempt = -1;
    this.#hearing.dispose();
    this.#changes.dispose();
  }

  #become(projects: readonly ProjectBudgets[]): void {
    this.projects = projects;
    this.#changes.fire();
  }
}
