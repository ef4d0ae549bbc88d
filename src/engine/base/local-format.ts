export {
  aboutDollars,
  amount,
  decimalNumber,
  dollarAmount,
  dollars,
  estimatedNumber,
  limitPercent,
  percent,
  shortNumber,
  signedNumber,
  signedPercent,
  wholeNumber,
} from "./text/local-format.ts";

/** A coding agent's name in the ledger and on a screen. */
export interface AgentTitle {
  readonly name: string;
  readonly displayName: string;
}

export class AgentDisplayNames {
  readonly #displayNames: ReadonlyMap<string, string>;

  constructor(agents: readonly AgentTitle[]) {
    this.#displayNames = new Map(agents.map(({ name, displayName }) => [name, displayName]));
  }

  /** Returns a program's display name; its name in the ledger if it has none. */
  of(program: string): string {
    return this.#displayNames.get(program) ?? program;
  }

  /** Describes an agent: Claude Code's by its name alone, another program's with its program. */
  describe({ agent, program }: { readonly agent: string; readonly program: string }): string {
    return program === "claude-code" ? agent : `${agent} (${this.of(program)})`;
  }
}
