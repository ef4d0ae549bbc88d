import { isDeepStrictEqual } from "node:util";
import type { AttributedSession, NamedRecord } from "../../../transcripts/records/records-attribution.ts";

type Content = Pick<AttributedSession, "session" | "records">;

/**
 * Passes on only the records that are new, or told otherwise than the last time, so that no entry is made of the others:
 * nearly all of a growing file's. Most of those are the very same objects.
 */
export class FreshRecords {
  #held: readonly NamedRecord[] = [];
  #origin = "";

  take({ session: { facts }, records }: Content): readonly NamedRecord[] {
    const [before, origin] = [this.#held, this.#origin];
    this.#held = records;
    // Facts that every response of the session repeats.
    this.#origin = JSON.stringify([facts.sessionId, facts.kind, facts.branch]);
    if (this.#origin !== origin) return records;
    let byId: ReadonlyMap<string, NamedRecord> | undefined;
    return records.filter((named, index) => {
      if (isSame(before[index], named)) return false;
      byId ??= new Map(before.map((each) => [each.id, each]));
      return !isSame(byId.get(named.id), named);
    });
  }
}

function isSame(one: NamedRecord | undefined, other: NamedRecord): boolean {
  if (one?.id !== other.id || one.isCopy !== other.isCopy || one.agentId !== other.agentId) return false;
  return one.record === other.record || isDeepStrictEqual(one.record, other.record);
}
