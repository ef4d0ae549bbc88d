import { cleanText } from "../../../base/text/text.ts";
import type { DoctorJson } from "../doctor-schema.ts";

type Unknown = DoctorJson["unknown"][number];

/** Different names that are counted. */
const mostNames = 50;
const longestName = 60;

/** Counts names of rows and fields, as long as they are few. */
export class UnknownCounts {
  readonly #counts = new Map<string, Unknown>();

  add(agent: string, version: string | null, kind: Unknown["kind"], given: string): void {
    const name = shown(given);
    const key = JSON.stringify([agent, version, kind, name]);
    const known = this.#counts.get(key);
    if (known === undefined && this.#counts.size >= mostNames) return;
    this.#counts.set(key, { agent, version, kind, name, count: (known?.count ?? 0) + 1 });
  }

  all(): Unknown[] {
    return [...this.#counts.values()].toSorted((one, other) => other.count - one.count);
  }
}

/** A name from a file, as a person may be shown it. */
export function shown(name: string): string {
  return cleanText(name.slice(0, 2 * longestName)).slice(0, longestName);
}
