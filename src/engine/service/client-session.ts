import type { Socket } from "node:net";
import { DisposableList, type Disposable } from "../base/events.ts";
import { fail, succeed } from "../base/result.ts";
import type { BuildStamp } from "./build-stamp.ts";
import type { ServedClient, ServeClient } from "../protocol/serve.ts";
import { clientLimits, readEnvelope } from "../protocol/envelope.ts";
import { Peer, type HandlerResult } from "../protocol/peer.ts";
import { proofOf } from "../protocol/proof.ts";
import { helloTime, protocolVersion, refusal, type StopReason } from "../sessions/session-requests.ts";
import type { ServiceLog } from "../base/log.ts";
import { isToken } from "../protocol/endpoint.ts";
import { noticeKinds, requestKinds, type RequestAnswer, type RequestParams } from "../jobs/all-requests.ts";
import { sentence } from "../base/language.ts";

export interface ClientContext {
  readonly pid: number;
  readonly version: string;
  readonly build: BuildStamp | null;
  readonly token: string;
  /** That clients connect to. */
  readonly address: string;
  readonly log: ServiceLog;
  /** The service accepts no more clients. */
  readonly isEnding: () => boolean;
  readonly serve: readonly ServeClient[];
}

/** A client without the token may only request the service's proof. */
export class ClientSession implements Disposable {
  readonly #context: ClientContext;
  readonly #peer: Peer;
  readonly onClose: Peer["onClose"];
  readonly #deadline: NodeJS.Timeout;
  readonly #served: readonly ServedClient[];
  readonly #owned = new DisposableList();
  #isKnown = false;
  #hasShown = false;
  #hasAsked = false;

  constructor(socket: Socket, context: ClientContext) {
    this.#context = context;
    this.#peer = new Peer(socket, {
      limit: () => (this.#isKnown ? clientLimits.known : clientLimits.stranger),
      admit: (value) => this.#admit(value),
      onRefused: (why) => {
        context.log.write("warn", `A client was refused: ${why.text}`);
        this.#peer.dispose();
      },
      onProblem: (message) => context.log.write("warn", message),
    });
    this.onClose = this.#peer.onClose;
    this.#deadline = setTimeout(() => this.#tooLate(), helloTime);
    this.#owned.add({ dispose: () => clearTimeout(this.#deadline) });
    this.#peer.onClose(() => this.#owned.dispose());
    this.#peer.onRequest(requestKinds.prove, ({ challenge }) => this.#prove(challenge));
    this.#peer.onRequest(requestKinds.hello, (shown) => this.#hello(shown));
    this.#served = context.serve.map((serve) => this.#owned.add(serve(this.#peer)));
    this.#peer.listen();
  }

  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Notifies the client of the reason first. */
  async leave(reason: StopReason): Promise<void> {
    for (const each of this.#served) each.dispose();
    if (this.#isKnown) await this.#peer.sendNotification(noticeKinds.goodbye, { reason });
    this.#peer.end();
  }

  dispose(): void {
    this.#peer.dispose();
  }

  #admit(value: unknown): ReturnType<typeof readEnvelope> {
    const envelope = readEnvelope(value);
    if (!envelope.ok || this.#isKnown) return envelope;
    const method = "id" in envelope.value && "method" in envelope.value ? envelope.value.method : null;
    if (method === requestKinds.prove.method && !this.#hasAsked) {
      this.#hasAsked = true;
      return envelope;
    }
    if (method !== requestKinds.hello.method)
      return fail("malformed", sentence("it did not show the token first"));
    if (this.#hasShown)
      return fail("malformed", sentence("it showed a token before the first was looked at"));
    this.#hasShown = true;
    return envelope;
  }

  #prove(challenge: string): HandlerResult<RequestAnswer<"prove">> {
    const { token, address } = this.#context;
    return succeed({ proof: proofOf("service", { token, address, challenge }) });
  }

  #hello({ token, version, protocol }: RequestParams<"hello">): HandlerResult<RequestAnswer<"hello">> {
    const { log, pid, version: own, build, isEnding } = this.#context;
    // A client that was taken now would lose its first question; refused, it starts the next service.
    if (isEnding()) return fail("ending", sentence("it is ending"));
    if (!isToken(token, this.#context.token)) {
      log.write("warn", "A client was refused: it showed a wrong token");
      // The answer is sent first; a client that stays connected is dropped when its time is over.
      return {
        ...fail("refused", sentence("this is not the service's token")),
        code: refusal.unauthenticated,
      };
    }
    if (protocol > protocolVersion && version === own)
      log.write("warn", `A client of the same version speaks protocol ${protocol}`);
    clearTimeout(this.#deadline);
    const isFirst = !this.#isKnown;
    this.#isKnown = true;
    if (isFirst) for (const each of this.#served) each.welcome();
    const shown = build === null ? {} : { build };
    return succeed({ version: own, protocol: protocolVersion, pid, ...shown });
  }

  #tooLate(): void {
    if (!this.#hasShown)
      this.#context.log.write("warn", "A client was refused: it did not show the token in time");
    this.#peer.dispose();
  }
}
