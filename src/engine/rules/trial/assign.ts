import type { LedgerEntry } from "../../ledger/entries.ts";
import type { DrawRow } from "../../ledger/rule-questions.ts";
import { type Rule, ruleText } from "../rule.ts";
import { readRules, type RulesLedger } from "../book/rules-book-rows.ts";
import { TrialPrompts } from "./heard-prompts.ts";
import { branchKind, covers, mayBeTried, type SessionFolders, type Trial } from "./trial.ts";
import { ruleIdsIn } from "./trial-rows.ts";
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
  readonly program: string;
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

interface AssignPorts {
  readonly ledger: RulesLedger;
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
 * Gives new sessions their rules on trial. A draw is in the ledger before its text is sent. A session keeps
 * its draw while the trial runs, also when it is resumed, compacted or cleared. A session older than the
 * trial has none.
 */
export class TrialAssignment {
  readonly #ports: AssignPorts;
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
  }

  /** Whether a starting session may take part in a trial. */
  concerns({ agent, cwd, source }: Pick<StartingSession, "agent" | "cwd" | "source">): boolean {
    if (this.#running?.some((trial) => trial.agent === agent) !== true) return false;
    // Its agent may have moved to another folder since.
    if (isOlder(source)) return true;
    return this.#trialOf(agent, this.#foldersOf(cwd)) !== undefined;
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
    const { ledger, onProblem } = this.#ports;
    const [draws, rules] = [await ledger.ask("drawsOf", session.id), await readRules(ledger)];
    if (!draws.ok || !rules.ok) return null;
    const folders = this.#foldersOf(session.cwd);
    const trial = this.#drawnIn(session.agent, draws.value) ?? this.#trialOf(session.agent, folders);
    if (trial === undefined) return null;
    const tried = rules.value.rules.filter((rule) => trial.ruleIds.includes(rule.id) && mayBeTried(rule));
    const held = draws.value.find(({ trialId }) => trialId === trial.id);
    if (held !== undefined) {
      // A session with a late first answer is left out, and stays without.
      const isDue = held.deliveredAt !== null && isTextLost(session) && this.#isRunning(trial);
      return isDue ? { text: textOf(held, tried), delivered: () => undefined } : null;
    }
    const entry = await this.#draw(trial, { ...session, folders }, tried);
    if (entry === null) return null;
    const kept = await ledger.append([entry]);
    if (!kept.ok) {
      onProblem(`A session draws no rules on trial: ${kept.detail.text}`);
      return null;
    }
    this.prompts.begun(session.id, entry.continues === null ? trial.id : null);
    // The owner may have stopped the trial in the meantime.
    if (!this.#isRunning(trial)) return null;
    const delivered = () =>
      this.#record({
        kind: "draw",
        trialId: trial.id,
        sessionId: session.id,
        deliveredAt: this.#ports.now(),
      });
    return { text: textOf({ given: entry.given ?? "[]" }, tried), delivered };
  }

  /** Notes that a session ends because its context is cleared. */
  cleared({ id, program, cwd }: Pick<StartingSession, "id" | "program" | "cwd">): void {
    if (this.#running === undefined || this.#running.length === 0) return;
    this.#cleared.set(placeOf(program, cwd), { id, at: this.#ports.now() });
  }

  async #draw(
    trial: Trial,
    session: StartingSession & { readonly folders: SessionFolders | null },
    tried: readonly Pick<Rule, "id">[],
  ): Promise<(DrawEntry & { continues: string | null }) | null> {
    const { id, program, folders } = session;
    const at = this.#ports.now();
    const before = session.source === "clear" ? await this.#before(trial, session) : null;
    if (before !== null) {
      const { trialId, given, withheld, project, hour } = before;
      const continues = before.continues ?? before.sessionId;
      const kept = { given, withheld, program, project, hour };
      return { kind: "draw", trialId, sessionId: id, continues, at, ...kept };
    }
    if (isOlder(session.source) || tried.length === 0) return null;
    const ruleIds = trial.ruleIds.filter((ruleId) => tried.some((rule) => rule.id === ruleId));
    const { given, withheld } = drawRules(trial.id, id, ruleIds);
    return {
      kind: "draw",
      trialId: trial.id,
      sessionId: id,
      continues: null,
      at,
      given: JSON.stringify(given),
      withheld: JSON.stringify(withheld),
      program,
      project: folders?.project ?? null,
      branchKind: branchKind(folders === null ? null : this.#ports.branchOf(folders.folder)),
      hour: new Date(at).getHours(),
    };
  }

  /** The draw of the session with a context that was just cleared, or null. */
  async #before(trial: Trial, { program, cwd }: StartingSession): Promise<DrawRow | null> {
    const place = placeOf(program, cwd);
    const cleared = this.#cleared.get(place);
    this.#cleared.delete(place);
    if (cleared === undefined || this.#ports.now() - cleared.at > clearedFor) return null;
    const draws = await this.#ports.ledger.ask("drawsOf", cleared.id);
    return draws.ok ? (draws.value.find(({ trialId }) => trialId === trial.id) ?? null) : null;
  }

  #foldersOf(cwd: string | null): SessionFolders | null {
    return cwd === null ? null : this.#ports.foldersOf(cwd);
  }

  #trialOf(agent: string, folders: SessionFolders | null): Trial | undefined {
    return this.#running?.find((trial) => covers(trial, { agent, folders }));
  }

  /** The running trial in which a session has a draw, wherever it is now. */
  #drawnIn(agent: string, draws: readonly DrawRow[]): Trial | undefined {
    return this.#running?.find(
      (trial) => trial.agent === agent && draws.some(({ trialId }) => trialId === trial.id),
    );
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
 * Whether a session gets a rule: the lowest bit of the first byte of the SHA-256 of the JSON list of the
 * trial's, the session's and the rule's id. So anybody can repeat a draw, nobody can choose it, and the draws
 * of one session's rules are independent.
 */
export function isGiven(trialId: string, sessionId: string, ruleId: string): boolean {
  const hash = createHash("sha256")
    .update(JSON.stringify([trialId, sessionId, ruleId]))
    .digest();
  return ((hash[0] ?? 0) & 1) === 1;
}

interface Drawn {
  /** Rule ids. */
  readonly given: readonly string[];
  readonly withheld: readonly string[];
}

export function drawRules(trialId: string, sessionId: string, ruleIds: readonly string[]): Drawn {
  const given = ruleIds.filter((id) => isGiven(trialId, sessionId, id));
  return { given, withheld: ruleIds.filter((id) => !given.includes(id)) };
}
