import type { GuardRule } from "./rule.ts";

const unjudgedId = "unjudged-command";

/** Fires on a command line with an unread part. It has no match: the reader and the tests report such a line. */
export const unjudgedRules: readonly GuardRule[] = [
  {
    id: unjudgedId,
    family: "safety",
    match: [],
    message:
      "This command line cannot be judged completely: it is too long, nested too deep, or has a quote that does not end.",
    remedy: "Split it into shorter commands, and close every quote.",
    fires: [`${"eval ".repeat(20)}ls`, `${"( ".repeat(20)}ls${" )".repeat(20)}`, "echo 'a"],
    passes: ["for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo $i; done", "( ( ls ) )"],
  },
];

/** Returns the rule on command lines that could not be judged completely; null where it is off. */
export function unjudgedRule(rules: readonly GuardRule[]): GuardRule | null {
  return rules.find(({ id }) => id === unjudgedId) ?? null;
}
