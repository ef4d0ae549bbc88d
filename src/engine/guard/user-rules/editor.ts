/** A bundle of its own, loaded when somebody has a `guard.yaml`: what reads it, and what adds to it. */
export { readConfig } from "./read-config.ts";
export { withException } from "./with-exception.ts";
