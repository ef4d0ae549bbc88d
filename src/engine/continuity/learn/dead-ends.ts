import type { ResumePacket } from "../packet/packet.ts";
import { describe } from "../story/attempts.ts";
import { worthy } from "./conclusion.ts";
import { Counting, summed, keyOf, plain, type Fact, type SessionFacts } from "./fact.ts";
import type { LearnTask, Seen, SessionFold } from "./task.ts";

/** An action that failed once may have been a slip. */
const minTimes = 2;
const maxFound = 60;
/** Maximum successes per session. A success removes a dead end that works by now. */
const maxSuccesses = 200;

class Tried implements SessionFold {
  readonly #failed = new Counting();
  readonly #worked = new Set<string>();

  add({ action, turn, root }: Seen): void {
    if (action === null || action.outcome === "unknown") return;
    // A check that fails is open work, and not the wrong way.
    if ((action.line?.checks.length ?? 0) > 0) return;
    const what = plain(describe(action, root));
    const key = `failed|${keyOf(what)}`;
    if (action.outcome === "failed") {
      this.#worked.delete(key);
      this.#failed.add(key, { turn, good: false, text: what, detail: action.failure?.text ?? null });
      return;
    }
    if (action.kind !== "edit" && action.kind !== "command") return;
    this.#worked.delete(key);
    this.#worked.add(key);
    const [oldest] = this.#worked;
    if (this.#worked.size > maxSuccesses && oldest !== undefined) this.#worked.delete(oldest);
  }

  facts({ deadEnds }: ResumePacket): Fact[] {
    const failed = this.#failed
      .all()
      .filter(({ key, count }) => count >= minTimes && !this.#worked.has(key))
      .map((each) => ({ ...each, detail: each.detail === null ? null : plain(each.detail) }));
    const reverted = deadEnds
      .filter(({ how }) => how === "reverted")
      .map(({ turn, text, times }): Fact => ({
        key: `reverted|${keyOf(text)}`,
        text: plain(text),
        detail: null,
        count: times,
        good: 0,
        turns: [turn],
      }));
    return [...failed.slice(0, 25), ...reverted.slice(-15), ...workedFacts([...this.#worked])];
  }
}

/** Keys in one fact. */
const keysAtOnce = 10;

function workedFacts(keys: readonly string[]): Fact[] {
  const facts: Fact[] = [];
  for (let from = 0; from < keys.length; from += keysAtOnce) {
    const some = keys.slice(from, from + keysAtOnce).map((key) => key.slice("failed|".length));
    facts.push({ key: `worked|${from}`, text: some.join(" "), detail: null, count: 1, good: 1, turns: [] });
  }
  return facts;
}

export const buildDeadEndMemory: LearnTask = {
  name: "BuildDeadEndMemory",
  observe: () => new Tried(),
  conclude: (sessions, project) =>
    worthy(summed(withoutMended(sessions)), maxFound).map((sum) => ({
      kind: "dead-end",
      id: keyOf(project, sum.key),
      project,
      text: plain(sum.detail === null ? sum.text : `${sum.text}: ${sum.detail}`, 400),
      how: sum.key.startsWith("reverted|") ? "reverted" : "failed",
      sessions: sum.sessions,
      times: sum.count,
      evidence: JSON.stringify(sum.evidence),
      at: sum.at,
      score: null,
    })),
};

/** Leaves out what worked in a later session. @param sessions the newest first */
function withoutMended(sessions: readonly SessionFacts[]): SessionFacts[] {
  const worked = new Set<string>();
  return sessions.map(({ facts, ...session }) => {
    const left = facts.filter(({ key }) => !key.startsWith("worked|") && !worked.has(key));
    for (const { key, text } of facts)
      if (key.startsWith("worked|")) for (const each of text.split(" ")) worked.add(`failed|${each}`);
    return { ...session, facts: left };
  });
}
