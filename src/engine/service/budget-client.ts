import type * as z from "zod";
import type { Disposable } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import {
  budgetHistory,
  budgetLimit,
  budgetOffer,
  budgetProposals,
  budgetsChanged,
  budgetsFollow,
  budgetsReckon,
  type ProjectBudgets,
} from "./budget-protocol.ts";
import type { Peer } from "./peer.ts";

/** What a client asks the service of budgets. */
export class BudgetClient implements Disposable {
  readonly #changes = new Emitter<readonly ProjectBudgets[]>();
  /** Budgets that are followed stand otherwise than before; all of them, whole. */
  readonly onChange = this.#changes.on;
  readonly #peer: Peer;

  constructor(peer: Peer) {
    this.#peer = peer;
    peer.hear(budgetsChanged, ({ projects }) => this.#changes.fire(projects));
  }

  /** How the budgets of these folders' projects stand; from now on `onChange` tells every change. */
  follow(folders: string[], signal?: AbortSignal) {
    return this.#peer.ask(budgetsFollow, { folders }, signal);
  }

  setLimit(asked: z.infer<typeof budgetLimit.params>, signal?: AbortSignal) {
    return this.#peer.ask(budgetLimit, asked, signal);
  }

  /** Limits that a new budget may have, and what was used up to now. */
  propose(asked: z.infer<typeof budgetProposals.params>, signal?: AbortSignal) {
    return this.#peer.ask(budgetProposals, asked, signal);
  }

  /** Answers when the folder's budgets have been told all that the ledger has of it. */
  reckon(folder: string, signal?: AbortSignal) {
    return this.#peer.ask(budgetsReckon, { folder }, signal);
  }

  /** Processing tokens of an agent's last completed runs. */
  history(asked: z.infer<typeof budgetHistory.params>, signal?: AbortSignal) {
    return this.#peer.ask(budgetHistory, asked, signal);
  }

  /** Whether to offer a budget to agents that begin together: to whoever asks first, where no limit holds them. */
  offer(asked: z.infer<typeof budgetOffer.params>, signal?: AbortSignal) {
    return this.#peer.ask(budgetOffer, asked, signal);
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
