import type { LedgerEntry } from "../../ledger/entries.ts";
import type { DrawRow } from "../../ledger/rule-questions.ts";
import { type Rule, ruleText } from "../rule.ts";
import { readRules, type RulesLedger } from "../book/rules-book-rows.ts";
import { TrialPrompts } from "./heard-prompts.ts";
import { canReplace } from "../../hooks/event.ts";
import type { GuardArms } from "../../hooks/feature.ts";
import type { HookCaller } from "../../hooks/program.ts";
import type { TriedFamily } from "../../settings/guard.ts";
import {
  branchKind,
  covers,
  isOnTrial,
  maxRules,
  everyAgent,
  guardOf,
  mayBeTried,
  triesGuards,
  type SessionFolders,
  type Trial,
} from "./trial.ts";
import { half, ruleIdsIn } from "./trial-rows.ts";
import { createHash } from "node:crypto";

const heading = "Rules of this machine's owner for your work:";

/**
 * Text that a session receives. It is the same for the same rules, so that an agent that still has it reads
 * it only once. It does not mention the trial, which would influence it. Null without rules.
 */
function givenText(rules: readonly Pick<Rule, "id" | "scope" | "sentence">[]): string | null {
  if (rules.length === 0) return null;
  const lines = rules
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map((rule) => `- ${ruleText(rule)}`);
  return [heading, ...lines].join("\n");
}

type DrawEntry = Extract<LedgerEntry, { kind: "draw" }>;

export interface StartingSession {
  readonly id: string;
  readonly program: HookCaller;
  /** The agent that the session was started as, or `main`. */
  readonly agent: string;
  readonly cwd: string | null;
  /** How it starts, in the agent's own word. Null if not reported. */
  readonly source: string | null;
}

interface Given {
  /** Text for the session's context. Null if it drew none of the rules. */
  readonly text: string | null;
  readonly delivered: () => void;
}

/** A starting session, with what the ledger has of it. */
interface Start extends StartingSession {
  readonly folders: SessionFolders | null;
  readonly draws: readonly DrawRow[];
  /** Draws of the session that it continues, because its context was cleared. */
  readonly continued: readonly DrawRow[];
}

interface AssignPorts {
  readonly ledger: RulesLedger;
  readonly arms: Pick<GuardArms, "keep" | "draw">;
  /** Whether a family of guards acts in sessions of a folder, by its settings. */
  readonly isActing: (family: TriedFamily, folder: string | null) => boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Follows links, so that a folder has one name. */
  readonly foldersOf: (cwd: string) => SessionFolders;
  /** The branch checked out in a folder, or null. */
  readonly branchOf: (folder: string) => string | null;
  readonly onProblem: (message: string) => void;
}

/** A session with a cleared context continues under another id within this time. Milliseconds. */
const clearedFor = 60_000;

/**
 * Gives new sessions their rules on trial, and says which of their guards on trial only observe. A draw is in the ledger before
 * anything follows from it. A session keeps its draw while the trial runs, also when it is resumed, compacted or cleared. A session
 * older than the trial has none.
 */
export class TrialAssignment {
  readonly #ports: AssignPorts;
  /** By trial: chances that are not one half. */
  readonly #chances = new Map<string, ReadonlyMap<string, number>>();
  /** Undefined until the ledger has answered: no session waits for that. */
  #running: readonly Trial[] | undefined;
  readonly prompts: TrialPrompts;
  /** By program and folder: the session that was cleared last, and when. */
  readonly #cleared = new Map<string, { readonly id: string; readonly at: number }>();
  /** By session: answers in progress. A hook may arrive twice at once. */
  readonly #beginning = new Map<string, Promise<unknown>>();

  constructor(ports: AssignPorts) {
    this.#ports = ports;
    this.prompts = new TrialPrompts(ports);
  }

  set(trials: readonly Trial[]): void {
    this.#running = trials.filter(({ stoppedAt }) => stoppedAt === null);
    this.prompts.set(trials.length > 0);
    this.#ports.arms.keep(this.#running.filter(triesGuards).map(({ id }) => id));
  }

  /** Sets the chances of rules for sessions that begin from now on. */
  adapt(trialId: string, chances: ReadonlyMap<string, number>): void {
    this.#chances.set(trialId, chances);
  }

  /** Takes draws of before this process. */
  restore(draws: readonly Pick<DrawRow, "trialId" | "sessionId" | "withheld">[]): void {
    for (const draw of draws) this.#arm(draw);
  }

