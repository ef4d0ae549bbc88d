import { measuresModel } from "../../bench/run-facts.ts";
import type { Rule } from "../rule.ts";
import type { SelectPorts, SelectRequest, SetPorts, SettledRule } from "../rules-selection.ts";
import { confirmSet, type Confirmed, type ConfirmTurn } from "./confirm-set.ts";
import { keyOf } from "./measure-together.ts";
import type { FoundStore } from "./set.ts";

/** The rules that a selection found with the same runs, stored until they are confirmed as a whole. */
export class Found {
  readonly #request: SelectRequest;
  readonly #store: FoundStore;
  #ids: readonly string[];

  private constructor(request: SelectRequest, store: FoundStore, ids: readonly string[]) {
    this.#request = request;
    this.#store = store;
    this.#ids = ids;
  }

  /** Continues with the rules that an interrupted selection found, or with all that passed if requested. */
  static async open(request: SelectRequest, { found: store }: SetPorts): Promise<Found> {
    const { rules, agent, isConfirming = false, driver } = request;
    const passed = rules.filter((rule) => rule.agent === agent && rule.status === "measured");
    if (isConfirming)
      return new Found(
        request,
        store,
        passed.map(({ id }) => id),
      );
    const stored = measuresModel(driver) ? await store.load() : null;
    return new Found(request, store, stored?.key === keyOf(request) ? stored.rules : []);
  }

  /** Adds a rule that passed before it is settled, so that a kill in between loses none. */
  async add({ rule, receipt }: SettledRule): Promise<void> {
    const isShared = (receipt.together ?? []).length > 0;
    if (!isShared || rule.status === "active" || receipt.verdict.kind !== "saves") return;
    this.#ids = [...new Set([...this.#ids, rule.id])];
    await this.#store.save({ version: 1, key: keyOf(this.#request), rules: [...this.#ids] });
  }

  /** Confirms the found rules. A rule found alone is admitted directly. */
  async confirm(
    turn: Omit<ConfirmTurn, "found">,
    ports: SelectPorts & { readonly sets: SetPorts },
    signal: AbortSignal,
  ): Promise<Confirmed> {
    const left = turn.rules.filter(
      ({ id, status }) => this.#ids.includes(id) && (status === "measured" || status === "active"),
    );
    const [waiting] = left.filter(isWaiting);
    if (waiting === undefined || left.length < 2) {
      if (waiting !== undefined && this.#request.isConfirming !== true) await ports.sets.letIn(waiting.id);
      if (this.#ids.length > 0) await this.#clear();
      return { end: { kind: "finished" }, set: null, tokensSpent: 0 };
    }
    const confirmed = await confirmSet({ ...turn, found: left }, ports, signal);
    if (confirmed.set?.kind === "settled") await ports.sets.confirm(confirmed.set);
    if (confirmed.set !== null) await this.#clear();
    return confirmed;
  }

  async #clear(): Promise<void> {
    this.#ids = [];
    await this.#store.save(null);
  }
}

function isWaiting({ status }: Rule): boolean {
  return status === "measured";
}
