export { priorBelief } from "./worth/belief.ts";
export { bestMeasurement } from "./worth/net-benefit.ts";
export { expectationOf, Worth, type Use } from "./worth/worth.ts";
