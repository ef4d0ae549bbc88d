import { triedFamilies, type TriedFamily } from "../settings/guard.ts";

type Observed = ReadonlySet<string>;

/**
 * Families of guards that only observe in a session, as trials drew it. A session without a draw, or of a trial that
 * has ended, acts by its settings alone.
 */
export class GuardArms {
  /** By trial, then by session. */
  readonly #trials = new Map<string, Map<string, Observed>>();

  /** Keeps the draws of running trials, and forgets all others. */
  keep(trials: readonly string[]): void {
    for (const id of this.#trials.keys()) if (!trials.includes(id)) this.#trials.delete(id);
    for (const id of trials) if (!this.#trials.has(id)) this.#trials.set(id, new Map());
  }

  /** Notes a session's draw. Nothing, if the trial has ended meanwhile. */
  draw(trial: string, session: string, observing: readonly string[]): void {
    this.#trials.get(trial)?.set(session, new Set(observing));
  }

  /** @param family only a `TriedFamily` is ever drawn */
  isObserving(session: string, family: string): boolean {
    for (const drawn of this.#trials.values()) if (drawn.get(session)?.has(family) === true) return true;
    return false;
  }

  /** The families that only observe in a session. */
  observing(session: string): TriedFamily[] {
    return triedFamilies.filter((family) => this.isObserving(session, family));
  }
}
