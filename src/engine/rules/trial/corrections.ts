/** Words that may come first. */
const leadIn =
  /^(?:(?:actually|and|argh|but|h?mm+|hey|oh|ok(?:ay)?|please|sorry|ugh|wait|well)[\s,.!…-]+){0,2}/u;

/**
 * Starts of prompts that correct the agent, after a lead-in. Few on purpose: a missed correction is missed
 * with and without a rule, while a new task that looks like one would add noise. English only.
 */
const beginnings: readonly RegExp[] = [
  // "No, the other file." Polite refusals answer a question.
  /^no(?:pe|o+)?(?:[,.!:;]+(?!\s*(?:thank|problem|worries|need\b))|$)/u,
  /^no,? (?:not|don't|do not|that|this|it|you|i (?:said|meant|asked))\b/u,
  // "Wrong." "That's wrong."
  /^wrong(?:[,.!:;]|$| (?:approach|branch|file|folder|function|one|place)\b)/u,
  /^(?:that|this|it|you)(?:'s| is|'re| are) (?:all |still |completely )?wrong\b/u,
  // "That's not what I asked for."
  /^(?:that|this)(?:'s|s| is) not\b/u,
  /^(?:that|this) isn't\b/u,
  /^not (?:what i|like (?:that|this)|that one)\b/u,
  // "Undo that." Of something older is a task.
  /^(?:undo|revert)(?:[,.!]|$| (?:all (?:of )?(?:that|this)|everything|it|that|this|what you|your|the last change)\b)/u,
  /^(?:roll|put|change|take) (?:it|that|this|everything) back\b/u,
  // "I said in one file."
  /^(?:as |like )?i (?:already )?(?:said|told you|meant)\b/u,
  /^i (?:asked (?:you )?(?:for|not to|to)|did(?:n't| not) (?:ask|want|mean)|never asked)\b/u,
  // "You forgot the test."
  /^you (?:broke|deleted|forgot|ignored|misread|missed|misunderstood|removed|(?:did|have|were|should)(?:n't| not))\b/u,
  // "Still broken."
  /^(?:(?:it|that|this)(?:'s| is)? )?still (?:broken|does(?:n't| not)|fail(?:s|ing)|is(?:n't| not)|not|the same|wrong)\b/u,
  /^(?:(?:it|that|this) )?(?:does|did)(?:n't| not) (?:help|work)\b/u,
  /^again:/u,
  /^stop(?:[,.!]|$| (?:that|this|doing)\b)/u,
  /^(?:don't|do not) do (?:it|that|this)\b/u,
];

/** Maximum length of a first line's start that is read. Characters. */
const maxStartLength = 80;

/** Whether a prompt asks the agent to correct its work, judged by its start. */
export function asksForCorrection(prompt: string): boolean {
  const [line = ""] = prompt
    .slice(0, 2 * maxStartLength)
    .trimStart()
    .split("\n", 1);
  const start = line.slice(0, maxStartLength).trimEnd().toLowerCase().replaceAll("’", "'");
  const withoutLeadIn = start.replace(leadIn, "");
  return beginnings.some((beginning) => beginning.test(withoutLeadIn) || beginning.test(start));
}
