/** What a session should have checked. */
export { reportsFailure, type CheckKind } from "./verification/check-outcome.ts";
export { checksNotRun, type VerificationDebt } from "./verification/debt.ts";
export { namedChecks, namedFiles, type ProjectCheck } from "./verification/project-checks.ts";
