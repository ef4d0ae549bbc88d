import { runsFeature } from "../bench/feature.ts";
import { budgetFeature } from "../budgets/feature.ts";
import { comparisonFeature } from "../compare/feature.ts";
import {
  stopGateFeature,
  continuityFeature,
  handoverFeature,
  learningFeature,
} from "../continuity/feature.ts";
import { guardFeature } from "../guard/feature.ts";
import { adviceFeature, ledgerFeature, messageFeature, type CreateFeature } from "../hooks/feature.ts";
import { wakesFeature } from "../recurring/feature.ts";
import { drawFeature, rulesFeature, trialFeature } from "../rules/feature.ts";

/** In order: a feature may use the parts of those before it, and its hook handlers run after theirs. */
export const features: readonly CreateFeature[] = [
  ledgerFeature,
  runsFeature,
  comparisonFeature,
  wakesFeature,
  budgetFeature,
  messageFeature,
  drawFeature,
  guardFeature,
  adviceFeature,
  stopGateFeature,
  rulesFeature,
  learningFeature,
  continuityFeature,
  handoverFeature,
  trialFeature,
];
