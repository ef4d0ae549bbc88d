import type {
  GuardEffectView,
  GuardExceptionView,
  GuardFamily,
  GuardHit,
  FamilyMode,
  GuardView,
} from "../../engine/guard/guard-answers.ts";
import { cleanText, cutMiddle } from "../../engine/base/text.ts";
import { decimalNumber, wholeNumber } from "../../engine/base/local-format.ts";
import { t } from "../../engine/base/language.ts";
import { dayDate, longDay } from "../components/times.ts";

/** The panel's longer texts. */

export const modeNames: Readonly<Record<FamilyMode, string>> = {
  off: t("Off"),
  observe: t("Watch only"),
  on: t("On"),
  required: t("Required"),
};

/** Each mode in plain words. */
export const modeSentences: Readonly<Record<FamilyMode, string>> = {
  observe: t("Nothing is blocked or changed. The panel shows what the rules would have done."),
  on: t(
    "Most rules on safety and secrets ask you; in an unattended session they deny the call. All others advise the agent, once a session, and long outputs are made smaller.",
  ),
  required: t(
    "As on. A call that purser could not judge is asked about or blocked, also if purser does not run. For safety, secrets and protect.",
  ),
  off: t("Nothing is looked at, and nothing is recorded."),
};

export const familyNames: Readonly<Record<GuardFamily, string>> = {
  safety: t("Safety"),
  secrets: t("Secrets"),
  protect: t("Protect"),
  facts: t("Facts"),
  waste: t("Waste"),
  output: t("Output"),
  loops: t("Loops"),
  verification: t("Verification"),
  learned: t("Learned"),
};

export const familySentences: Readonly<Record<GuardFamily, string>> = {
  safety: t("Commands that delete, overwrite or publish more than was meant."),
  secrets: t("Keys and passwords that would be read, printed or sent."),
  protect: t("Writes to what agents should leave alone, such as lock files and their own settings."),
  facts: t("Files, scripts and options that a call names and that are not there."),
  waste: t("Calls that fill the context with what is known, or too long to read."),
  output: t("Long outputs that can be made shorter."),
  loops: t("The same action with the same failure, and steps that go in circles."),
  verification: t("Edits that no check has looked at."),
  learned: t("Errors and dead ends that earlier sessions of the project met."),
};

/** A family's name; one of a newer version is as it is written. */
export function nameOf(family: string): string {
  return isFamily(family) ? familyNames[family] : family;
}

export function isFamily(family: string): family is GuardFamily {
  return Object.hasOwn(familyNames, family);
}

export const notes = {
  modes: t(
    "A mode that you choose here is written into your editor's settings (purser.guard.mode and purser.guard.families). It counts for every agent on this machine, before a mode in ~/.purser/settings.json.",
  ),
  fired: t(
    "Calls on which a rule fired, newest first, as the ledger has them: the part of the call that the rule is about, without what looks like a secret. Allow… writes an exception into your guard.yaml, and counts the warning as not right.",
  ),
  rules: t(
    "Rules that come with purser, and your own. What a rule does is what it does where its family is on. Fired counts the calls of the time shown above. Helped is the share of what it told that was followed or led to progress, of what came of it; advice that seldom helps falls silent.",
  ),
  replay: t(
    "Transcripts of your agents on this machine, read just now, and every tool call in them judged as if it were made today. Rules that compare with what is on disk are left out, as it is no longer what it was.",
  ),
  files: t(
    "Rules of your own, exceptions, and what a rule does instead. A project's file may make rules stricter, never laxer, and counts only in folders that you trust.",
  ),
};

/** Explains how tokens were estimated from bytes. */
export function savingsNote({ charactersPerToken, requests }: GuardView["scale"]): string {
  const scale = decimalNumber(charactersPerToken, 1);
  const estimated =
    requests === 0
      ? t(
          "Bytes of output are measured. Tokens are estimated from them: {0} characters a token, as no request in your ledger tells how long its tokens are.",
          scale,
        )
      : t(
          "Bytes of output are measured. Tokens are estimated from them: {0} characters a token, the median of the {1} newest requests in your ledger that tell.",
          scale,
          wholeNumber(requests),
        );
  const counted = t(
    "Each token counts once here, when the output is first sent. What it saves in later requests is in the net above.",
  );
  return `${estimated} ${counted}`;
}

