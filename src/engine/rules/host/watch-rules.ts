import type { Clock } from "../../base/timing.ts";
import type { Disposable } from "../../base/events.ts";
import { costlyRuns } from "../distil/costly-runs.ts";
import { digestEntry } from "../distil/import-lines.ts";
import type { Proposal } from "../distil/propose.ts";
import { askAbout, askedEntry, wasAsked, type AskAgent } from "../distil/ask-model.ts";
import { analyzeRun, type RunAnalysis } from "../distil/distil.ts";
import { maxRuns } from "../book/known.ts";
import { findingEntry, isFound } from "../distil/distilled.ts";
import type { RulesService, RulesSettings } from "./rules-host.ts";
import type { AskNeeds } from "../needs-here.ts";
import { readRules, type RulesLedger } from "../book/rules-book-rows.ts";
import type { ServiceLog } from "../../base/log.ts";

export interface RulesWatchPorts {
  readonly ledger: RulesLedger;
  readonly rules: Pick<RulesService, "proposeAll">;
  readonly clock: Clock;
  readonly settings: () => RulesSettings;
  readonly ask: AskAgent;
  readonly needs: AskNeeds;
  readonly log: ServiceLog;
}

/** Maximum age of runs that are analyzed. Milliseconds. */
const newsFor = 24 * 60 * 60_000;
/** Delay before looking for runs after the ledger changed, as transcripts come in bursts. Milliseconds. */
const pause = 30_000;

/**
 * Analyzes each costly run of real work once after it ended, and proposes rules. If the user's setting allows
 * it, also proposes rules from the user's own agent. Stores only the findings for agents with rules that
 * could not be measured, or would not reach them. Never runs during a hook.
 */
export class RulesWatch implements Disposable {
  readonly #ports: RulesWatchPorts;
  readonly #seen = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  readonly #stop = new AbortController();
  #isDisposed = false;

  constructor(ports: RulesWatchPorts) {
    this.#ports = ports;
  }

  ask(): void {
    if (this.#isDisposed) return;
    this.#timer ??= setTimeout(() => void this.#later(), pause).unref();
  }

  /** @returns the number of new candidates */
  async check(): Promise<number> {
    const { ledger, clock, needs } = this.#ports;
    const [runs, book, positions] = [
      await ledger.ask("realRuns", { most: maxRuns, project: null }),
      await ledger.ask("ruleBook", null),
      await ledger.ask("positions", null),
    ];
    if (!runs.ok || !book.ok || !positions.ok) return 0;
    const known = new Set(book.value.rules.map(({ sourceRun }) => sourceRun));
    let made = 0;
    for (const { run, usual } of costlyRuns(runs.value)) {
      const isNews = run.endedAt >= clock.now() - newsFor && !known.has(run.sessionId);
      if (!isNews || this.#seen.has(run.id) || isFound({ book: book.value }, run.id)) continue;
      this.#seen.add(run.id);
      const analysis = await analyzeRun({ run, usual }, positions.value);
      if (!analysis.ok) continue;
      const missing = await needs(run);
      if (missing.length > 0) {
        if (analysis.value.findings.length > 0) await this.#keep(analysis.value);
        continue;
      }
      made += await this.#propose(analysis.value, analysis.value.proposals);
      if (this.#ports.settings().rulesAskModel)
        made += await this.#propose(analysis.value, await this.#ask(analysis.value));
    }
    return made;
  }

  /** @returns the number of new candidates */
  async #propose({ run, trajectory }: RunAnalysis, proposals: readonly Proposal[]): Promise<number> {
    if (proposals.length === 0) return 0;
    const { rules, clock } = this.#ports;
    const digest = digestEntry(run.id, trajectory, clock.now());
    const proposed = await rules.proposeAll(proposals, "purser", [digest]);
    if (proposed.ok) return proposed.value.proposed.filter(({ id }) => id !== null).length;
    this.#ports.log.write("warn", `What a costly run shows is not kept: ${proposed.detail.text}`);
    return 0;
  }

  async #keep(analysis: RunAnalysis): Promise<void> {
    const { ledger, clock, log } = this.#ports;
    const appended = await ledger.append([findingEntry(analysis, clock.now())]);
    if (!appended.ok) log.write("warn", `What a costly run shows is not kept: ${appended.detail.text}`);
  }

  /** Asks the user's own agent about a run, only once for any result. */
  async #ask(analysis: RunAnalysis): Promise<readonly Proposal[]> {
    const { ledger, clock, log, ask } = this.#ports;
    const known = await readRules(ledger);
    if (!known.ok || wasAsked(known.value, analysis)) return [];
    const kept = await ledger.append([askedEntry(analysis, clock.now())]);
    if (!kept.ok) return [];
    const answer = await askAbout(analysis, known.value, ask, this.#stop.signal);
    if (answer.ok)
      log.write("info", `Your agent was asked about a costly run: ${answer.value.tokens} processing tokens`);
    else log.write("warn", `Your agent was asked about a costly run: ${answer.detail.text}`);
    return answer.ok ? answer.value.proposals : [];
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#stop.abort();
    clearTimeout(this.#timer);
  }

  async #later(): Promise<void> {
    this.#timer = undefined;
    try {
      await this.check();
    } catch (error) {
      this.#ports.log.write("warn", `Costly runs are not looked at: ${String(error)}`);
    }
  }
}
