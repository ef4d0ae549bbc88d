import path from "node:path";
import { everyAgent, familyIn, guardPrefix } from "../trial-answers.ts";
import { isTriedFamily, type TriedFamily } from "../../settings/guard.ts";
import type { Rule, RuleStatus } from "../rule.ts";

/**
 * Rules or guards tried in real work: each new session is given each rule or not, or has each family of guards act or only observe,
 * by lot. Nobody is on trial by default: an owner starts each trial, and nothing is drawn after its stop.
 */
export interface Trial {
  readonly id: string;
  /** `main` for sessions as they are usually started, the agent that a session is started as, or `everyAgent`. */
  readonly agent: string;
  /** Folder with the sessions that take part, including those below it. Null for all. */
  readonly project: string | null;
  /** What is tried: ids of rules, or of families of guards as `guardId` writes them. */
  readonly ruleIds: readonly string[];
  /** Number of sessions by which most of the error may be spent. */
  readonly planned: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly stoppedAt: number | null;
  readonly approvedBy: string;
  /** Share of sessions that go on without a rule that saves, where chances are adapted. Null where all chances are one half. */
  readonly holdOut: number | null;
  /** Whether its owner agreed that a harmful rule is switched off. */
  readonly switchesOff: boolean;
}

export { everyAgent };

export function guardId(family: TriedFamily): string {
  return `${guardPrefix}${family}`;
}

/** Null for the id of a rule. */
export function guardOf(id: string): TriedFamily | null {
  const family = familyIn(id);
  return family !== null && isTriedFamily(family) ? family : null;
}

export function triesGuards({ agent }: Pick<Trial, "agent">): boolean {
  return agent === everyAgent;
}

/** A first approval is needed; a rule in its agent's memory, or without its owner's approval, is on no trial. */
const tried: ReadonlySet<RuleStatus> = new Set(["approved", "measured", "shelved"]);

export function mayBeTried({ status }: { readonly status: RuleStatus }): boolean {
  return tried.has(status);
}

/**
 * Maximum rules per trial: their text must fit into what agents accept from a hook, together with other
 * hooks.
 */
export const maxRules = 15;

/** Whether a rule is on a trial: named at its start, or, where chances are adapted, approved for its agent since. */
export function isOnTrial(
  { ruleIds, holdOut, agent, startedAt }: Pick<Trial, "ruleIds" | "holdOut" | "agent" | "startedAt">,
  rule: Pick<Rule, "id" | "agent" | "status" | "decidedAt">,
): boolean {
  if (ruleIds.includes(rule.id)) return true;
  const hasJoined = rule.status === "approved" && (rule.decidedAt ?? 0) >= startedAt;
  return holdOut !== null && rule.agent === agent && hasJoined;
}

/** Usual number of sessions after which a trial should have decided. */
export const plannedSessions = 200;

export interface SessionFolders {
  readonly folder: string;
  readonly project: string;
}

/** Whether a session that an agent starts in a folder takes part. */
export function covers(
  { agent, project, stoppedAt }: Trial,
  session: { readonly agent: string; readonly folders: SessionFolders | null },
): boolean {
  if (stoppedAt !== null || (agent !== session.agent && agent !== everyAgent)) return false;
  return project === null || (session.folders !== null && isIn(session.folders, project));
}

export function isIn({ folder, project }: SessionFolders, outer: string): boolean {
  return isWithin(folder, outer) || isWithin(project, outer);
}

/**
 * Whether a session could belong to both, and would then have two draws of the same guards, or texts of both. Rules and guards are
 * drawn apart. Also true if one's folder is a linked worktree of the other's.
 * @param foldersOf the folders of a session that starts in one, as for a draw
 */
export function overlap(
  one: Trial,
  other: Pick<Trial, "agent" | "project" | "ruleIds">,
  foldersOf: (cwd: string) => SessionFolders,
): boolean {
  if (one.agent !== other.agent) return false;
  if (triesGuards(one) && !one.ruleIds.some((id) => other.ruleIds.includes(id))) return false;
  if (one.project === null || other.project === null) return true;
  return isIn(foldersOf(one.project), other.project) || isIn(foldersOf(other.project), one.project);
}

export function isWithin(folder: string, outer: string): boolean {
  const way = path.relative(outer, folder);
  return way === "" || (!path.isAbsolute(way) && way.split(path.sep)[0] !== "..");
}

export function branchKind(branch: string | null): "trunk" | "feature" | "none" {
  if (branch === null) return "none";
  return branch === "main" || branch === "master" ? "trunk" : "feature";
}
