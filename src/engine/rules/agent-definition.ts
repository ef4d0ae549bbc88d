export {
  installAgents,
  planAgents,
  removeAgents,
  type InstallableAgent,
  type PlannedAgent,
} from "./agent-definition/install-agents.ts";
export {
  agentOffers,
  describeNeed,
  missingOf,
  ruledProgram,
  whyNoMemory,
  type AgentDefinition,
  type AgentOrigin,
} from "./agent-definition/needs.ts";
export { createNeedsFinder, type GoldenPlace } from "./book/needs-here.ts";
export {
  agentDefinitions,
  agentFolders,
  memoryLine,
  memoryLineIndex,
} from "./agent-definition/agent-definition.ts";
