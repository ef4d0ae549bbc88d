import { sha256Hex } from "../../base/hash.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { RuleStep } from "../action.ts";
import { similarTo } from "../duplicates.ts";
import { ruleText, statusWords, type Rule, type RuleOrigin, type RuleSource } from "../rule.ts";
import { sentence, type Sentence } from "../../base/language.ts";
import { cleanText } from "../../base/text.ts";

/**
 * Recognizes advice that saves tokens by doing less of the work, which would pass any measurement of tokens alone. It matches words, so it refuses too much
 * rather than too little; advice refused by mistake can be worded differently.
 */

const less = String.raw`(?:do(?:n['’]?t| not)|never|avoid|skip(?:ping)?|omit(?:ting)?|without|stop|no need to|needn['’]?t|instead of|rather than|refrain from|bypass(?:ing)?|ignore|suppress|disable)`;
const checking = String.raw`(?:re-?)?(?:run(?:ning)?|execut(?:e|ing)|verif(?:y|ying|ication)s?|check(?:s|ing)?|test(?:s|ing)?|valid(?:ate|ating|ation)s?|lint(?:s|ing|er)?|type-?check(?:s|ing)?|build(?:s|ing)?|compil(?:e|ing)|review(?:s|ing)?|confirm(?:ing|ation)?|assert(?:s|ions?|ing)?|inspect(?:ing)?)`;
const object = String.raw`(?:tests?|checks?|suites?|verif\w+|valid\w+|lint\w*|builds?|type-?checks?|typecheck\w*|assert\w*|reviews?|ci)`;

/** Words between a verb and its object: `do not re-run the whole test suite`. */
const between = String.raw`(?:\s+[\w'’-]+){0,4}?\s+`;

