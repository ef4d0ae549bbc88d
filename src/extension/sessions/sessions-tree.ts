import type { StartOffer } from "../../engine/continuity/continuity-answers.ts";
import type { SessionSnapshot, SubagentSnapshot } from "../../engine/sessions/snapshot.ts";

/** A node of the Sessions view. */
export type TreeNode =
  | {
      readonly kind: "project";
      readonly cwd: string;
      readonly isHere: boolean;
      readonly sessions: readonly SessionSnapshot[];
    }
  | { readonly kind: "session"; readonly session: SessionSnapshot }
  | { readonly kind: "offer"; readonly session: SessionSnapshot; readonly offer: StartOffer }
  | { readonly kind: "subagent"; readonly session: SessionSnapshot; readonly subagent: SubagentSnapshot };

/** The view passes its own nodes to the commands in its menus. */
export function isTreeNode(target: unknown): target is TreeNode {
  return typeof target === "object" && target !== null && "kind" in target;
}

/** Projects with their sessions: this window's first, then in the order of the sessions. */
export function projectNodes(
  sessions: readonly SessionSnapshot[],
  isHere: (session: SessionSnapshot) => boolean,
): TreeNode[] {
  const byProject = new Map<string, SessionSnapshot[]>();
  for (const session of sessions) {
    const cwd = session.cwd ?? "";
    byProject.set(cwd, [...(byProject.get(cwd) ?? []), session]);
  }
  const projects = Array.from(byProject, ([cwd, own]) => ({
    kind: "project" as const,
    cwd,
    isHere: own.some(isHere),
    sessions: own,
  }));
  return projects.toSorted((a, b) => Number(b.isHere) - Number(a.isHere));
}

/** @param offerOf what a session that begins could go on with */
export function childrenOf(
  node: TreeNode,
  offerOf: (session: SessionSnapshot) => StartOffer | undefined = () => undefined,
): TreeNode[] {
  switch (node.kind) {
    case "project":
      return node.sessions.map((session) => ({ kind: "session", session }));
    case "session": {
      const { session } = node;
      const offer = offerOf(session);
      return [
        ...(offer === undefined ? [] : [{ kind: "offer" as const, session, offer }]),
        ...session.subagents
          .toSorted((a, b) => (b.lastActivity ?? 0) - (a.lastActivity ?? 0))
          .map((subagent) => ({ kind: "subagent" as const, session, subagent })),
      ];
    }
    case "offer":
    case "subagent":
      return [];
  }
}

/** Stays the same while figures change, so that the view keeps its selection and expanded nodes. */
export function nodeId(node: TreeNode): string {
  switch (node.kind) {
    case "project":
      return `project ${node.cwd}`;
    case "session":
      return `session ${node.session.id}`;
    case "offer":
      return `offer ${node.session.id} ${node.offer.sessionId}`;
    case "subagent":
      return `subagent ${node.session.id} ${node.subagent.id}`;
  }
}
