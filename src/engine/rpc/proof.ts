import { createHmac, randomBytes } from "node:crypto";

/** The two ends of a connection: neither's proof is any use as the other's. */
export type Prover = "service" | "client";

/**
 * Shows that one has the token, without showing the token: to whoever made up the challenge, and for this address only, so that nobody
 * between the two can hand it on from an address of their own.
 */
export function proofOf(
  prover: Prover,
  {
    token,
    address,
    challenge,
  }: { readonly token: string; readonly address: string; readonly challenge: string },
): string {
  return createHmac("sha256", token)
    .update(JSON.stringify([prover, address, challenge]))
    .digest("base64url");
}

/** Something nobody has been asked before: 256 bits. */
export function newChallenge(): string {
  return randomBytes(32).toString("base64url");
}
