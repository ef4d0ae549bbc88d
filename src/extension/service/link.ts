import { compose, plainSentence, inWords, type Sentence } from "../../engine/base/language.ts";
import { type Result, type Failure, fail, errorText } from "../../engine/base/result.ts";
import { Emitter, type Disposable } from "../../engine/base/events.ts";
import type {
  StopReason,
  ClientConfiguration,
  LiveSnapshot,
} from "../../engine/sessions/session-requests.ts";
import type { EnsureFailure } from "../../engine/service/ensure.ts";
import type { ServiceClient } from "../../engine/service/client.ts";
import { refusalRemedy } from "../../engine/base/files.ts";
import type { Translate } from "../editor/describe-editor.ts";

/** `ended`: the connection ended without the service announcing it. */
export type LinkFailure = EnsureFailure | "ended";

/** The remedy: retry, or reload the window to load the installed version. */
export type Remedy = "retry" | "reload";

/** State of the link. `failed` gives the reason and the remedy, in words a person can act on. */
export type LinkState =
  | { readonly kind: "starting" }
  | { readonly kind: "ready"; readonly snapshot: LiveSnapshot }
  | { readonly kind: "failed"; readonly reason: string; readonly remedy: Remedy };

/** Access to the service. The code is large, and loaded when needed. */
export interface ServiceAccess {
  /** Connects to the service, starting one if necessary. */
  readonly connect: (signal: AbortSignal) => Promise<Result<ServiceClient, EnsureFailure>>;
  /** This window's current configuration for reading sessions. */
  readonly configuration: () => ClientConfiguration;
  /** Stops the service hosted by this window, if any, after its writes. */
  readonly stop: () => Promise<void>;
}

interface LinkPorts {
  readonly load: () => Promise<ServiceAccess>;
  readonly explain: (failure: Failure<LinkFailure>) => { readonly reason: string; readonly remedy: Remedy };
  readonly log: { info(message: string): void; warn(message: string): void; error(message: string): void };
  /** Pauses before the first, second, … attempt after a failure; the last one repeats. Milliseconds. */
  readonly pauses: readonly number[];
  /** Pause between attempts once failure was reported. Milliseconds. */
  readonly longPause: number;
}

/** This many failures in quick succession are reported. */
const maxFailures = 3;
/** A connection that lasted this long was healthy: its end resets the failure count. Milliseconds. */
const lasting = 60_000;
/** A healthy service answers much faster. Milliseconds. */
const maxAnswerTime = 5000;

/** Failures that waiting does not fix, or that already include a wait. */
const lastingFailures: readonly LinkFailure[] = [
  "elsewhere",
  "outdated",
  "unresponsive",
  "unsafe_place",
  "unwritable",
];
/** Another service is running, or about to. */
const successions: readonly (StopReason | undefined)[] = ["handover", "superseded"];

/** This window's connection to the service, renewed whenever it ends. Known data stays visible until then. */
export class ServiceLink implements Disposable {
  readonly #changes = new Emitter<LinkState>();
  readonly onChange = this.#changes.on;
  readonly #clients = new Emitter<ServiceClient | undefined>();
  /** Fires when `client` is replaced or lost. */
  readonly onClient = this.#clients.on;
  readonly #ports: LinkPorts;
  state: LinkState = { kind: "starting" };
  /** The connected client; undefined while there is no connection. */
  client: ServiceClient | undefined;
  #access: ServiceAccess | undefined;
  /** The current attempt, or the one that made the current connection. */
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

