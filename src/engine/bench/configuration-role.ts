/**
 * The role of a configuration for its agent, also stored in the ledger:
 * - `active`: the agent as it is, with its active rules. Only these runs make baselines, and they are what the agent "takes";
 * - `audit`: part of a re-audit of an active rule, with or without it;
 * - `candidate`: anything else, such as a rule under test, another prompt, or no memory.
 *
 * Runs recorded before roles existed are `active` in the ledger if they were the first side of their bench, and their baselines stay.
 */
export const configurationRoles = ["active", "audit", "candidate"] as const;
export type ConfigurationRole = (typeof configurationRoles)[number];
