import type { Disposable } from "../../base/disposable.ts";
import { fail, type Result } from "../../base/result.ts";
import type { Clock } from "../../base/timing/clock.ts";
import type { RequestResult } from "../../protocol/peer.ts";
import type { RequestAnswer, Requester, RequestName, RequestParams } from "../../jobs/all-requests.ts";

/** After an attempt to connect again that failed, requests fail at once for this long: an attempt may take half a minute. Milliseconds. */
const restFor = 60_000;

type Connection = Requester & Disposable;

export interface LastingPorts {
  /** Connects to the service, which is started if none runs. */
  readonly connect: () => Promise<Result<Connection>>;
  readonly clock: Clock;
}

/**
 * Sends requests to the service while a command runs, and to the next service if the first one ends. A
 * pending request is sent again, so each must be idempotent.
 */
export class LastingService implements Requester, Disposable {
  readonly #ports: LastingPorts;
  #client: Connection;
  #again: Promise<Result<Connection>> | null = null;
  #notBefore = -Infinity;
  #isOver = false;

  constructor(client: Connection, ports: LastingPorts) {
    this.#client = client;
    this.#ports = ports;
  }

  async ask<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
    signal?: AbortSignal,
  ): Promise<RequestResult<RequestAnswer<Name>>> {
    const answer = await this.#client.ask(name, params, signal);
    if (answer.ok || answer.reason !== "closed" || this.#isOver) return answer;
    if (this.#ports.clock.now() < this.#notBefore) return answer;
    this.#again ??= this.#reconnect();
    const again = await this.#again;
    return again.ok ? await again.value.ask(name, params, signal) : fail("closed", again.detail);
  }

  dispose(): void {
    this.#isOver = true;
    this.#client.dispose();
  }

  async #reconnect(): Promise<Result<Connection>> {
    const again = await this.#ports.connect();
    if (again.ok) this.#client = again.value;
    else this.#notBefore = this.#ports.clock.now() + restFor;
    if (again.ok && this.#isOver) again.value.dispose();
    this.#again = null;
    return again;
  }
}
