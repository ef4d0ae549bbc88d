import { randomUUID } from "node:crypto";
import { nodeFiles } from "../../base/files.ts";
import { isLockHeld, type LockPorts } from "../../base/lock.ts";
import type { YamlFault } from "../../base/parse.ts";
import { thisMachine } from "../../base/process.ts";
import type { WakeRow } from "../../ledger/woken.ts";
import { readDefinitions, type FoundDefinition, findDefinition } from "../agents/definitions.ts";
import type { RecurringAgent } from "../agents/definition.ts";
import { agentPlace, type AgentPlace } from "./agent-folder.ts";
import { readAgreementAsync } from "../consent/agreement.ts";
import { dueSlot, nextSlot, pauseEnd, usualGap } from "./due.ts";
import { lastSlotOf, readStateAsync, type AgentState, type SessionState } from "./recurring-wake-state.ts";
import { compose } from "../../base/language.ts";
import { fail, succeed, type Result } from "../../base/result.ts";

export interface OverviewSession extends SessionState {
  /** Null for wakes without a task. */
  readonly task: string | null;
}

/** Read without starting anything. Times are milliseconds since the epoch. */
export interface AgentOverview {
  readonly name: string;
  readonly file: string;
  readonly project: string;
  /** Empty for a file that can be woken. */
  readonly faults: readonly YamlFault[];
  /** Null where its file is faulty. */
  readonly agent: RecurringAgent | null;
  readonly isAgreed: boolean;
  readonly isBusy: boolean;
  /** A wake of a killed process is among the wakes. */
  readonly running: WakeRow | null;
  /** Next time of its schedule. */
  readonly nextWake: number | null;
  /** Scheduled time that has come without a wake. Null for an agent without consent. */
  readonly dueSince: number | null;
  /** Who the schedule's last wake was by, and when; null for never. */
  readonly timedBy: AgentState["timedBy"];
  /** As past wakes of its program showed at the last wake. */
  readonly learned: AgentState["learned"];
  /** Quota or network failed: scheduled wakes wait until then. */
  readonly pausedUntil: number | null;
  /** Newest first. */
  readonly sessions: readonly OverviewSession[];
  /** Finished ones, newest first. */
  readonly wakes: readonly WakeRow[];
}

export interface OverviewPorts {
  readonly wakes: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly lock: LockPorts;
}

export function overviewPorts(
  wakes: string,
  { now, pid }: { readonly now: () => number; readonly pid: number },
): OverviewPorts {
  return { wakes, now, lock: { files: nodeFiles, unique: randomUUID, pid, machine: thisMachine() } };
}

export async function readOverviews(project: string, ports: OverviewPorts): Promise<AgentOverview[]> {
  const found = await readDefinitions(project);
  return await Promise.all(found.map((each) => readOverview(each, project, ports)));
}

export async function readOverview(
  { name, file, read }: FoundDefinition,
  project: string,
  { wakes, now, lock }: OverviewPorts,
): Promise<AgentOverview> {
  const place = agentPlace(wakes, project, name);
  const agent = read.ok ? read.value : null;
  const [{ state }, agreement] = await Promise.all([readStateAsync(place.state), readAgreementAsync(place)]);
  const { current, recent, pause } = state;
  const isHeld = await isLockHeld({ folder: place.folder, name: "wake" }, lock);
  const at = now();
  const agreed = agent !== null && agreement?.definition === agent.hash ? agreement : null;
  return {
    name,
    file,
    project,
    faults: read.ok ? [] : [...(read.faults ?? [])],
    agent,
    isAgreed: agreed !== null,
    isBusy: isHeld,
    running: isHeld && current !== null ? current.row : null,
    nextWake: agent === null ? null : nextSlot(agent, at),
    dueSince:
      agent === null || agreed === null
        ? null
        : dueSlot(agent, { lastSlot: lastSlotOf(state, isHeld), knownSince: agreed.at, now: at }),
    timedBy: state.timedBy,
    learned: state.learned,
    pausedUntil: pauseEnd(pause, at),
    sessions: Object.entries(state.sessions)
      .map(([task, session]) => ({ ...session, task: task === "" ? null : task }))
      .toSorted((one, other) => other.lastAt - one.lastAt),
    wakes: [...recent, ...(current !== null && !isHeld ? [current.row] : [])].toReversed(),
  };
}

export interface OwnAgent {
  readonly project: string;
  readonly file: string;
  readonly agent: RecurringAgent;
  readonly place: AgentPlace;
}

/** `wakes` is the folder of all agents' states. */
export function openOwnAgent(wakes: string, project: string, name: string): Result<OwnAgent> {
  const found = findDefinition(project, name);
  if (!found.ok) return found;
  const { read, file } = found.value;
  if (!read.ok) return fail("bad_definition", compose`${file}, ${read.detail}`);
  return succeed({ project, file, agent: read.value, place: agentPlace(wakes, project, name) });
}

/** `person`: the agent has no schedule. */
export const wakers = ["service", "cron", "nobody", "person"] as const;
type Waker = (typeof wakers)[number];

/** Of an agent with a schedule. */
export const idleReasons = ["faulty", "not_agreed", "off", "not_trusted"] as const;

export interface WokenBy {
  readonly waker: Waker;
  /** For `nobody`. */
  readonly why: (typeof idleReasons)[number] | null;
}

/**
 * A cron counts as removed if it has not woken an agent for this time, and for three of its scheduled times.
 * Milliseconds.
 */
const minMemoryMs = 86_400_000;

/** As far as files show: a cron shows by its wakes. `isOn`: the service wakes agents at all. `now`: milliseconds since the epoch. */
export function wakerOf(
  { agent, faults, isAgreed, timedBy }: Pick<AgentOverview, "agent" | "faults" | "isAgreed" | "timedBy">,
  { isOn, isTrusted, now }: { readonly isOn: boolean; readonly isTrusted: boolean; readonly now: number },
): WokenBy {
  if (agent === null || faults.length > 0) return { waker: "nobody", why: "faulty" };
  if (agent.schedule === undefined) return { waker: "person", why: null };
  if (!isAgreed) return { waker: "nobody", why: "not_agreed" };
  if (isOn && isTrusted) return { waker: "service", why: null };
  const memory = Math.max(minMemoryMs, 3 * (usualGap(agent, now) ?? 0));
  if (timedBy?.by === "terminal" && now - timedBy.at < memory) return { waker: "cron", why: null };
  return { waker: "nobody", why: isOn ? "not_trusted" : "off" };
}
