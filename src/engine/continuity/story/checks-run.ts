import { firstWords } from "./prompt-text.ts";
import { scrub } from "../../base/scrub.ts";
import type { PastAction } from "./past-action.ts";

interface Check {
  readonly command: string;
  readonly kind: string;
  passed: number;
  failed: number;
  turn: number;
  isFailing: boolean;
  /** The line of its last failure. */
  text: string;
}

const maxChecks = 60;
/** Characters. */
const maxCommandLength = 120;

/** The checks of the project that a session ran, by command. */
export class Checks {
  readonly #checks = new Map<string, Check>();

  add({ line, outcome, command, failure }: PastAction, turn: number): void {
    const [kind] = line?.checks ?? [];
    if (kind === undefined || command === null || outcome === "unknown") return;
    const shown = firstWords(scrub(withoutFilters(command)), maxCommandLength);
    const before = this.#checks.get(shown);
    this.#checks.delete(shown);
    const failed = outcome === "failed";
    this.#checks.set(shown, {
      command: shown,
      kind,
      passed: (before?.passed ?? 0) + (failed ? 0 : 1),
      failed: (before?.failed ?? 0) + (failed ? 1 : 0),
      turn,
      isFailing: failed,
      text: failure?.text ?? "",
    });
    // A kind of check that passes as another command has shown the same.
    if (!failed) for (const other of this.#checks.values()) if (other.kind === kind) other.isFailing = false;
    const [oldest] = this.#checks.keys();
    if (this.#checks.size > maxChecks && oldest !== undefined) this.#checks.delete(oldest);
  }

  /** Checks that failed last, the newest last. */
  failing(): Pick<Check, "command" | "turn" | "text">[] {
    return [...this.#checks.values()].filter(({ isFailing }) => isFailing);
  }

  /** Commands that passed, by kind, the most used first. */
  usual(): (Pick<Check, "command" | "kind" | "turn"> & { readonly times: number })[] {
    return [...this.#checks.values()]
      .filter(({ passed }) => passed > 0)
      .map(({ command, kind, turn, passed, failed }) => ({ command, kind, turn, times: passed + failed }))
      .toSorted((a, b) => b.times - a.times || b.turn - a.turn);
  }
}

const filter = /(?<!\s)\s*(?:2>&1\s*)?\|\s*(?:tail|head|grep|egrep|rg|sed|less|cat|tee)\b.*/su;

/** A check is the same however much of its output is shown. */
function withoutFilters(command: string): string {
  const last = command.lastIndexOf("\n") + 1;
  const shown = command.slice(last).replace(filter, "");
  return `${command.slice(0, last)}${shown}`
    .replace(/(?<!\s)\s*2>&1\s*$/u, "")
    .replace(/^cd\s+(?:"[^"]*"|'[^']*'|\S+)\s*&&\s*/u, "")
    .trim();
}
