/**
 * What a configuration is to its agent, and in the ledger:
 * - `active`: the agent as it is, with its active rules. Its runs alone make baselines, and are what the agent "takes";
 * - `audit`: of a re-audit of an active rule, with or without it;
 * - `candidate`: anything else, such as a rule under test, another prompt, or no memory.
 *
 * Runs of before this was told are `active` in the ledger where they were the first side of any bench, and the baselines they made stay.
 */
export const configurationRoles = ["active", "audit", "candidate"] as const;
export type ConfigurationRole = (typeof configurationRoles)[number];
