import type { GuardFamily } from "../../settings/guard.ts";

/** A guard rule in code, which judges several calls together and only advises. */
export interface CodedRule {
  /** Kebab-case, unique among all rules. */
  readonly id: string;
  readonly family: GuardFamily;
  /** The finding, in general: a sentence. */
  readonly message: string;
  /** The better way: a sentence in the imperative. */
  readonly remedy: string;
  /** A case in which it fires, in words. */
  readonly example: string;
}
