import type { GuardRule } from "../../calls/rule.ts";
import { amazonAccessRules } from "./amazon-access.ts";
import { amazonDeletingRules } from "./amazon-deleting.ts";
import { azureRules } from "./azure.ts";
import { clusterRules } from "./clusters.ts";
import { containerRunRules } from "./container-runs.ts";
import { containerRules } from "./containers.ts";
import { googleAccessRules } from "./google-access.ts";
import { googleDeletingRules } from "./google-deleting.ts";
import { kubernetesRules } from "./kubernetes.ts";
import { operationsRules } from "./operations.ts";
import { platformRules } from "./platforms.ts";
import { terraformRules } from "./terraform.ts";

/** Rules on containers, clusters, clouds, and what describes them. */
export const cloudRules: readonly GuardRule[] = [
  ...containerRules,
  ...containerRunRules,
  ...kubernetesRules,
  ...clusterRules,
  ...amazonDeletingRules,
  ...amazonAccessRules,
  ...googleDeletingRules,
  ...googleAccessRules,
  ...azureRules,
  ...platformRules,
  ...terraformRules,
  ...operationsRules,
];
