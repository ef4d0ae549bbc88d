import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { challengeHeader, proofHeader, proofPath } from "./post.ts";
import { newChallenge, proofOf } from "../../protocol/proof.ts";
import { isToken } from "../../protocol/token.ts";

/**
 * Proves to every client of the service's own endpoint that this is the service, and makes clients prove that they are this user's,
 * where the endpoint's address does not guarantee it. Each challenge belongs to one connection.
 */
export class HookProofs {
  readonly #about: { readonly token: string; readonly address: string };
  readonly #isNeeded: boolean;
  readonly #challenges = new WeakMap<Socket, string>();

  constructor(about: { readonly token: string; readonly address: string }, isNeeded: boolean) {
    this.#about = about;
    this.#isNeeded = isNeeded;
  }

  /** Answers a request for the service's proof. Returns false for any other request. */
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

  /** Whether a request has proved to come from this user, where a proof is needed. */
  isShown({ headers, socket }: IncomingMessage): boolean {
    if (!this.#isNeeded) return true;
    const challenge = this.#challenges.get(socket);
    const proof = headers[proofHeader];
    if (challenge === undefined || typeof proof !== "string") return false;
    return isToken(proof, proofOf("client", { ...this.#about, challenge }));
  }
}
