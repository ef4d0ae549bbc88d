import type {
  GuardEffectView,
  GuardExceptionView,
  GuardFamily,
  GuardHit,
  GuardMode,
} from "../../engine/guard/answers.ts";
import { cleanText, cutMiddle } from "../../engine/base/text/text.ts";
import { wholeNumber } from "../../engine/base/text/format.ts";
import { dayDate, longDay } from "../components/times.ts";
import type { End, Span } from "./protocol.ts";

/** The panel's longer texts. */

export const misunderstood =
  "The panel and its host are of different versions. Close this panel and open it again.";

export const modeNames: Readonly<Record<GuardMode, string>> = { off: "Off", observe: "Observe", on: "On" };

/** Each mode in plain words. */
export const modeSentences: Readonly<Record<GuardMode, string>> = {
  observe: "Nothing is said or changed; this is what it would have done.",
  on: "Most rules on safety and secrets ask you, and deny where nobody can be asked. All others advise the agent, once a session, and long outputs are made smaller.",
  off: "Nothing is looked at, and nothing is recorded.",
};

export const familyNames: Readonly<Record<GuardFamily, string>> = {
  safety: "Safety",
  secrets: "Secrets",
  protect: "Protect",
  facts: "Facts",
  waste: "Waste",
  output: "Output",
  loops: "Loops",
  verification: "Verification",
  learned: "Learned",
};

export const familySentences: Readonly<Record<GuardFamily, string>> = {
  safety: "Commands that delete, overwrite or publish more than was meant.",
  secrets: "Keys and passwords that would be read, printed or sent.",
  protect: "Writes to what agents should leave alone, such as lock files and their own settings.",
  facts: "Files, scripts and options that a call names and that are not there.",
  waste: "Calls that fill the context with what is known, or too long to read.",
  output: "Outputs that say the same in fewer lines.",
  loops: "The same action with the same failure, and steps that go in circles.",
  verification: "Edits that no check has looked at.",
  learned: "Errors and ways that earlier sessions of the project know.",
};

/** A family's name; one of a newer version is as it is written. */
export function nameOf(family: string): string {
  return isFamily(family) ? familyNames[family] : family;
}

export function isFamily(family: string): family is GuardFamily {
  return Object.hasOwn(familyNames, family);
}

export const notes = {
  modes:
    "A mode that you choose here is written into your editor's settings (purser.guard.mode and purser.guard.families). It counts for every " +
    "agent on this machine, before a mode in ~/.purser/settings.json.",
  fired:
    "Calls on which a rule fired, newest first, as the ledger has them: the part of the call that the rule is about, without what looks " +
    "like a secret. Not This writes an exception into your guard.yaml, and counts what the rule told as not right.",
  rules:
    "Rules that come with purser, and your own. What a rule does is what it does where its family is on. Fired counts the calls of the " +
    "time shown above. Helped is the share of what it told that was followed or led to progress, of what came of " +
    "it; advice that seldom helps falls silent.",
  replay:
    "Transcripts of your agents on this machine, read just now, and every tool call in them judged as if it were made today. Rules that " +
    "compare with what is on disk are left out, as it is no longer what it was.",
  files:
    "Rules of your own, exceptions, and what a rule does instead. A project's file may make rules stricter, never laxer, and counts only " +
    "in folders that you trust.",
};

/** Explains how tokens were estimated from bytes. */
export function savingsNote(charactersPerToken: number, requests: number): string {
  const from =
    requests === 0
      ? "as no request in your ledger tells how long its tokens are"
      : `the median of the ${wholeNumber(requests)} newest requests in your ledger that tell`;
  return (
    `Bytes of output are measured. Tokens are estimated from them: ${charactersPerToken.toFixed(1)} characters a token, ${from}. ` +
    "A token saved is counted once, when the output is first sent; later calls that would have carried it are left out."
  );
}