  /** Reconnects at the user's request; resolves when the outcome is known. */
  async retry(): Promise<void> {
    this.#failures = 0;
    const asked = await this.client?.ask("status", {}, AbortSignal.timeout(maxAnswerTime));
    if (asked?.ok === true || this.#isOver) return;
    if (this.state.kind === "failed") this.#become({ kind: "starting" });
    const settled = new Promise<void>((resolve) => {
      const listener = this.onChange(({ kind }) => {
        if (kind === "starting") return;
        listener.dispose();
        resolve();
      });
    });
    this.#release();
    this.start();
    await settled;
  }

  /** Sends the user's current settings to the service. */
  configure(): void {
    if (this.client !== undefined) void this.#configure(this.client);
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#next);
    this.#attempt.abort();
    this.#release();
    this.#changes.dispose();
    this.#clients.dispose();
  }

  /** Ends the connection, and the service hosted by this window. */
  async stop(): Promise<void> {
    this.dispose();
    await this.#access?.stop();
  }

  async #connect(signal: AbortSignal): Promise<void> {
    let found: Result<ServiceClient, EnsureFailure>;
    try {
      this.#access ??= await this.#ports.load();
      // `stop` could not reach what was being loaded: a service started now would never end.
      if (signal.aborted) return;
      found = await this.#access.connect(signal);
    } catch (error) {
      found = fail("failed", plainSentence(errorText(error)));
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
    // Without a subscription the client is useless; its end starts the next attempt.
    if (!subscribed.ok) client.dispose();
  }

  async #configure(client: ServiceClient): Promise<void> {
    const configuration = this.#access?.configuration();
    if (configuration === undefined) return;
    const answer = await client.ask("configure", configuration);
    if (!answer.ok && answer.reason !== "closed")
      this.#ports.log.error(`The service did not take the settings: ${answer.detail.text}`);
  }

  /** @param lasted duration of the connection, milliseconds */
  #closed(client: ServiceClient, lasted: number): void {
    if (client !== this.client) return;
    this.client = undefined;
    this.#clients.fire(undefined);
    if (lasted > lasting) this.#failures = 0;
    const { farewell } = client;
    this.#ports.log.info(`The service ended: ${farewell ?? "it did not say why"}.`);
    if (successions.includes(farewell) && this.#failures === 0) this.start();
    else if (farewell === undefined)
      this.#missed(fail("ended", compose`process ${client.pid} ended unexpectedly`));
    else this.#later(this.#pause());
  }

  #missed(failure: Failure<LinkFailure>): void {
    this.#failures += 1;
    this.#ports.log.error(`The service cannot be reached (${failure.reason}): ${failure.detail.text}`);
    const isFinal = this.#failures >= maxFailures || lastingFailures.includes(failure.reason);
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

  #release(): void {
    const { client } = this;
    this.client = undefined;
    client?.dispose();
  }
}

/** Why there are no figures, and what to do about it, in a sentence or two. */
export function explainFailure(
  { reason, detail }: Failure<LinkFailure>,
  t: Translate,
): { reason: string; remedy: Remedy } {
  return {
    reason: reasonInWords(reason, detail, t),
    remedy: reason === "outdated" ? "reload" : "retry",
  };
}

function reasonInWords(reason: LinkFailure, why: Sentence, t: Translate): string {
  const detail = inWords(why);
  switch (reason) {
    case "outdated":
      return t(
        "A newer version of purser is running on this machine. Reload the window to use it. ({0})",
        detail,
      );
    case "elsewhere":
      return t(
        "Purser's service runs on another machine or in another container that shares this home folder. End it there, or set PURSER_HOME to a folder of this machine's own. ({0})",
        detail,
      );
    case "unresponsive":
      return t(
        "Purser's service is running but does not answer. Try again, or stop it: purser service stop --force. ({0})",
        detail,
      );
    case "unsafe_place":
      return t(
        "Other users can write to purser's folder. Restrict its permissions, or set PURSER_HOME to another folder. ({0})",
        detail,
      );
    case "unwritable":
      // The reason already names what to do, such as about a full disk.
      if (refusalRemedy(why) !== null) return t("Purser's service did not start. Try again. ({0})", detail);
      return t(
        "Purser's folder is not writable. Make it writable, or set PURSER_HOME to another folder. ({0})",
        detail,
      );
    case "refused":
      return t("Purser's service does not know this window. Try again. ({0})", detail);
    case "forbidden":
      return t("Purser's service could not be started here. See the log. ({0})", detail);
    case "ended":
      return t("Purser's service keeps stopping. See the log. ({0})", detail);
    case "not_running":
    case "failed":
    case "cancelled":
      return t("Purser's service did not start. Try again. ({0})", detail);
  }
}