const patterns: readonly RegExp[] = [
  // "skip the tests", "do not run the tests", "without verifying"
  new RegExp(String.raw`\b${less}${between}${object}\b`, "iu"),
  new RegExp(
    String.raw`\b(?:skip(?:ping)?|omit(?:ting)?|without|bypass(?:ing)?|no need to|disable)\s+(?:any\s+|the\s+|further\s+)?${checking}\b`,
    "iu",
  ),
  new RegExp(
    String.raw`\b(?:do(?:n['’]?t| not)|never|avoid|stop)\s+(?:bother(?:ing)?\s+)?(?:to\s+|with\s+)?(?:verif\w*|valid\w*|test(?:ing)?|confirm\w*|double-?check\w*|review\w*)\b`,
    "iu",
  ),
  // "assume it works", "trust the edit"
  /\bassume\b(?:\s+[\w'’-]+){0,5}?\s+(?:works?|pass(?:es)?|correct|succeed(?:s|ed)?|fine|right|ok)\b/iu,
  /\btrust\b(?:\s+[\w'’-]+){0,3}?\s+(?:without|blindly)\b/iu,
  // "give up", "do not retry", "report failure early", "--no-verify"
  /\b(?:give up|giving up|declare (?:success|it done|victory)|claim (?:success|completion))\b/iu,
  /\b(?:do(?:n['’]?t| not)|never|avoid|stop|skip)\s+(?:re-?try(?:ing)?|fix(?:ing)?|finish(?:ing)?|complet(?:e|ing))\b/iu,
  /\bleave\b(?:\s+[\w'’-]+){0,4}?\s+(?:unfinished|incomplete|undone|for later|to the user)\b/iu,
  /--no-verify\b|\bit\.(?:skip|only)\b|\bxfail\b|\bas any\b|@ts-(?:ignore|nocheck)|\beslint-disable\b/iu,
  // "fewer tests", "test only once", "verify less"
  /\b(?:fewer|less|minimi[sz]e|reduce|limit)\s+(?:[\w'’-]+\s+){0,2}(?:tests?|testing|checks?|checking|verification|validation)\b/iu,
  /\b(?:test|verify|check|validate|lint|build)\s+(?:less|rarely|seldom|only (?:once|when asked|if asked|at the end))\b/iu,
];

/** Returns the words of a text that ask for fewer checks, or null. */
export function savesByCheckingLess(text: string): string | null {
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (found !== null) return found[0].trim();
  }
  return null;
}

/** Length limits of a rule's sentence and of its scope. Characters. */
const sentenceLength = { least: 10, most: 200 };
const scopeLength = { least: 3, most: 80 };

export type SentenceReason = "not_printable" | "wrong_length" | "less_checking" | "bad_scope";

interface RuleSentence {
  readonly sentence: string;
  readonly scope: string | null;
}

const scoped = /^\(when ([^()]*)\)\s*(.*)/su;

/**
 * Parses a rule's text. This is the only entry point for rules of any author. A rule is one printable line,
 * no longer than a sentence. A text with characters that move, hide or reorder text is rejected, not cleaned,
 * as nobody writes them in good faith.
 */
export function readSentence(text: string): Result<RuleSentence, SentenceReason> {
  const trimmed = text.trim();
  if (trimmed.includes("\n") || /\s{2,}|[^\S ]/u.test(trimmed) || cleanText(trimmed) !== trimmed)
    return fail("not_printable", sentence("a rule is one line of printable text, with single spaces"));
  const match = scoped.exec(trimmed);
  const [scope, words] = match === null ? [null, trimmed] : [(match[1] ?? "").trim(), match[2] ?? ""];
  const { least, most } = sentenceLength;
  if (words.length < least || words.length > most)
    return fail(
      "wrong_length",
      sentence("a rule has {0} to {1} characters, not {2}", least, most, words.length),
    );
  if (scope !== null && (scope.length < scopeLength.least || scope.length > scopeLength.most))
    return fail(
      "bad_scope",
      sentence(
        'what follows "when" has {0} to {1} characters, not {2}',
        scopeLength.least,
        scopeLength.most,
        scope.length,
      ),
    );
  const less = savesByCheckingLess(`${scope ?? ""} ${words}`);
  if (less !== null)
    return fail(
      "less_checking",
      sentence("it saves tokens by skipping checks (“{0}”); rules must not change the result", less),
    );
  return succeed({ sentence: words, scope });
}

/** Likeness above which two rules count as the same. */
const sameAbove = 0.85;

export interface Proposal {
  readonly agent: string;
  /** Includes the scope, as `(when …) …`, if there is one. */
  readonly text: string;
  readonly origin: RuleOrigin;
  readonly source: RuleSource | null;
  /** The rule that this one edits, or null. */
  readonly replaces: string | null;
}

type ProposeReason = SentenceReason | "bad_agent" | "known";

/** Agent names become folder names. */
const agentName = /^[A-Za-z0-9][\w.-]{0,63}$/u;

export function isAgentName(name: string): boolean {
  return agentName.test(name) && !name.includes("..");
}

/**
 * Makes a candidate of a sentence, or fails with the reason. Refuses near-duplicates of any rule the agent ever had,
 * including evicted ones: that question was decided before.
 */
export function propose(
  { agent, text, origin, source, replaces }: Proposal,
  known: readonly Rule[],
  { who, at, rent }: { readonly who: string; readonly at: number; readonly rent: (text: string) => number },
): Result<{ readonly rule: Rule; readonly step: RuleStep }, ProposeReason> {
  if (!isAgentName(agent))
    return fail("bad_agent", sentence("an agent's name is letters, digits, dots and hyphens"));
  const read = readSentence(text);
  if (!read.ok) return read;
  const whole = ruleText(read.value);
  const others = known.filter((rule) => rule.agent === agent && rule.id !== replaces);
  const [same] = similarTo(whole, others, { textOf: ruleText, minimum: sameAbove });
  if (same !== undefined) {
    const { id, status, decidedReason } = same.item;

    return fail(
      "known",
      decidedReason === null
        ? sentence("it says the same as rule {id}, which is {status}", { id, status: statusWords[status] })
        : sentence("it says the same as rule {id}, which is {status}: {reason}", {
            id,
            status: statusWords[status],
            reason: decidedReason,
          }),
    );
  }
  const id = ruleId(agent, whole);
  if (known.some((rule) => rule.id === id)) return fail("known", sentence("it is rule {0}", id));
  const rule: Rule = {
    id,
    agent,
    ...read.value,
    status: "candidate",
    isProtected: false,
    strikes: 0,
    origin,
    source,
    saving: null,
    rent: rent(whole),
    createdAt: at,
    decidedAt: null,
    decidedReason: null,
    auditedAt: null,
    replaces,
  };
  const why = replaces === null ? originNames[origin] : sentence("edited from {0}", replaces);
  return succeed({ rule, step: { at, who, from: null, to: "candidate", why } });
}

/** Same agent and sentence give the same id: `r` and ten hexadecimal digits. */
function ruleId(agent: string, text: string): string {
  return `r${sha256Hex(`${agent}\n${text}`, 10)}`;
}

const originNames: Readonly<Record<RuleOrigin, Sentence>> = {
  trajectory: sentence("found in a costly run"),
  model: sentence("proposed by the user's agent after a costly run"),
  hand: sentence("written by hand"),
  import: sentence("imported from a file"),
};