  /** Whether a starting session may take part in a trial. */
  concerns({ agent, cwd, source }: Pick<StartingSession, "agent" | "cwd" | "source">): boolean {
    if (this.#running?.some((trial) => isOfAgent(trial, agent)) !== true) return false;
    // Its agent may have moved to another folder since.
    if (isOlder(source)) return true;
    const folders = this.#foldersOf(cwd);
    return this.#running.some((trial) => covers(trial, { agent, folders }));
  }

  /** Returns what a session gets. Null if it takes part in no trial. */
  async begin(session: StartingSession): Promise<Given | null> {
    const before = this.#beginning.get(session.id) ?? Promise.resolve();
    const done = before.then(() => this.#begin(session));
    const settled = done.catch(() => undefined);
    this.#beginning.set(session.id, settled);
    try {
      return await done;
    } finally {
      if (this.#beginning.get(session.id) === settled) this.#beginning.delete(session.id);
    }
  }

  async #begin(session: StartingSession): Promise<Given | null> {
    const draws = await this.#ports.ledger.ask("drawsOf", session.id);
    if (!draws.ok) return null;
    const continued = session.source === "clear" ? await this.#drawsBefore(session) : [];
    const start = { ...session, folders: this.#foldersOf(session.cwd), draws: draws.value, continued };
    const given: Given[] = [];
    for (const trial of this.#trialsOf(start)) {
      const part = triesGuards(trial)
        ? await this.#beginGuards(trial, start)
        : await this.#beginRules(trial, start);
      if (part !== null) given.push(part);
    }
    if (given.length === 0) return null;
    const delivered = () => {
      for (const part of given) part.delivered();
    };
    return { text: given.find(({ text }) => text !== null)?.text ?? null, delivered };
  }

  async #beginRules(trial: Trial, start: Start): Promise<Given | null> {
    const rules = await readRules(this.#ports.ledger);
    if (!rules.ok) return null;
    const tried = rules.value.rules
      .filter((rule) => isOnTrial(trial, rule) && mayBeTried(rule))
      .slice(0, maxRules);
    const held = drawOf(start.draws, trial);
    if (held !== undefined) {
      // A session with a late first answer is left out, and stays without.
      const isDue = held.deliveredAt !== null && isTextLost(start) && this.#isRunning(trial);
      return isDue ? { text: textOf(held, tried), delivered: () => undefined } : null;
    }
    const entry = await this.#keepDraw(trial, start, tried);
    return entry && { text: textOf(entry, tried), delivered: () => this.#noteDelivered(entry) };
  }

  async #beginGuards(trial: Trial, start: Start): Promise<Given | null> {
    const held = drawOf(start.draws, trial);
    if (held !== undefined) {
      if (held.deliveredAt !== null) this.#arm(held);
      return null;
    }
    const mayAct = (family: TriedFamily | null) =>
      family !== null &&
      (family !== "output" || canReplace("output", start.program)) &&
      this.#ports.isActing(family, start.cwd);
    const tried = trial.ruleIds.filter((id) => mayAct(guardOf(id))).map((id) => ({ id }));
    const entry = await this.#keepDraw(trial, start, tried);
    if (entry === null) return null;
    const delivered = () => {
      this.#arm(entry);
      this.#noteDelivered(entry);
    };
    return { text: null, delivered };
  }

  /** Draws for a session and stores it. Null without a draw, and if the trial was stopped in the meantime. */
  async #keepDraw(trial: Trial, start: Start, tried: readonly Pick<Rule, "id">[]): Promise<KeptDraw | null> {
    const { ledger, onProblem } = this.#ports;
    const entry = this.#draw(trial, start, tried);
    if (entry === null) return null;
    const kept = await ledger.append([entry]);
    if (!kept.ok) {
      onProblem(`A session draws nothing on trial: ${kept.detail.text}`);
      return null;
    }
    this.prompts.begun(start.id, entry.continues === null ? trial.id : null);
    return this.#isRunning(trial) ? entry : null;
  }

  #arm({ trialId, sessionId, withheld }: Pick<DrawRow, "trialId" | "sessionId" | "withheld">): void {
    const observing = ruleIdsIn(withheld).flatMap((id) => guardOf(id) ?? []);
    this.#ports.arms.draw(trialId, sessionId, observing);
  }

  #noteDelivered({ trialId, sessionId }: KeptDraw): void {
    this.#record({ kind: "draw", trialId, sessionId, deliveredAt: this.#ports.now() });
  }

