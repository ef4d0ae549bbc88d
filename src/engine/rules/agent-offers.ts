/** Why an agent may get rules: it has some, golden tasks, or a definition by the user. */
export type AgentOrigin = "rules" | "golden" | "own";

export interface AgentOffer {
  readonly name: string;
  readonly from: readonly AgentOrigin[];
}

/** Merges all known agents by name, each with its origins. */
export function agentOffers(known: Readonly<Record<AgentOrigin, readonly string[]>>): AgentOffer[] {
  const origins = ["rules", "golden", "own"] as const;
  const names = [...new Set(origins.flatMap((origin) => known[origin]))];
  return names
    .toSorted((one, other) => one.localeCompare(other, "en"))
    .map((name) => ({ name, from: origins.filter((origin) => known[origin].includes(name)) }));
}
