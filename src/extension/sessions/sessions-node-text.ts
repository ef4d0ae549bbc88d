import { adviceNow } from "./status-colours.ts";
import { percent, shortNumber } from "../../engine/base/local-format.ts";
import { cleanText } from "../../engine/base/text.ts";
import { agentNames, agentOf } from "../../engine/transcripts/agents.ts";
import type { ContextSnapshot } from "../../engine/sessions/session-requests.ts";
import type { Advice } from "../../engine/sessions/advice.ts";
import type { StartOffer } from "../../engine/continuity/continuity-answers.ts";
import type { SessionSnapshot, SubagentSnapshot } from "../../engine/sessions/snapshot.ts";
import { offerName } from "../handover/describe-handover.ts";
import { canHandOver } from "../handover/links.ts";
import { joinParts, rowPart, type NodeText } from "../editor/node-text.ts";
import type { TreeNode } from "./sessions-tree.ts";
import { statusText } from "./status-text.ts";
import { ago, asOf, sessionName, turns, type Translate } from "../editor/describe-editor.ts";

export interface NodeTextOptions {
  readonly now: number;
  readonly t: Translate;
  readonly isPinned: (id: string) => boolean;
  readonly isMuted: (id: string) => boolean;
  /** Links to other sessions, such as a handover. */
  readonly linksOf?: (id: string) => readonly string[];
  /** Whether sessions of several agents are listed. */
  readonly namesAgents: boolean;
}

export function nodeText(node: TreeNode, options: NodeTextOptions): NodeText {
  switch (node.kind) {
    case "project":
      return projectText(node, options);
    case "session":
      return sessionText(node.session, options);
    case "offer":
      return offerText(node.offer, options);
    case "subagent":
      return subagentText(node.subagent, options);
  }
}

function projectText({ cwd, isHere }: TreeNode & { kind: "project" }, { t }: NodeTextOptions): NodeText {
  const name = cwd.split(/[\\/]/u).findLast((part) => part !== "") ?? t("unknown folder");
  return {
    label: rowPart(name),
    description: isHere ? t("this window") : rowPart(cwd),
    icon: isHere ? "root-folder" : "folder",
    contextValue: "project",
    tooltip: cleanText(cwd),
  };
}

function sessionText(session: SessionSnapshot, options: NodeTextOptions): NodeText {
  const { id, live, turnsLeft, lastActivity, window, model } = session;
  const { now, t } = options;
  const isPinned = options.isPinned(id);
  const isMuted = options.isMuted(id);
  const forecast = live && turnsLeft.value !== null ? turns(turnsLeft.value, t) : "";
  const name = nameOf(session);
  const figures = joinParts([gauge(session), forecast]);
  const label = figures === "" ? name : figures;
  const agent = agentNames.of(session.agent);
  const rest = [
    ...(options.linksOf?.(id) ?? []),
    isPinned ? t("pinned") : "",
    isMuted ? t("muted") : "",
    lastActivity === null || live ? "" : ago(lastActivity, now, t),
    session.asOf === null || !live ? "" : asOf(session.asOf.at, now, t),
  ];
  const advice = adviceNow(session);
  const { spoken } = statusText(session, { percentOf: "window", now, t });
  return {
    label,
    description: joinParts([figures === "" ? "" : name, options.namesAgents ? agent : "", ...rest]),
    ...sessionIcon(session, advice),
    contextValue: [
      "session",
      isPinned ? "pinned" : "unpinned",
      isMuted ? "muted" : "unmuted",
      ...(window.value === null && model !== null ? ["windowless"] : []),
      ...(agentOf(session.agent).resume === null ? [] : ["resumable"]),
      ...(canHandOver(session) ? ["told"] : []),
    ].join(" "),
    spoken: joinParts([name, agent, spoken, ...rest]),
  };
}

function offerText(offer: StartOffer, { now, t }: NodeTextOptions): NodeText {
  const { program, at } = offer;
  const label = t("Continue from {0}", offerName(offer, t));
  return {
    label: rowPart(label),
    description: joinParts([
      program === null ? "" : agentNames.of(program),
      at === null ? "" : ago(at, now, t),
    ]),
    icon: "debug-continue",
    contextValue: "offer",
    tooltip: t(
      "{0}: the last session on this project and branch. Click for what was asked, done, decided and left open.",
      cleanText(label),
    ),
  };
}

function subagentText(subagent: SubagentSnapshot, { t }: NodeTextOptions): NodeText {
  const { type, description, tokens, running } = subagent;
  return {
    label: joinParts([gauge(subagent), rowPart(description ?? type ?? t("subagent"))]),
    description: joinParts([
      type === null ? "" : rowPart(type),
      t("{0} tokens", shortNumber(tokens)),
      running ? t("running") : t("done"),
    ]),
    icon: running ? "loading~spin" : "check",
    contextValue: "subagent",
  };
}

/**
 * Stands after what the view is opened for, the fill level and the forecast: a narrow view cuts off the rest. The project is
 * the row above.
 */
function nameOf(session: SessionSnapshot): string {
  const name = sessionName({ ...session, cwd: null });
  return rowPart(name === "" ? session.id.slice(-8) : name);
}

function sessionIcon({ agent, live }: SessionSnapshot, advice: Advice): Pick<NodeText, "icon" | "color"> {
  if (!live) return { icon: "history" };
  if (advice === "END_TURN") return { icon: "error", color: "list.errorForeground" };
  if (advice === "WRAP_UP") return { icon: "warning", color: "list.warningForeground" };
  return { icon: agentOf(agent).icon };
}

function gauge({ percent: share, occupancy }: ContextSnapshot): string {
  if (share !== null) return percent(share);
  return occupancy.value === null ? "" : shortNumber(occupancy.value);
}
