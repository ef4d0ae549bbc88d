import * as z from "zod/mini";
import { SessionMemory, type PerSession } from "../base/per-session.ts";
import { triedFamilies, type TriedFamily } from "../settings/guard.ts";

const arms = z
  .array(
    z.object({
      trial: z.string().check(z.maxLength(256)),
      observing: z.array(z.string().check(z.maxLength(100))).check(z.maxLength(20)),
    }),
  )
  .check(z.maxLength(20));

/**
 * Families of guards that only observe in a session, as trials drew it. A session without a draw, or of a trial that
 * has ended, acts by its settings alone.
 */
export class GuardArms {
  /** By trial, then by session. Undefined until the ledger has named the running trials. */
  #trials: ReadonlyMap<string, Map<string, ReadonlySet<string>>> | undefined;
  /** For hooks that come before the ledger has answered: of the newest sessions, as the service before this one left it. */
  readonly #remembered: PerSession<z.infer<typeof arms>>;

  constructor(memory: Pick<SessionMemory, "part"> = new SessionMemory()) {
    this.#remembered = memory.part("guard-arms", { schema: arms, empty: [] });
  }

  /** Keeps the draws of running trials, and forgets all others. */
  keep(trials: readonly string[]): void {
    this.#trials = new Map(trials.map((id) => [id, this.#trials?.get(id) ?? new Map<string, Set<string>>()]));
  }

  /** Notes a session's draw. Nothing, if the trial has ended meanwhile. */
  draw(trial: string, session: string, observing: readonly string[]): void {
    const drawn = this.#trials?.get(trial);
    if (drawn === undefined) return;
    drawn.set(session, new Set(observing));
    const others = this.#remembered
      .of(session)
      .filter((each) => this.#isOn(each.trial) && each.trial !== trial);
    this.#remembered.set(session, [...others, { trial, observing: [...observing] }]);
  }

  /** @param family only a `TriedFamily` is ever drawn */
  isObserving(session: string, family: string): boolean {
    for (const drawn of this.#trials?.values() ?? [])
      if (drawn.get(session)?.has(family) === true) return true;
    return this.#remembered
      .of(session)
      .some(({ trial, observing }) => this.#isOn(trial) && observing.includes(family));
  }

  /** The families that only observe in a session. */
  observing(session: string): TriedFamily[] {
    return triedFamilies.filter((family) => this.isObserving(session, family));
  }

  #isOn(trial: string): boolean {
    return this.#trials === undefined || this.#trials.has(trial);
  }
}
