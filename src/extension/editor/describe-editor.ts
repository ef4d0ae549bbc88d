import { dollars, percent, shortNumber, wholeNumber } from "../../engine/base/local-format.ts";
import type { Figure, Provenance } from "../../engine/usage/token-counts.ts";
import { type Advice, fewTurns, isDue } from "../../engine/sessions/advice.ts";
import type { SessionSnapshot } from "../../engine/sessions/snapshot.ts";
import { homedir } from "node:os";
import path from "node:path";
import { readTokenAmount } from "../../engine/base/format.ts";

/** Translates an English message into the user's language: `t`, or a stand-in outside the editor. */
export type Translate = (message: string, ...values: (string | number)[]) => string;

/** `~9 turns`: a forecast in short form. */
export function turns(count: number, t: Translate): string {
  return count < fewTurns ? t("<{0} turns", fewTurns) : t("~{0} turns", shortNumber(count));
}

/** The same forecast in words, for a sentence. */
export function describeTurns(count: number, t: Translate): string {
  return count < fewTurns ? t("fewer than {0} turns", fewTurns) : t("about {0} turns", shortNumber(count));
}

export function provenanceName(provenance: Provenance, t: Translate): string {
  switch (provenance) {
    case "official":
      return t("official");
    case "measured":
      return t("measured");
    case "estimated":
      return t("estimated");
    case "unknown":
      return t("unknown");
  }
}

/** What to do now, in a sentence. */
export function adviceSentence(advice: Advice, t: Translate): string {
  switch (advice) {
    case "CONTINUE":
      return t("Continue: there is room.");
    case "WRAP_UP":
      return t("Wrap up: finish this task, start nothing new.");
    case "END_TURN":
      return t("End the turn: finish or hand over now.");
  }
}

/** Dollars, or "unknown". An estimate is labelled as one beside the figure. */
export function cost(figure: Figure, t: Translate): string {
  return figure.value === null ? t("unknown") : dollars(figure.value);
}

export function usedOfWindow({ occupancy, window, percent: share }: SessionSnapshot, t: Translate): string {
  if (occupancy.value === null) return t("unknown");
  if (window.value === null || share === null) return t("{0} tokens", wholeNumber(occupancy.value));
  return t("{0} of {1} · {2}", wholeNumber(occupancy.value), wholeNumber(window.value), percent(share));
}

export function untilCompaction({ headroom, turnsLeft }: SessionSnapshot, t: Translate): string {
  if (headroom.value === null) return t("unknown");
  if (isDue(headroom.value)) return t("at the next call");
  const tokens = t("in ~{0}", shortNumber(headroom.value));
  return turnsLeft.value === null ? tokens : `${tokens} · ${turns(turnsLeft.value, t)}`;
}

/** `claude-sonnet-4-6 · my-app (main)` */
export function sessionLabel({
  model,
  cwd,
  branch,
}: Pick<SessionSnapshot, "model" | "cwd" | "branch">): string {
  const [folder, name] = [folderName(cwd), branchName(branch)];
  const label = name === "" ? folder : `${folder} (${name})`;
  return [model, label].filter((part) => part !== null && part !== "").join(" · ");
}

function folderName(cwd: string | null): string {
  return cwd === null ? "" : (cwd.split(/[\\/]/u).findLast((part) => part !== "") ?? cwd);
}

/** Empty for `HEAD`, which agents report where there is no branch. */
function branchName(branch: string | null): string {
  return branch === null || branch === "HEAD" ? "" : branch;
}

/** Names a session by its title, else by project, branch and time of its last activity. */
export function sessionName({
  title,
  cwd,
  branch,
  lastActivity,
}: Pick<SessionSnapshot, "title" | "cwd" | "branch" | "lastActivity">): string {
  if (title !== null && title.trim() !== "") return title;
  const time = lastActivity === null ? "" : clockTime(lastActivity);
  return [folderName(cwd), branchName(branch), time].filter((part) => part !== "").join(" · ");
}

/** How long ago, coarsely: `now`, `4 min ago`, `2 h ago`, `3 d ago`. */
export function ago(at: number, now: number, t: Translate): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return t("now");
  if (minutes < 60) return t("{0} min ago", minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? t("{0} h ago", hours) : t("{0} d ago", Math.floor(hours / 24));
}

/** A time of today as `14:03:12`, which does not become outdated; an earlier one in the form of `ago`. */
export function asOf(at: number, now: number, t: Translate): string {
  const [then, today] = [new Date(at), new Date(now)];
  if (then.toDateString() !== today.toDateString()) return ago(at, now, t);
  const parts = [then.getHours(), then.getMinutes(), then.getSeconds()];
  return t("as of {0}", parts.map((part) => String(part).padStart(2, "0")).join(":"));
}

/** A time of today as `14:03`. @param at milliseconds since the epoch */
export function clockTime(at: number): string {
  const time = new Date(at);
  return [time.getHours(), time.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}

/** How long something takes, coarsely: `40 min`, `2 h`, `3 d`. @param span milliseconds */
export function describeSpan(span: number, t: Translate): string {
  const minutes = Math.max(1, Math.round(span / 60_000));
  if (minutes < 60) return t("{0} min", minutes);
  const hours = Math.round(minutes / 60);
  return hours < 48 ? t("{0} h", hours) : t("{0} d", Math.round(hours / 24));
}

/** A path in short form: `~/.claude/settings.json`. */
export function shortPath(file: string, home: string = homedir()): string {
  const inside = path.relative(home, file);
  const isInside = inside !== "" && !inside.startsWith("..") && !path.isAbsolute(inside);
  return isInside ? path.join("~", inside) : file;
}

/** Reads a number of tokens from an input box. Undefined when it is invalid, or zero. */
export function tokensFrom(text: string): number | undefined {
  const tokens = readTokenAmount(text);
  return tokens === 0 ? undefined : tokens;
}
