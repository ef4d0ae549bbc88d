import { connect as connectSocket, type Socket } from "node:net";
import type { Clock } from "../../base/timing/clock.ts";
import type { Disposable } from "../../base/disposable.ts";
import { errorCode } from "../../base/error-code.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { BuildStamp } from "../build-stamp.ts";
import { trustIn } from "../../rpc/endpoint-trust.ts";
import { stateOf } from "../../base/lock/owner.ts";
import type { Machine } from "../../base/process/machine.ts";
import { Peer, type Asked } from "../../rpc/peer.ts";
import { protocolVersion, refusal, type StopReason } from "../../wire/service.ts";
import { readEnvelope, serviceLimit } from "../../rpc/envelope.ts";
import { newChallenge, proofOf } from "../../rpc/proof.ts";
import type { PurserHome } from "../../base/disk/home.ts";
import { hearRecord, type ServiceRecord } from "../record.ts";
import {
  noticeKinds,
  requestKinds,
  type NoticeName,
  type NoticeParams,
  type RequestAnswer,
  type RequestName,
  type RequestParams,
} from "../../wire/wire.ts";

export interface ClientPorts {
  readonly home: PurserHome;
  readonly machine: Machine;
  readonly clock: Clock;
  /** The client's own. */
  readonly version: string;
  readonly onProblem: (message: string) => void;
  /** Who may listen at an address; handed in by tests only. */
  readonly trust?: typeof trustIn;
}

/**
 * - `not_running`: there is no service;
 * - `unresponsive`: its process lives and does not answer, as one that is just ending does not;
 * - `elsewhere`: it runs on another machine or in another container that shares the folder, out of reach;
 * - `refused`: it does not know the token of its record; it may have begun anew at this moment;
 * - `outdated`: it is of a version this client cannot speak to;
 * - `unsafe_place`: another user could have written what tells where it is, or listens there.
 */
export type ConnectFailure =
  "not_running" | "unresponsive" | "elsewhere" | "refused" | "outdated" | "unsafe_place";

/** A service that is well answers in a few milliseconds; one that reads a lot, later. Milliseconds. */
const answerTime = 3000;

/** Connects to the service that runs, and starts none. */
export async function connectService(ports: ClientPorts): Promise<Result<ServiceClient, ConnectFailure>> {
  const heard = hearRecord(ports.home, ports.clock.now());
  if (!heard.ok) return heard;
  if (heard.value === null) return fail("not_running", `${ports.home.record} tells of no service`);
  const { record, silence } = heard.value;
  const state = stateOf(record, ports.machine, silence);
  const who = `process ${record.pid} on ${record.machine.host}`;
  if (state === "gone") return fail("not_running", `${who} has ended`);
  const trust = (ports.trust ?? trustIn)(record.socket);
  if (trust === "foreign")
    return fail("unsafe_place", `other users may listen at ${record.socket}; remove its folder`);
  const socket = trust === "gone" ? fail("unreachable", "ENOENT") : await openSocket(record.socket);
  if (!socket.ok) {
    const reason = state === "elsewhere" ? "elsewhere" : "unresponsive";
    return fail(reason, `the service, ${who}, cannot be reached: ${socket.detail}`);
  }
  const client = new ServiceClient(socket.value, ports.onProblem);
  if (trust === "own" || (await client.isProved(record))) return await introduce(client, record, ports);
  client.dispose();
  return fail("unsafe_place", `whoever listens at ${record.socket} is not the service, ${who}`);
}

async function introduce(
  client: ServiceClient,
  { token, pid }: ServiceRecord,
  { version }: ClientPorts,
): Promise<Result<ServiceClient, ConnectFailure>> {
  const answer = await client.introduce({ token, version, protocol: protocolVersion });
  if (answer.ok) {
    if (answer.value.protocol <= protocolVersion) return succeed(client);
    client.dispose();
    return fail(
      "outdated",
      `purser ${answer.value.version} serves, which ${version} is too old for; update it`,
    );
  }
  client.dispose();
  const isWrong = answer.code === refusal.unauthenticated;
  return fail(isWrong ? "refused" : "unresponsive", `the service, process ${pid}, said: ${answer.detail}`);
}

