import { createHmac, randomBytes } from "node:crypto";

export type Prover = "service" | "client";

/**
 * Proves possession of the token without revealing it. A proof of one end is useless as the other's. It is valid only for its challenge and address,
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

export function newChallenge(): string {
  return randomBytes(32).toString("base64url");
}
