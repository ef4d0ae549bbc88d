import { randomUUID } from "node:crypto";
import type { Clock } from "../base/clock.ts";
import { DisposableList, type Disposable } from "../base/disposable.ts";
import { nodeFiles } from "../base/file-port.ts";
import type { LedgerKeeper } from "./ledger-keeper.ts";
import type { AskAgent } from "./rules-ask.ts";
import { RulesKeeper, type RulesSettings } from "./rules-keeper.ts";
import { RulesNudge, type RulesNudgePorts } from "./rules-nudge.ts";
import { needsTeller, type GoldenPlace } from "./rules-needs.ts";
import { RulesWatch } from "./rules-watch.ts";
import type { ServiceLog } from "./service-log.ts";

export interface RulesDeskPorts extends GoldenPlace {
  readonly home: RulesNudgePorts["home"];
  readonly ledger: LedgerKeeper;
  readonly clock: Clock;
  readonly log: ServiceLog;
  readonly settings: () => RulesSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly temporary: string;
}

/** Rules in the service: kept in its ledger, and proposed after costly runs. */
export class RulesDesk implements Disposable {
  readonly keeper: RulesKeeper;
  readonly nudge: RulesNudge;
  readonly #owned = new DisposableList();

  constructor({ ledger, clock, log, settings, ...world }: RulesDeskPorts) {
    // Seldom needed: it is loaded when it is.
    const ask: AskAgent = async (question, signal) => {
      const { askClaude } = await import("../bench/drivers/ask-claude.ts");
      const { env, userHome, temporary: scratch } = world;
      const program = env["PURSER_CLAUDE"] ?? "claude";
      return await askClaude(question, { program, env, userHome, clock, scratch }, signal);
    };
    const shared = { ledger, clock, settings, needs: needsTeller(world) };
    this.keeper = new RulesKeeper({ ...shared, files: nodeFiles, unique: randomUUID });
    const onProblem = (message: string) => log.write("warn", message);
    this.nudge = new RulesNudge({ home: world.home, ledger, onProblem, now: () => clock.now() });
    this.#owned.add(this.keeper.onChange((change) => this.nudge.hear(change)));
    const watch = this.#owned.add(new RulesWatch({ ...shared, keeper: this.keeper, log, ask }));
    this.#owned.add(ledger.onChange(() => watch.ask()));
  }

  /** Ends with what is being changed: before the ledger is written. */
  async finish(): Promise<void> {
    this.dispose();
    await this.keeper.finish();
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
