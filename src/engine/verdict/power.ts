export { planPower, type PowerPlan } from "./power/power.ts";
export { minSessions, type RecentSessions } from "./power/wait-or-measure.ts";
