export { agentPlace, type AgentPlace } from "./wake/agent-folder.ts";
export {
  openOwnAgent,
  overviewPorts,
  readOverview,
  readOverviews,
  type AgentOverview,
  type OverviewSession,
  type OwnAgent,
} from "./wake/agent-overview.ts";
export { idleReasons, wakerOf, wakers, type WokenBy } from "./wake/agent-overview.ts";
export { economyViewOf } from "./figures/figures-view.ts";
export { economyReportOf } from "./figures/report.ts";
