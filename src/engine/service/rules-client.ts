import { Emitter } from "../base/emitter.ts";
import type { RuleSource } from "../rules/rule.ts";
import type { Evidence } from "../verdict/pool.ts";
import type { Peer } from "./peer.ts";
import type { RuleActAsked } from "./rules-view.ts";
import {
  memoryCompile,
  memoryUndo,
  rulesAct,
  rulesChanged,
  rulesDistil,
  rulesEvidence,
  rulesEvidenceOf,
  rulesMeasured,
  rulesNudge,
  rulesPropose,
  rulesRead,
  rulesReceipt,
  rulesReport,
} from "./rules-protocol.ts";

/** What a client asks the service of rules. `root` is Claude Code's configuration folder. */
export class RulesClient {
  readonly #changes = new Emitter<{ readonly waiting: number }>();
  /** A rule or a memory changed; so many wait for the user. At most once a second. */
  readonly onChanged = this.#changes.on;
  readonly #peer: Peer;

  constructor(peer: Peer) {
    this.#peer = peer;
    peer.hear(rulesChanged, (change) => this.#changes.fire(change));
  }

  read(root: string, signal?: AbortSignal) {
    return this.#peer.ask(rulesRead, { root }, signal);
  }

  propose(asked: {
    agent: string;
    origin: "hand" | "import" | "model";
    rules: { text: string; source: RuleSource | null }[];
  }) {
    return this.#peer.ask(rulesPropose, asked);
  }

  act(id: string, act: RuleActAsked, root: string) {
    return this.#peer.ask(rulesAct, { id, act, root });
  }

  /** @param receipt the JSON of a sealed receipt */
  measured(told: {
    ruleId: string;
    receipt: string;
    evidence: Evidence;
    isActivated: boolean;
    root: string;
  }) {
    const { samples, ...about } = told.evidence;
    return this.#peer.ask(rulesMeasured, { ...told, evidence: { ...about, samples: [...samples] } });
  }

  evidence(agent: string) {
    return this.#peer.ask(rulesEvidence, { agent });
  }

  /** What the newest receipt of a rule rests on. */
  evidenceOf(id: string, signal?: AbortSignal) {
    return this.#peer.ask(rulesEvidenceOf, { id }, signal);
  }

  receipt(id: string, signal?: AbortSignal) {
    return this.#peer.ask(rulesReceipt, { id }, signal);
  }

  compileMemory(asked: { agent: string; root: string; replaces: string | null }) {
    return this.#peer.ask(memoryCompile, asked);
  }

  undoMemory(asked: { agent: string; root: string; version: string; replaces: string | null }) {
    return this.#peer.ask(memoryUndo, asked);
  }

  distil(sessionId: string | null, isPreview: boolean, signal?: AbortSignal) {
    return this.#peer.ask(rulesDistil, { sessionId, isPreview }, signal);
  }

  /** How many rules wait that the user was not told of today, and is told of now. */
  nudge(signal?: AbortSignal) {
    return this.#peer.ask(rulesNudge, {}, signal);
  }

  /** @param project null for all */
  report(project: string | null, signal?: AbortSignal) {
    return this.#peer.ask(rulesReport, { project }, signal);
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