export const recordings = t(
  "Figures of your own sessions. The benchmark's scripted recordings cannot show what guards save in real work.",
);

/** The outcome of a hit, or what it would have been. */
export function describeOutcome({
  done,
  action,
  savedBytes,
}: Pick<GuardHit, "done" | "action" | "savedBytes">): string {
  if (done === "observed") {
    if (savedBytes !== null && savedBytes > 0) return t("could be {0} shorter", bytesText(savedBytes));
    return { ask: t("would have asked"), deny: t("would have denied") }[action] ?? t("would have advised");
  }
  const outcome = outcomeNames[done] ?? cutMiddle(cleanText(done), 40);
  if (savedBytes === null || savedBytes <= 0) return outcome;
  const shorter = t("{0} shorter", bytesText(savedBytes));
  return done === "replaced" ? shorter : `${outcome}, ${shorter}`;
}

const outcomeNames: Readonly<Record<string, string>> = {
  advised: t("advised the agent"),
  replaced: t("made smaller"),
  repeated: t("said before in this session"),
  withheld: t("held back: enough advice was given"),
  silent: t("silent: its advice seldom helps"),
  unjudged: t("not judged"),
  asked: t("asked you"),
  denied: t("denied"),
};

/** A rule's action if its family is on. */
export const actionNames: Readonly<Record<string, string>> = {
  advise: t("advises"),
  ask: t("asks you"),
  deny: t("denies"),
};

/** A rule's action if its family had been on. */
export function describeWould(action: string): string {
  return { advise: t("advise the agent"), ask: t("ask you"), deny: t("deny the call") }[action] ?? action;
}

/** The effects of a rule's reports, in a few words each. */
export function describeEffect(effect: Omit<GuardEffectView, "rule" | "helpsTooLittle">): string {
  const { told, followed, progress, ignored, overridden, mistaken } = effect;
  const parts = [
    [followed, t("{0} followed", wholeNumber(followed))],
    [progress, t("{0} led to progress", wholeNumber(progress))],
    [ignored, t("{0} ignored", wholeNumber(ignored))],
    [overridden, t("{0} overridden", wholeNumber(overridden))],
    [mistaken, t("{0} not right", wholeNumber(mistaken))],
  ] as const;
  const known = parts.filter(([count]) => count > 0).map(([, what]) => what);
  return [t("reported {0} times", wholeNumber(told)), ...known].join(", ");
}

/** `812 bytes`, `14 kB`, `1.2 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return t("{0} bytes", wholeNumber(bytes));
  if (bytes < 999_500) return t("{0} kB", wholeNumber(bytes / 1000));
  return t("{0} MB", decimalNumber(bytes / 1_000_000, 1));
}

/**
 * The scope of an exception: `on this call, until the end of Dec 23, 2026`.
 * @param today `2026-11-21`
 */
export function describeException({ like, folder, until }: GuardExceptionView, today: string): string {
  const what =
    like !== undefined && folder !== undefined
      ? t("on calls like this in {0}", folder)
      : folder !== undefined
        ? t("in {0}", folder)
        : like === undefined
          ? t("everywhere")
          : literalOf(like) === like
            ? t("on calls like this")
            : t("on this call");
  return `${what}, ${describeUntil(until, today)}`;
}

/** @param until the day that no longer counts */
function describeUntil(until: string | undefined, today: string): string {
  if (until === undefined) return t("without an end");
  const last = dayDate(until);
  last.setDate(last.getDate() - 1);
  return until <= today ? t("ended with {0}", longDay(last)) : t("until the end of {0}", longDay(last));
}

/** Returns the call that a pattern is exactly for; the pattern itself, where it is for more. */
export function literalOf(pattern: string): string {
  const inner = /^(?:\(\?-i\))?\\A(?<inner>.*)\\z$/su.exec(pattern)?.groups?.["inner"];
  if (inner === undefined || /\\[a-z\d]/iu.test(inner)) return pattern;
  const isPlain = !/[\\^$.*+?()[\]{}|]/u.test(inner.replace(/\\./gsu, ""));
  return isPlain ? inner.replace(/\\(?<mark>.)/gsu, "$<mark>") : pattern;
}
