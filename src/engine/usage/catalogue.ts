export { withOverrides } from "./catalogue/catalogue-overrides.ts";
export { asksForLongWindow, normaliseModelName, type ModelFacts } from "./catalogue/model-name.ts";
export { agentWindow, builtInCatalogue, lookupModel, type Catalogue } from "./catalogue/catalogue.ts";
