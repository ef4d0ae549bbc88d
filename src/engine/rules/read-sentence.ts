import { cleanText } from "../base/text/text.ts";
import { fail, succeed, type Result } from "../base/result.ts";
import { savesByCheckingLess } from "./less-checking.ts";
import { english } from "../base/text/english.ts";

/** Length limits of a rule's sentence and of its scope. Characters. */
const sentenceLength = { least: 10, most: 200 };
const scopeLength = { least: 3, most: 80 };

export type SentenceReason = "not_printable" | "wrong_length" | "less_checking" | "bad_scope";

export interface RuleSentence {
  readonly sentence: string;
  readonly scope: string | null;
}

const scoped = /^\(when ([^()]*)\)\s*(.*)$/su;

/**
 * Parses a rule's text; the only entry point for every rule, whoever wrote it. A rule is one printable line, no longer than
 * a sentence. A text with anything that moves, hides or reorders text is rejected, not cleaned: nobody writes such a thing
 * in good faith.
 */
export function readSentence(text: string): Result<RuleSentence, SentenceReason> {
  const trimmed = text.trim();
  if (trimmed.includes("\n") || /\s{2,}|[^\S ]/u.test(trimmed) || cleanText(trimmed) !== trimmed)
    return fail("not_printable", english("a rule is one line of printable text, with single spaces"));
  const match = scoped.exec(trimmed);
  const [scope, sentence] = match === null ? [null, trimmed] : [(match[1] ?? "").trim(), match[2] ?? ""];
  const { least, most } = sentenceLength;
  if (sentence.length < least || sentence.length > most)
    return fail(
      "wrong_length",
      english("a rule has {0} to {1} characters, not {2}", least, most, sentence.length),
    );
  if (scope !== null && (scope.length < scopeLength.least || scope.length > scopeLength.most))
    return fail(
      "bad_scope",
      english(
        'what follows "when" has {0} to {1} characters, not {2}',
        scopeLength.least,
        scopeLength.most,
        scope.length,
      ),
    );
  const less = savesByCheckingLess(`${scope ?? ""} ${sentence}`);
  if (less !== null)
    return fail(
      "less_checking",
      english("it saves tokens by skipping checks (“{0}”); rules must not change the result", less),
    );
  return succeed({ sentence, scope });
}
