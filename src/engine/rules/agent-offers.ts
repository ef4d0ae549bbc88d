/** Where an agent is known from that rules may be written for. */
export type AgentOrigin = "rules" | "golden" | "own";

export interface AgentOffer {
  readonly name: string;
  readonly from: readonly AgentOrigin[];
}

/** Every agent that is known from somewhere, once, by its name. */
export function agentOffers(known: Readonly<Record<AgentOrigin, readonly string[]>>): AgentOffer[] {
  const origins = ["rules", "golden", "own"] as const;
  const names = [...new Set(origins.flatMap((origin) => known[origin]))];
  return names
    .toSorted((one, other) => one.localeCompare(other, "en"))
    .map((name) => ({ name, from: origins.filter((origin) => known[origin].includes(name)) }));
}
