import { errorText } from "../../engine/base/error-text.ts";
import type { Disposable } from "../../engine/base/disposable.ts";
import { Emitter } from "../../engine/base/emitter.ts";
import { fail, type Failure, type Result } from "../../engine/base/result.ts";
import type { LiveSnapshot } from "../../engine/context/live-snapshot.ts";
import type { EnsureFailure } from "../../engine/service/client/ensure.ts";
import type { ClientConfiguration, StopReason } from "../../engine/wire/service.ts";
import type { ServiceClient } from "../../engine/service/client/client.ts";

/** `ended`: the connection ended, and the service had not said that it would. */
export type LinkFailure = EnsureFailure | "ended";

/** What helps: to try again, or to load what is installed now. */
export type Remedy = "retry" | "reload";

/** How reading is going. `failed` says why, and what to do, in words a person can act on. */
export type LinkState =
  | { readonly kind: "starting" }
  | { readonly kind: "ready"; readonly snapshot: LiveSnapshot }
  | { readonly kind: "failed"; readonly reason: string; readonly remedy: Remedy };

/** Ways to the service. Their code is large, and loaded when it is needed. */
export interface ServiceAccess {
  /** Connects to the service, and begins one where it has to. */
  readonly connect: (signal: AbortSignal) => Promise<Result<ServiceClient, EnsureFailure>>;
  /** What this window looks at sessions with, at this moment. */
  readonly configuration: () => ClientConfiguration;
  /** Ends the service that this window hosts itself, if it does, after its writes. */
  readonly stop: () => Promise<void>;
}

export interface LinkPorts {
  readonly load: () => Promise<ServiceAccess>;
  readonly explain: (failure: Failure<LinkFailure>) => { readonly reason: string; readonly remedy: Remedy };
  readonly log: { info(message: string): void; warn(message: string): void; error(message: string): void };
  /** Before the first, second, … attempt after a failure; the last also before each one after it. Milliseconds. */
  readonly pauses: readonly number[];
  /** Between two attempts once it was said that it failed. Milliseconds. */
  readonly longPause: number;
}

/** So many failures, each soon after the other, are no accident any more. */
const mostFailures = 3;
/** A connection that lasted this long was well: its end is the first of its kind. Milliseconds. */
const lasting = 60_000;
/** A service that is well answers in much less. Milliseconds. */
const longestAnswer = 5000;

/** Waiting a little changes nothing about these, or it was done already. */
const lastingFailures: readonly LinkFailure[] = [
  "elsewhere",
  "outdated",
  "unresponsive",
  "unsafe_place",
  "unwritable",
];
/** Another service is there, or about to be. */
const successions: readonly (StopReason | undefined)[] = ["handover", "superseded"];

/** This window's connection to the service, made anew whenever it ends. What is known stays shown meanwhile. */
export class ServiceLink implements Disposable {
  readonly #changes = new Emitter<LinkState>();
  readonly onChange = this.#changes.on;
  readonly #clients = new Emitter<ServiceClient | undefined>();
  /** Fires when `client` is another one, or none. */
  readonly onClient = this.#clients.on;
  readonly #ports: LinkPorts;
  state: LinkState = { kind: "starting" };
  /** To ask the service for more; undefined while there is no connection. */
  client: ServiceClient | undefined;
  #access: ServiceAccess | undefined;
  /** The attempt that goes on, or the one that made the connection there is. */
  #attempt = new AbortController();
  #next: NodeJS.Timeout | undefined;
  #failures = 0;
  #isOver = false;

  constructor(ports: LinkPorts) {
    this.#ports = ports;
  }

