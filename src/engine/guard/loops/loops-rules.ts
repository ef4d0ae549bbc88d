import type { CodedRule } from "../calls/rule.ts";

const family = "loops";

export const loopRules = {
  sameFailure: {
    id: "same-failure",
    family,
    message: "The same action failed the same way again and again.",
    remedy: "Find the cause in the error, and try something else, or tell the user what is in the way.",
    example: "`npm test` fails three times with the same error",
  },
  polling: {
    id: "polling",
    family,
    message: "A state is asked for again and again, with nothing done in between.",
    remedy: "Wait with one command that ends when the state is reached, or do something else meanwhile.",
    example: "`sleep 30` and `gh run view 12` three times in turn",
  },
  alternation: {
    id: "actions-take-turns",
    family,
    message: "The same few actions take turns, with the same results each time.",
    remedy: "Say what they should have shown, and do what would show something new.",
    example:
      "reading `a.ts`, running `npm test`, reading `a.ts` and running `npm test` with nothing changed in between",
  },
  nearEqual: {
    id: "nearly-equal-commands",
    family,
    message:
      "Nearly the same command runs again and again, with the same outcome and nothing changed in between.",
    remedy: "Read its help, list what is there, or keep its output in a file and search that.",
    example:
      "`npm test | tail -5`, `npm test | head -50`, `npm test | grep fail` and `npm test 2>&1 | tail -80` in a row",
  },
  repeatedLooks: {
    id: "repeated-looks",
    family,
    message: "The same few things were looked at again and again, and nothing was changed.",
    remedy: "Use what was read, which is still in the context: decide, edit, or ask the user.",
    example: "ten reads of the same three files with no edit in between",
  },
} as const satisfies Readonly<Record<string, CodedRule>>;

export const allLoopRules: readonly CodedRule[] = Object.values(loopRules);
