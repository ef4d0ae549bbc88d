import type { Disposable } from "../engine/base/disposable.ts";
import { Emitter } from "../engine/base/emitter.ts";
import type { ProjectBudgets } from "../engine/service/budget-protocol.ts";
import type { ServiceClient } from "../engine/service/service-client.ts";

interface Client {
  readonly budgets: Pick<ServiceClient["budgets"], "follow" | "onChange">;
}

/** The way to the service, which comes and goes. */
interface Link {
  readonly client: Client | undefined;
  onClient(listener: () => void): Disposable;
}

export interface FeedPorts {
  readonly link: Link;
  /** The folders of the window, as they are now. */
  readonly folders: () => readonly string[];
  readonly warn: (message: string) => void;
}

/** The budgets of this window's folders, whoever serves. While nobody does, what was known last stays. */
export class BudgetsFeed implements Disposable {
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.on;
  readonly #ports: FeedPorts;
  readonly #attaching: Disposable;
  #hearing: Disposable | undefined;
  #attempt = 0;
  /** One for each folder, as the service answers. Undefined until it has answered once. */
  projects: readonly ProjectBudgets[] | undefined;

  constructor(ports: FeedPorts) {
    this.#ports = ports;
    this.#attaching = ports.link.onClient(() => void this.follow());
    void this.follow();
  }

  /** Asks how things stand, and to be told of changes, in the folders there are now. */
  async follow(): Promise<void> {
    const attempt = ++this.#attempt;
    const { link, folders, warn } = this.#ports;
    this.#hearing?.dispose();
    this.#hearing = undefined;
    const { client } = link;
    if (client === undefined) return;
    this.#hearing = client.budgets.onChange((projects) => this.#become(projects));
    const answer = await client.budgets.follow([...folders()]);
    if (attempt !== this.#attempt) return;
    if (answer.ok) this.#become(answer.value.projects);
    else if (answer.reason !== "closed") warn(`Budgets are not known: ${answer.detail}`);
  }

  dispose(): void {
    this.#attempt = -1;
    this.#attaching.dispose();
    this.#hearing?.dispose();
    this.#changes.dispose();
  }

  #become(projects: readonly ProjectBudgets[]): void {
    this.projects = projects;
    this.#changes.fire();
  }
}