export const recordings =
  "Figures of your own sessions. The benchmark's scripted recordings cannot show what guards save in real work.";

export const spanNames: Readonly<Record<Span, string>> = { 7: "7 days", 30: "30 days", 90: "90 days" };

/** What was done about a hit, or would have been. */
export function describeDeed({
  done,
  action,
  savedBytes,
}: Pick<GuardHit, "done" | "action" | "savedBytes">): string {
  if (done === "observed") {
    if (savedBytes !== null && savedBytes > 0) return `would have left out ${bytesText(savedBytes)}`;
    return { ask: "would have asked", deny: "would have denied" }[action] ?? "would have advised";
  }
  const saved = savedBytes !== null && savedBytes > 0 ? `, left out ${bytesText(savedBytes)}` : "";
  return `${deedNames[done] ?? cutMiddle(cleanText(done), 40)}${saved}`;
}

const deedNames: Readonly<Record<string, string>> = {
  advised: "advised the agent",
  replaced: "made smaller",
  repeated: "said before in this session",
  withheld: "kept back: enough was said",
  silent: "silent: its advice seldom helps",
  asked: "asked you",
  denied: "denied",
};

/** What a rule does where its family is on. */
export const actionNames: Readonly<Record<string, string>> = {
  advise: "advises",
  ask: "asks you",
  deny: "denies",
};

/** What a rule would have done, where its family was on. */
export function describeWould(action: string): string {
  return { advise: "advise the agent", ask: "ask you", deny: "deny the call" }[action] ?? action;
}

/** What came of what a rule told, in a few words each. */
export function describeEffect(effect: Omit<GuardEffectView, "rule" | "helpsTooLittle">): string {
  const { told, followed, progress, ignored, overridden, mistaken } = effect;
  const parts = [
    [followed, "followed"],
    [progress, "led to progress"],
    [ignored, "ignored"],
    [overridden, "overridden"],
    [mistaken, "not right"],
  ] as const;
  const known = parts.filter(([count]) => count > 0).map(([count, what]) => `${wholeNumber(count)} ${what}`);
  return [`told ${wholeNumber(told)} times`, ...known].join(", ");
}

/** `812 bytes`, `14 kB`, `1.2 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${wholeNumber(bytes)} bytes`;
  if (bytes < 999_500) return `${wholeNumber(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export const endNames = new Map<End, string>([
  [1, "until midnight"],
  [7, "for 7 days"],
  [30, "for 30 days"],
  [null, "without an end"],
]);

/** What an exception is about: `on this call, until the end of Dec 23, 2026`. @param today `2026-11-21` */
export function describeException({ like, folder, until }: GuardExceptionView, today: string): string {
  const what =
    like !== undefined && folder !== undefined
      ? `on calls like this in ${folder}`
      : folder !== undefined
        ? `in ${folder}`
        : like === undefined
          ? "everywhere"
          : literalOf(like) === like
            ? "on calls like this"
            : "on this call";
  return `${what}, ${describeUntil(until, today)}`;
}

/** @param until the day that no longer counts */
function describeUntil(until: string | undefined, today: string): string {
  if (until === undefined) return "without an end";
  const last = dayDate(until);
  last.setDate(last.getDate() - 1);
  return `${until <= today ? "ended with" : "until the end of"} ${longDay(last)}`;
}

/** Returns the call that a pattern is exactly for; the pattern itself, where it is for more. */
export function literalOf(pattern: string): string {
  const inner = /^(?:\(\?-i\))?\\A(?<inner>.*)\\z$/su.exec(pattern)?.groups?.["inner"];
  if (inner === undefined || /\\[a-z\d]/iu.test(inner)) return pattern;
  const isPlain = !/[\\^$.*+?()[\]{}|]/u.test(inner.replace(/\\./gsu, ""));
  return isPlain ? inner.replace(/\\(?<mark>.)/gsu, "$<mark>") : pattern;
}
