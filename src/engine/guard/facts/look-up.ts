/** A bundle of its own, loaded with the first call that names anything: what is looked for, and how. */
export { callClaims } from "./claims/from-call.ts";
export { findMissing } from "./checks/check.ts";