  /** Notes that a session ends because its context is cleared. */
  cleared({ id, program, cwd }: Pick<StartingSession, "id" | "program" | "cwd">): void {
    if (this.#running === undefined || this.#running.length === 0) return;
    this.#cleared.set(placeOf(program, cwd), { id, at: this.#ports.now() });
  }

  #draw(trial: Trial, start: Start, tried: readonly Pick<Rule, "id">[]): KeptDraw | null {
    const { id, program, folders } = start;
    const at = this.#ports.now();
    const before = drawOf(start.continued, trial);
    if (before !== undefined) {
      const { trialId, given, withheld, chances, project, hour } = before;
      const continues = before.continues ?? before.sessionId;
      const kept = { given, withheld, chances, program, project, hour };
      return { kind: "draw", trialId, sessionId: id, continues, at, ...kept };
    }
    if (isOlder(start.source) || tried.length === 0) return null;
    const known = this.#chances.get(trial.id);
    const ids = tried.map((rule) => rule.id);
    // In the order of the trial, then those that joined it.
    const ordered = [...trial.ruleIds.filter((each) => ids.includes(each)), ...ids];
    const chances = new Map(ordered.map((each) => [each, known?.get(each) ?? half]));
    const { given, withheld } = drawRules(trial.id, id, chances);
    return {
      kind: "draw",
      trialId: trial.id,
      sessionId: id,
      continues: null,
      at,
      given: JSON.stringify(given),
      withheld: JSON.stringify(withheld),
      chances: trial.holdOut === null ? null : JSON.stringify(Object.fromEntries(chances)),
      program,
      project: folders?.project ?? null,
      branchKind: branchKind(folders === null ? null : this.#ports.branchOf(folders.folder)),
      hour: new Date(at).getHours(),
    };
  }

  /** The draws of the session with a context that was just cleared. */
  async #drawsBefore({ program, cwd }: StartingSession): Promise<readonly DrawRow[]> {
    const place = placeOf(program, cwd);
    const cleared = this.#cleared.get(place);
    this.#cleared.delete(place);
    if (cleared === undefined || this.#ports.now() - cleared.at > clearedFor) return [];
    const draws = await this.#ports.ledger.ask("drawsOf", cleared.id);
    return draws.ok ? draws.value : [];
  }

  #foldersOf(cwd: string | null): SessionFolders | null {
    return cwd === null ? null : this.#ports.foldersOf(cwd);
  }

  /** At most one trial of rules, and those of guards: where the session has a draw, wherever it is now, else by its folder. */
  #trialsOf({ agent, folders, draws }: Start): Trial[] {
    const running = this.#running?.filter((trial) => isOfAgent(trial, agent)) ?? [];
    const drawn = running.filter((trial) => drawOf(draws, trial) !== undefined);
    const covering = running.filter((trial) => covers(trial, { agent, folders }));
    const all = [...new Set([...drawn, ...covering])];
    const rules = all.find((trial) => !triesGuards(trial));
    return [...(rules === undefined ? [] : [rules]), ...all.filter(triesGuards)];
  }

  #isRunning({ id }: Trial): boolean {
    return this.#running?.some((trial) => trial.id === id) === true;
  }

  #record(entry: DrawEntry): void {
    const { ledger, onProblem } = this.#ports;
    ledger.append([entry]).then(
      (kept) => (kept.ok ? undefined : onProblem(`A trial's session is not recorded: ${kept.detail.text}`)),
      (error: unknown) => onProblem(`A trial's session is not recorded: ${String(error)}`),
    );
  }
}

type KeptDraw = DrawEntry & {
  readonly continues: string | null;
  readonly given: string;
  readonly withheld: string;
};

function drawOf(draws: readonly DrawRow[], { id }: Trial): DrawRow | undefined {
  return draws.find(({ trialId }) => trialId === id);
}

function isOfAgent(trial: Trial, agent: string): boolean {
  return trial.agent === agent || trial.agent === everyAgent;
}

function textOf({ given }: { readonly given: string }, tried: readonly Rule[]): string | null {
  const ids = ruleIdsIn(given);
  return givenText(tried.filter(({ id }) => ids.includes(id)));
}

/** Sources of a session with a history from before this hook. */
const older: readonly (string | null)[] = ["resume", "compact", "fork"];

function isOlder(source: string | null): boolean {
  return older.includes(source);
}

/** Claude Code drops a text that a resumed session still has; another agent would have it twice. */
function isTextLost({ source, program }: StartingSession): boolean {
  return source !== "resume" || program === "claude-code";
}

function placeOf(program: string, cwd: string | null): string {
  return JSON.stringify([program, cwd]);
}

/**
 * Whether a session gets a rule: whether a number from 0 to 1, made of the SHA-256 of the JSON list of the trial's, the session's and
 * the rule's id, is below its chance. So anybody can repeat a draw, nobody can choose it, and the draws of one session's rules are
 * independent. The number's first bit is the inverse of the lowest bit of the hash's first byte, which alone decides at one half.
 */
export function isGiven(trialId: string, sessionId: string, ruleId: string, chance = half): boolean {
  const hash = createHash("sha256")
    .update(JSON.stringify([trialId, sessionId, ruleId]))
    .digest();
  const first = (hash.readUInt8(0) & 1) === 1 ? 0 : half;
  return first + (half * hash.readUInt32BE(1)) / 2 ** 32 < chance;
}

interface Drawn {
  /** Rule ids. */
  readonly given: readonly string[];
  readonly withheld: readonly string[];
}

export function drawRules(trialId: string, sessionId: string, chances: ReadonlyMap<string, number>): Drawn {
  const given = [...chances].flatMap(([id, chance]) => (isGiven(trialId, sessionId, id, chance) ? [id] : []));
  return { given, withheld: [...chances.keys()].filter((id) => !given.includes(id)) };
}
