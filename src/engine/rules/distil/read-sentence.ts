import { cleanText } from "../../base/text.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { sentence } from "../../base/language.ts";

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

export interface RuleSentence {
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
