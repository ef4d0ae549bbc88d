import type { Socket } from "node:net";
import type { Disposable } from "../base/disposable.ts";
import { fail, succeed } from "../base/result.ts";
import type { LiveSnapshot } from "../context/live-snapshot.ts";
import type { SessionView } from "../context/session-view.ts";
import { answerOfBenches, tellOfBenches } from "./bench-door.ts";
import type { BenchKeeper } from "./bench-keeper.ts";
import type { BuildStamp } from "./build-stamp.ts";
import type { BudgetBoard } from "./budget-board.ts";
import { answerOfBudgets } from "./budget-door.ts";
import { LatestSender } from "./latest-sender.ts";
import { answerOfLedger, tellOfLedger } from "./ledger-door.ts";
import type { LedgerKeeper } from "./ledger-keeper.ts";
import type { MessageDesk } from "./message-desk.ts";
import { answerOfMessages } from "./message-door.ts";
import { Peer } from "./peer.ts";
import { proofOf } from "./proof.ts";
import { answerOfRules, answerOfWaiting, tellOfRules } from "./rules-door.ts";
import type { RulesDesk } from "./rules-desk.ts";
import {
  clientLimits,
  configure,
  describe,
  goodbye,
  hello,
  helloTime,
  protocolVersion,
  prove,
  readEnvelope,
  refusal,
  shutdown,
  snapshotNotice,
  status,
  subscribe,
  unsubscribe,
  type ServiceDescription,
  type StopReason,
  type ViewConfiguration,
} from "./protocol.ts";
import type { ServiceLog } from "./service-log.ts";
import type { WindowSettings } from "./settings/window-settings.ts";
import type { Borrowed } from "./shared-items.ts";
import { isToken } from "./token.ts";
import type { ViewPool } from "./view-pool.ts";

/** What a client may have of the service. */
export interface ClientContext {
  readonly pid: number;
  readonly version: string;
  readonly build: BuildStamp | null;
  readonly token: string;
  /** Where it is connected to. */
  readonly address: string;
  readonly log: ServiceLog;
  readonly views: ViewPool;
  readonly ledger: LedgerKeeper | undefined;
  readonly benches: BenchKeeper | undefined;
  readonly budgets: BudgetBoard | undefined;
  readonly messages: MessageDesk | undefined;
  readonly rules: Pick<RulesDesk, "keeper" | "nudge"> | undefined;
  /** What a client looks with that does not say. */
  readonly defaults: ViewConfiguration;
  /** What the user of a window has set. */
  readonly tellSettings: (told: WindowSettings) => void;
  /** What the user of a window looks at sessions with: hooks are answered by the same. */
  readonly tellOutlook: (told: ViewConfiguration) => void;
  readonly describe: () => ServiceDescription;
  readonly shutdown: (reason: "asked" | "handover") => void;
}

/** One client: a stranger, who may only show the token, until it did. */
export class ClientSession implements Disposable {
  readonly #context: ClientContext;
  readonly #peer: Peer;
  readonly onClose: Peer["onClose"];
  readonly #sender: LatestSender<LiveSnapshot>;
  readonly #deadline: NodeJS.Timeout;
  #isKnown = false;
  #hasShown = false;
  /** It has asked for a proof that this is the service. */
  #hasAsked = false;
  #borrowed: Borrowed<{ readonly view: SessionView }> | undefined;
  #following: Disposable | undefined;
  #ledgerNews: Disposable | undefined;
  #benchNews: Disposable | undefined;
  #rulesNews: Disposable | undefined;
  readonly #budgetNews: Disposable;
  readonly #messageNews: Disposable;

