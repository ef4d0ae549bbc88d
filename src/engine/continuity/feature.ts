export { stopGateFeature } from "./stop-gate/feature.ts";
export { serveHandovers, type HandoverParts } from "./host/serve-handovers.ts";
export { continuityFeature, handoverFeature, handoversOf, learningFeature } from "./feature/feature.ts";
