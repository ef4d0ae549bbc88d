import { createHmac, randomBytes } from "node:crypto";

/** The two ends of a connection: a proof of one is useless as the other's. */
export type Prover = "service" | "client";

/**
 * Proves possession of the token without revealing it. A proof is valid only for its challenge and address,
 * so that nobody in between can relay it from another address.
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

/** Returns a new random challenge: 256 bits. */
export function newChallenge(): string {
  return randomBytes(32).toString("base64url");
}