  start(): void {
    clearTimeout(this.#next);
    this.#attempt.abort();
    this.#attempt = new AbortController();
    if (!this.#isOver) void this.#connect(this.#attempt.signal);
  }

  /** Reads everything anew because a person asked; ends when it is known how that went. */
  async retry(): Promise<void> {
    this.#failures = 0;
    const asked = await this.client?.ask("status", {}, AbortSignal.timeout(longestAnswer));
    if (asked?.ok === true || this.#isOver) return;
    if (this.state.kind === "failed") this.#become({ kind: "starting" });
    const told = new Promise<void>((resolve) => {
      const listener = this.onChange(({ kind }) => {
        if (kind === "starting") return;
        listener.dispose();
        resolve();
      });
    });
    this.#letGo();
    this.start();
    await told;
  }

  /** Looks with what the user has set by now. */
  configure(): void {
    if (this.client !== undefined) void this.#configure(this.client);
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#next);
    this.#attempt.abort();
    this.#letGo();
    this.#changes.dispose();
    this.#clients.dispose();
  }

  /** Ends the connection, and what this window hosts. */
  async stop(): Promise<void> {
    this.dispose();
    await this.#access?.stop();
  }

  async #connect(signal: AbortSignal): Promise<void> {
    let found: Result<ServiceClient, EnsureFailure>;
    try {
      this.#access ??= await this.#ports.load();
      found = await this.#access.connect(signal);
    } catch (error) {
      found = fail("failed", errorText(error));
    }
    if (signal.aborted) {
      if (found.ok) found.value.dispose();
    } else if (found.ok) await this.#hold(found.value);
    else this.#missed(found);
  }

  async #hold(client: ServiceClient): Promise<void> {
    const since = performance.now();
    this.client = client;
    client.on("snapshot", (snapshot) => {
      if (client === this.client) this.#become({ kind: "ready", snapshot });
    });
    client.onClose(() => this.#closed(client, performance.now() - since));
    this.#ports.log.info(`Connected to purser ${client.version}, process ${client.pid}.`);
    this.#clients.fire(client);
    await this.#configure(client);
    const subscribed = await client.ask("subscribe", {});
    // Then it is of no use; its end begins the next attempt.
    if (!subscribed.ok) client.dispose();
  }

  async #configure(client: ServiceClient): Promise<void> {
    const configuration = this.#access?.configuration();
    if (configuration === undefined) return;
    const told = await client.ask("configure", configuration);
    if (!told.ok && told.reason !== "closed")
      this.#ports.log.error(`The service did not take the settings: ${told.detail}`);
  }

  /** @param lasted milliseconds */
  #closed(client: ServiceClient, lasted: number): void {
    if (client !== this.client) return;
    this.client = undefined;
    this.#clients.fire(undefined);
    if (lasted > lasting) this.#failures = 0;
    const { farewell } = client;
    this.#ports.log.info(`The service ended: ${farewell ?? "it did not say why"}.`);
    if (successions.includes(farewell) && this.#failures === 0) this.start();
    else if (farewell === undefined) this.#missed(fail("ended", `process ${client.pid} ended unexpectedly`));
    else this.#later(this.#pause());
  }

  #missed(failure: Failure<LinkFailure>): void {
    this.#failures += 1;
    this.#ports.log.error(`The service cannot be reached (${failure.reason}): ${failure.detail}`);
    const isFinal = this.#failures >= mostFailures || lastingFailures.includes(failure.reason);
    if (isFinal) this.#become({ kind: "failed", ...this.#ports.explain(failure) });
    this.#later(isFinal ? this.#ports.longPause : this.#pause());
  }

  #pause(): number {
    const { pauses } = this.#ports;
    return pauses[Math.max(this.#failures - 1, 0)] ?? pauses.at(-1) ?? 0;
  }

  /** @param pause milliseconds */
  #later(pause: number): void {
    clearTimeout(this.#next);
    if (!this.#isOver) this.#next = setTimeout(() => this.start(), pause);
  }

  #become(state: LinkState): void {
    this.state = state;
    try {
      this.#changes.fire(state);
    } catch (error) {
      this.#ports.log.error(`Something could not be shown: ${errorText(error)}`);
    }
  }

  #letGo(): void {
    const { client } = this;
    this.client = undefined;
    client?.dispose();
  }
}