function openSocket(address: string): Promise<Result<Socket, "unreachable">> {
  const socket = connectSocket(address);
  return new Promise((resolve) => {
    const timer = setTimeout(() => refuse("it does not answer"), answerTime);
    const refuse = (why: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(fail("unreachable", why));
    };
    const failed = (error: Error) => refuse(errorCode(error));
    socket.once("error", failed);
    socket.once("connect", () => {
      clearTimeout(timer);
      socket.off("error", failed);
      resolve(succeed(socket));
    });
  });
}

/** A connection to the service. What it asks for ends with a failure when the service ends. */
export class ServiceClient implements Disposable {
  readonly onClose: Peer["onClose"];
  readonly #peer: Peer;
  /** Why the service said that it ends, once it did. */
  farewell: StopReason | undefined;
  /** The service's. */
  version = "";
  build: BuildStamp | null = null;
  pid = 0;
  protocol = 0;

  constructor(socket: Socket, onProblem: (message: string) => void) {
    this.#peer = new Peer(socket, {
      limit: () => serviceLimit,
      admit: readEnvelope,
      onRefused: (why) => {
        onProblem(`The service was not understood: ${why}`);
        this.#peer.dispose();
      },
      onProblem,
    });
    this.onClose = this.#peer.onClose;
    this.on("goodbye", ({ reason }) => (this.farewell = reason));
    this.#peer.listen();
  }

  /** Whether the other side has the token, which is not shown to it. Asked first, or not at all. */
  async isProved({ token, socket: address }: Pick<ServiceRecord, "token" | "socket">): Promise<boolean> {
    const challenge = newChallenge();
    const answer = await this.#inTime(this.ask("prove", { challenge }));
    return answer.ok && answer.value.proof === proofOf("service", { token, address, challenge });
  }

  /** Shows the token; nothing else is answered before. */
  async introduce(shown: RequestParams<"hello">): Promise<Asked<RequestAnswer<"hello">>> {
    const answer = await this.#inTime(this.ask("hello", shown));
    if (answer.ok) {
      ({ version: this.version, pid: this.pid, protocol: this.protocol } = answer.value);
      this.build = answer.value.build ?? null;
    }
    return answer;
  }

  /** What is not answered in time ends the connection. */
  async #inTime<Answer>(asked: Promise<Answer>): Promise<Answer> {
    const timer = setTimeout(() => this.#peer.dispose(), answerTime);
    const answer = await asked;
    clearTimeout(timer);
    return answer;
  }

  get isClosed(): boolean {
    return this.#peer.isClosed;
  }

  /** Asks the service by the name of a request; `wire.ts` has them all. */
  ask<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
    signal?: AbortSignal,
  ): Promise<Asked<RequestAnswer<Name>>> {
    return this.#peer.ask(requestKinds[name], params, signal);
  }

  /** Hears a notice until what it returns is disposed. */
  on<Name extends NoticeName>(name: Name, listener: (told: NoticeParams<Name>) => void): Disposable {
    return this.#peer.hear(noticeKinds[name], listener);
  }

  /** Asks the service to end; answers whether it did within the time. Milliseconds. */
  async shutdown(reason: "asked" | "handover", within: number): Promise<boolean> {
    const ended = new Promise<true>((resolve) => this.#peer.onClose(() => resolve(true)));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), within)));
    await this.ask("shutdown", { reason });
    const isEnded = this.#peer.isClosed || (await Promise.race([ended, late]));
    clearTimeout(timer);
    return isEnded;
  }

  dispose(): void {
    this.#peer.dispose();
  }
}
