import { connect as connectSocket, type Socket } from "node:net";
import type { Clock } from "../base/timing.ts";
import type { Disposable } from "../base/events.ts";
import { type Result, succeed, fail, errorCode } from "../base/result.ts";
import type { BuildStamp } from "./build-stamp.ts";
import { trustIn } from "../protocol/endpoint.ts";
import { stateOf } from "../base/lock.ts";
import type { Machine } from "../base/process.ts";
import { Peer, type RequestResult } from "../protocol/peer.ts";
import { protocolVersion, refusal, type StopReason } from "../sessions/session-requests.ts";
import { readEnvelope, serviceLimit } from "../protocol/envelope.ts";
import { newChallenge, proofOf } from "../protocol/proof.ts";
import type { PurserPaths } from "../base/paths.ts";
import { readRecordWithAge, type ServiceRecord } from "./service-record.ts";
import {
  noticeKinds,
  requestKinds,
  type NoticeName,
  type NoticeParams,
  type RequestAnswer,
  type RequestName,
  type RequestParams,
} from "../jobs/all-requests.ts";
import { sentence, type Sentence, plainSentence } from "../base/language.ts";

export interface ClientPorts {
  readonly home: PurserPaths;
  readonly machine: Machine;
  readonly clock: Clock;
  readonly version: string;
  readonly onProblem: (message: string) => void;
  /** Replaced only by tests. */
  readonly trust?: typeof trustIn;
}

/**
 * - `not_running`: there is no service;
 * - `unresponsive`: its process lives but does not answer, for example because it is ending;
 * - `elsewhere`: it runs out of reach, on another machine or in another container that shares the folder;
 * - `refused`: it does not know the token of its record; it may just have restarted;
 * - `outdated`: its version is too new for this client;
 * - `unsafe_place`: another user could have written its record, or may listen at its address.
 */
export type ConnectFailure =
  "not_running" | "unresponsive" | "elsewhere" | "refused" | "outdated" | "unsafe_place";

/** A healthy service answers in a few milliseconds, or later while it reads a lot. Milliseconds. */
const answerTime = 3000;

/** Never starts a service. */
export async function connectService(ports: ClientPorts): Promise<Result<ServiceClient, ConnectFailure>> {
  const found = readRecordWithAge(ports.home, ports.clock.now());
  if (!found.ok) return found;
  if (found.value === null)
    return fail("not_running", sentence("{0} tells of no service", ports.home.record));
  const { record, silence } = found.value;
  const state = stateOf(record, ports.machine, silence);
  const who = sentence("process {0} on {1}", record.pid, record.machine.host);
  if (state === "gone") return fail("not_running", sentence("{who} has ended", { who: who }));
  const trust = (ports.trust ?? trustIn)(record.socket);
  if (trust === "foreign")
    return fail("unsafe_place", sentence("other users may listen at {0}; remove its folder", record.socket));
  const socket =
    trust === "gone" ? fail("unreachable", plainSentence("ENOENT")) : await openSocket(record.socket);
  if (!socket.ok) {
    const reason = state === "elsewhere" ? "elsewhere" : "unresponsive";
    return fail(
      reason,
      sentence("the service, {who}, cannot be reached: {detail}", {
        who: who,
        detail: socket.detail,
      }),
    );
  }
  const client = new ServiceClient(socket.value, ports.onProblem);
  if (trust === "own" || (await client.isProved(record))) return await introduce(client, record, ports);
  client.dispose();
  return fail(
    "unsafe_place",
    sentence("whoever listens at {0} is not the service, {who}", { 0: record.socket, who: who }),
  );
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
      sentence("purser {0} serves, which {1} is too old for; update it", answer.value.version, version),
    );
  }
  client.dispose();
  const isWrong = answer.code === refusal.unauthenticated;
  return fail(
    isWrong ? "refused" : "unresponsive",
    sentence("the service, process {0}, said: {detail}", { 0: pid, detail: answer.detail }),
  );
}

function openSocket(address: string): Promise<Result<Socket, "unreachable">> {
  const socket = connectSocket(address);
  return new Promise((resolve) => {
    const timer = setTimeout(() => refuse(sentence("it does not answer")), answerTime);
    const refuse = (why: Sentence) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(fail("unreachable", why));
    };
    const failed = (error: Error) => refuse(plainSentence(errorCode(error)));
    socket.once("error", failed);
    socket.once("connect", () => {
      clearTimeout(timer);
      socket.off("error", failed);
      resolve(succeed(socket));
    });
  });
}

/** Pending requests fail when the service ends. */
export class ServiceClient implements Disposable {
  readonly onClose: Peer["onClose"];
  readonly #peer: Peer;
  farewell: StopReason | undefined;
  version = "";
  build: BuildStamp | null = null;
  pid = 0;
  protocol = 0;

  constructor(socket: Socket, onProblem: (message: string) => void) {
    this.#peer = new Peer(socket, {
      limit: () => serviceLimit,
      admit: readEnvelope,
      onRefused: (why) => {
        onProblem(`The service was not understood: ${why.text}`);
        this.#peer.dispose();
      },
      onProblem,
    });
    this.onClose = this.#peer.onClose;
    this.on("goodbye", ({ reason }) => (this.farewell = reason));
    this.#peer.listen();
  }

  /** Whether the other side has the token, checked without sending it. Must be the first request, if made at all. */
  async isProved({ token, socket: address }: Pick<ServiceRecord, "token" | "socket">): Promise<boolean> {
    const challenge = newChallenge();
    const answer = await this.#inTime(this.ask("prove", { challenge }));
    return answer.ok && answer.value.proof === proofOf("service", { token, address, challenge });
  }

  /** The service answers nothing else before. */
  async introduce(shown: RequestParams<"hello">): Promise<RequestResult<RequestAnswer<"hello">>> {
    const answer = await this.#inTime(this.ask("hello", shown));
    if (answer.ok) {
      ({ version: this.version, pid: this.pid, protocol: this.protocol } = answer.value);
      this.build = answer.value.build ?? null;
    }
    return answer;
  }

  /** Closes the connection if there is no answer in time. */
  async #inTime<Answer>(asked: Promise<Answer>): Promise<Answer> {
    const timer = setTimeout(() => this.#peer.dispose(), answerTime);
    const answer = await asked;
    clearTimeout(timer);
    return answer;
  }

  get isClosed(): boolean {
    return this.#peer.isClosed;
  }

  /** `all-requests.ts` lists the names. */
  ask<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
    signal?: AbortSignal,
  ): Promise<RequestResult<RequestAnswer<Name>>> {
    return this.#peer.sendRequest(requestKinds[name], params, signal);
  }

  on<Name extends NoticeName>(name: Name, listener: (notice: NoticeParams<Name>) => void): Disposable {
    return this.#peer.onNotification(noticeKinds[name], listener);
  }

  /** Returns whether the service ended within the time, in milliseconds. */
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