  constructor(socket: Socket, context: ClientContext) {
    this.#context = context;
    this.#peer = new Peer(socket, {
      limit: () => (this.#isKnown ? clientLimits.known : clientLimits.stranger),
      admit: (value) => this.#admit(value),
      onRefused: (why) => {
        context.log.write("warn", `A client was refused: ${why}`);
        this.#peer.dispose();
      },
      onProblem: (message) => context.log.write("warn", message),
    });
    this.onClose = this.#peer.onClose;
    this.#sender = new LatestSender((snapshot) => this.#peer.tell(snapshotNotice, snapshot));
    this.#deadline = setTimeout(() => this.#tooLate(), helloTime);
    this.#peer.onClose(() => this.#closed());
    this.#answer();
    answerOfLedger(this.#peer, context.ledger);
    answerOfBenches(this.#peer, context.benches);
    answerOfRules(this.#peer, context.rules?.keeper);
    if (context.rules !== undefined) answerOfWaiting(this.#peer, context.rules.nudge);
    this.#budgetNews = answerOfBudgets(this.#peer, context.budgets);
    this.#messageNews = answerOfMessages(this.#peer, context.messages);
    this.#peer.listen();
  }

  /** It has shown the token. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Ends the connection after saying why. */
  async leave(reason: StopReason): Promise<void> {
    this.#following?.dispose();
    this.#ledgerNews?.dispose();
    this.#benchNews?.dispose();
    this.#rulesNews?.dispose();
    this.#budgetNews.dispose();
    this.#messageNews.dispose();
    this.#sender.clear();
    if (this.#isKnown) await this.#peer.tell(goodbye, { reason });
    this.#peer.end();
  }

  dispose(): void {
    this.#peer.dispose();
  }

  #admit(value: unknown): ReturnType<typeof readEnvelope> {
    const envelope = readEnvelope(value);
    if (!envelope.ok || this.#isKnown) return envelope;
    const method = "id" in envelope.value && "method" in envelope.value ? envelope.value.method : null;
    if (method === prove.method && !this.#hasAsked) {
      this.#hasAsked = true;
      return envelope;
    }
    if (method !== hello.method) return fail("malformed", "it did not show the token first");
    if (this.#hasShown) return fail("malformed", "it showed a token before the first was looked at");
    this.#hasShown = true;
    return envelope;
  }

  #answer(): void {
    const done = succeed({});
    const { token: own, address } = this.#context;
    this.#peer.answer(prove, ({ challenge }) =>
      succeed({ proof: proofOf("service", { token: own, address, challenge }) }),
    );
    this.#peer.answer(hello, ({ token, version, protocol }) => this.#hello(token, version, protocol));
    this.#peer.answer(configure, ({ settings, ...configuration }) => {
      if (settings !== undefined) {
        this.#context.tellSettings(settings);
        this.#context.tellOutlook(configuration);
      }
      this.#look(configuration);
      return done;
    });
    this.#peer.answer(status, async () => succeed(await this.#view().readNow()));
    this.#peer.answer(describe, () => succeed(this.#context.describe()));
    this.#peer.answer(subscribe, () => {
      this.#follow();
      return done;
    });
    this.#peer.answer(unsubscribe, () => {
      this.#unfollow();
      return done;
    });
    this.#peer.answer(shutdown, ({ reason }) => {
      this.#context.shutdown(reason);
      return done;
    });
  }

  #hello(token: string, version: string, protocol: number) {
    const { log, pid, version: own } = this.#context;
    if (!isToken(token, this.#context.token)) {
      log.write("warn", "A client was refused: it showed a wrong token");
      // The answer leaves first; who does not go then is let go when the time for the token is over.
      return { ...fail("refused", "this is not the service's token"), code: refusal.unauthenticated };
    }
    if (protocol > protocolVersion && version === own)
      log.write("warn", `A client of the same version speaks protocol ${protocol}`);
    this.#isKnown = true;
    clearTimeout(this.#deadline);
    const { ledger, benches, rules } = this.#context;
    if (ledger !== undefined) this.#ledgerNews ??= tellOfLedger(this.#peer, ledger);
    if (benches !== undefined) this.#benchNews ??= tellOfBenches(this.#peer, benches);
    if (rules !== undefined) this.#rulesNews ??= tellOfRules(this.#peer, rules.keeper);
    const { build } = this.#context;
    const shown = build === null ? {} : { build };
    return succeed({ version: own, protocol: protocolVersion, pid, ...shown });
  }

  #view(): SessionView {
    this.#borrowed ??= this.#context.views.view(this.#context.defaults);
    return this.#borrowed.item.view;
  }

  #look(configuration: ViewConfiguration): void {
    const before = this.#borrowed;
    this.#borrowed = this.#context.views.view(configuration);
    if (this.#following !== undefined) this.#follow();
    before?.dispose();
  }

  #follow(): void {
    this.#unfollow();
    this.#following = this.#view().follow((snapshot) => this.#sender.offer(snapshot));
  }

  #unfollow(): void {
    this.#following?.dispose();
    this.#following = undefined;
    this.#sender.clear();
  }

  #tooLate(): void {
    if (!this.#hasShown)
      this.#context.log.write("warn", "A client was refused: it did not show the token in time");
    this.#peer.dispose();
  }

  #closed(): void {
    clearTimeout(this.#deadline);
    this.#unfollow();
    this.#ledgerNews?.dispose();
    this.#benchNews?.dispose();
    this.#rulesNews?.dispose();
    this.#budgetNews.dispose();
    this.#messageNews.dispose();
    this.#borrowed?.dispose();
    this.#borrowed = undefined;
  }
}
