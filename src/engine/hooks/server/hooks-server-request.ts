import { plainSentence } from "../../base/language.ts";
import type { IncomingMessage, ServerResponse } from "node:http";
import { fail, succeed, type Result } from "../../base/result.ts";
import {
  callerOfPath,
  callerVariables,
  entryHeader,
  isAttended,
  teamsHeader,
  type HookCaller,
} from "../program.ts";
import type { HookServerAddress } from "./address.ts";
import { cutHeader, challengeHeader, proofHeader, proofPath } from "./post.ts";
import type { LatePrompt } from "../server.ts";
import { isToken } from "../../protocol/endpoint.ts";
import type { Socket } from "node:net";
import { newChallenge, proofOf } from "../../protocol/proof.ts";

/**
 * Proves to every client of the service's own endpoint that this is the service. Also makes clients prove
 * that they belong to this user, if the endpoint's address does not guarantee it. Each challenge belongs to
 * one connection.
 */
export class HookProofs {
  readonly #about: { readonly token: string; readonly address: string };
  readonly #isNeeded: boolean;
  readonly #challenges = new WeakMap<Socket, string>();

  constructor(about: { readonly token: string; readonly address: string }, isNeeded: boolean) {
    this.#about = about;
    this.#isNeeded = isNeeded;
  }

  answer({ method, url, headers, socket }: IncomingMessage, response: ServerResponse): boolean {
    const challenge = headers[challengeHeader];
    if (method !== "GET" || url !== proofPath || typeof challenge !== "string") return false;
    const theirs = newChallenge();
    this.#challenges.set(socket, theirs);
    const body = `${proofOf("service", { ...this.#about, challenge })} ${theirs}`;
    response.writeHead(200, { "Content-Length": Buffer.byteLength(body) });
    response.end(body);
    return true;
  }

  /** Whether a request has proved to come from this user, if a proof is needed. */
  isShown({ headers, socket }: IncomingMessage): boolean {
    if (!this.#isNeeded) return true;
    const challenge = this.#challenges.get(socket);
    const proof = headers[proofHeader];
    if (challenge === undefined || typeof proof !== "string") return false;
    return isToken(proof, proofOf("client", { ...this.#about, challenge }));
  }
}

export const refusals = {
  not_found: 404,
  wrong_method: 405,
  wrong_host: 403,
  from_a_page: 403,
  unauthenticated: 401,
} as const;
export type HookRefusal = keyof typeof refusals;

/** Id of an event from one of purser's own programs. Sending it again is recognized as the same event. */
const eventId = /^[\w-]{8,64}$/u;

export interface HookRequest {
  readonly program: HookCaller;
  /** Null if the caller sent none. */
  readonly id: string | null;
  /** Agents of a team can message each other in this session. */
  readonly hasTeams: boolean;
  readonly isAttended: boolean;
  /** The agent sent it itself, without a program of purser's. */
  readonly isPosted: boolean;
  readonly isCut: boolean;
  /**
   * Variables of the agent's environment that name the caller, sent by a command that does not run the hook program. Null if `program` is the
   * caller.
   */
  readonly env: Readonly<Record<string, string>> | null;
}

/**
 * Checks that a request can come from a hook of the user's own agent, before reading its body. Web pages can
 * reach loopback too, but they do not have the token, may send another `Host`, and send an `Origin`.
 */
export function checkRequest(
  asked: Asked,
  { port, token }: HookServerAddress,
): Result<HookRequest, HookRefusal> {
  const { headers } = asked;
  const request = readRequest(asked);
  if (!request.ok) return request;
  if (headers.host !== `127.0.0.1:${port}` && headers.host !== `localhost:${port}`)
    return fail("wrong_host", plainSentence("this is not the host asked for"));
  if (headers.origin !== undefined) return fail("from_a_page", plainSentence("pages are not answered"));
  const shown = /^Bearer (?<token>\S{1,512})$/u.exec(headers.authorization ?? "")?.groups?.["token"];
  if (shown === undefined || !isToken(shown, token))
    return fail("unauthenticated", plainSentence("the token is wrong"));
  if (request.value.env !== null) return wrongMethod;
  // Only purser's own programs truncate their bodies.
  return succeed({ ...request.value, isPosted: true, isCut: false });
}

/** Checks a request on the service's own endpoint, where only this user can connect or every client proves to be this user. */
export function checkOwnRequest(
  request: IncomingMessage,
  proofs: Pick<HookProofs, "isShown">,
): Result<HookRequest, HookRefusal> {
  const read = readRequest(request);
  if (!read.ok || proofs.isShown(request)) return read;
  return fail("unauthenticated", plainSentence("the proof is wrong"));
}

/** The request that a prompt would have been, which passed before a service could take it. */
export function requestOfLate({ caller, id, headers }: LatePrompt): HookRequest {
  const valueOf = (name: string) =>
    headers.flatMap((line) => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2)] : []))[0];
  return {
    program: caller,
    id: eventId.test(id) ? id : null,
    hasTeams: isSet(valueOf(teamsHeader)),
    isAttended: isAttended(valueOf(entryHeader)),
    isPosted: false,
    isCut: false,
    env: null,
  };
}

const wrongMethod = fail("wrong_method", plainSentence("hooks are posted"));

type Asked = Pick<IncomingMessage, "method" | "url" | "headers">;

function readRequest({
  method,
  url = "",
  headers,
}: Asked): Result<HookRequest, "not_found" | "wrong_method"> {
  const program = callerOfPath(url);
  if (program === undefined) return fail("not_found", plainSentence("hooks are posted to /hook/AGENT"));
  const isSent = method === "PUT";
  if (method !== "POST" && !isSent) return wrongMethod;
  const id = headers["x-purser-event"];
  return succeed({
    program,
    id: typeof id === "string" && eventId.test(id) ? id : null,
    hasTeams: isSet(headers[teamsHeader]),
    isAttended: isAttended(String(headers[entryHeader] ?? "")),
    isPosted: false,
    isCut: headers[cutHeader] !== undefined,
    env: isSent ? callerEnvironment(headers) : null,
  });
}

function callerEnvironment(headers: Asked["headers"]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(callerVariables).map(([header, name]) => [name, String(headers[header] ?? "")]),
  );
}

/** Reads a switch as agents read a boolean environment variable. */
function isSet(value: string | string[] | undefined): boolean {
  return typeof value === "string" && /^(?:1|true|yes|on)$/iu.test(value);
}
