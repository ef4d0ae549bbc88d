import type { YamlFault } from "../../../engine/base/parse.ts";
import type { AgentOverview, OverviewSession } from "../../../engine/recurring/agents.ts";
import type { WakeRow } from "../../../engine/ledger/woken.ts";
import { kindOf } from "../../editor/node-text.ts";
import type { ProjectAgents } from "./economy-agents-feed.ts";

/** A node of the Recurring Agents view. */
export type RecurringNode =
  | { readonly kind: "recurring-project"; readonly project: ProjectAgents }
  | { readonly kind: "recurring-agent"; readonly overview: AgentOverview }
  | { readonly kind: "recurring-fault"; readonly overview: AgentOverview; readonly fault: YamlFault }
  | { readonly kind: "recurring-sessions"; readonly overview: AgentOverview }
  | {
      readonly kind: "recurring-session";
      readonly overview: AgentOverview;
      readonly session: OverviewSession;
    }
  | { readonly kind: "recurring-wakes"; readonly overview: AgentOverview }
  | { readonly kind: "recurring-wake"; readonly overview: AgentOverview; readonly wake: WakeRow };

/** The view passes its own nodes to the commands in its menus. */
export function isRecurringNode(target: unknown): target is RecurringNode {
  return kindOf(target).startsWith("recurring-");
}

/** More are in the ledger. */
const [maxSessions, maxWakes] = [20, 20];

/** A single project gets no separate node. */
export function rootNodes(projects: readonly ProjectAgents[]): RecurringNode[] {
  const filled = projects.filter(({ agents }) => agents.length > 0);
  const [only] = filled;
  return filled.length === 1 && only !== undefined
    ? agentNodes(only)
    : filled.map((project) => ({ kind: "recurring-project", project }));
}

export function childNodes(node: RecurringNode): RecurringNode[] {
  switch (node.kind) {
    case "recurring-project":
      return agentNodes(node.project);
    case "recurring-agent": {
      const { overview } = node;
      const { faults, sessions, wakes } = overview;
      return [
        ...faults.map((fault) => ({ kind: "recurring-fault" as const, overview, fault })),
        ...(sessions.length === 0 ? [] : [{ kind: "recurring-sessions" as const, overview }]),
        ...(wakes.length === 0 ? [] : [{ kind: "recurring-wakes" as const, overview }]),
      ];
    }
    case "recurring-sessions": {
      const { overview } = node;
      return overview.sessions
        .slice(0, maxSessions)
        .map((session) => ({ kind: "recurring-session", overview, session }));
    }
    case "recurring-wakes": {
      const { overview } = node;
      return overview.wakes.slice(0, maxWakes).map((wake) => ({ kind: "recurring-wake", overview, wake }));
    }
    case "recurring-fault":
    case "recurring-session":
    case "recurring-wake":
      return [];
  }
}

function agentNodes({ agents }: ProjectAgents): RecurringNode[] {
  return agents.map((overview) => ({ kind: "recurring-agent", overview }));
}

/** Stays the same while figures change, so that the view keeps its selection and expanded nodes. */
export function recurringNodeId(node: RecurringNode): string {
  if (node.kind === "recurring-project") return `project ${node.project.project}`;
  const { file } = node.overview;
  switch (node.kind) {
    case "recurring-agent":
      return `agent ${file}`;
    case "recurring-fault":
      return `fault ${file} ${node.fault.line} ${node.fault.message.text}`;
    case "recurring-sessions":
      return `sessions ${file}`;
    case "recurring-session":
      return `session ${file} ${JSON.stringify(node.session.task)}`;
    case "recurring-wakes":
      return `wakes ${file}`;
    case "recurring-wake":
      return `wake ${file} ${node.wake.id}`;
  }
}

/** The session that a node is about: of an agent, the one that its last wake had. */
export function sessionOfNode(node: RecurringNode): string | null {
  switch (node.kind) {
    case "recurring-session":
      return node.session.id;
    case "recurring-wake":
      return node.wake.sessionId;
    case "recurring-agent":
      return lastSession(node.overview);
    case "recurring-project":
    case "recurring-fault":
    case "recurring-sessions":
    case "recurring-wakes":
      return null;
  }
}

/** The session of the wake that runs, or of the last one that had any. */
export function lastSession({ running, wakes, sessions }: AgentOverview): string | null {
  const all = [...(running === null ? [] : [running]), ...wakes];
  return all.find(({ sessionId }) => sessionId !== null)?.sessionId ?? sessions[0]?.id ?? null;
}
