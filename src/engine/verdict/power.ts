/** How many runs a verdict needs. */
export { planPower, type PowerPlan } from "./power/power.ts";
export { fewestSessions, type RecentSessions } from "./power/trial.ts";
