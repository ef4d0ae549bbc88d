import {
  aboutDollars,
  percent,
  shortNumber,
  decimalNumber,
  wholeNumber,
} from "../../../engine/base/local-format.ts";
import type { SessionSnapshot } from "../../../engine/sessions/snapshot.ts";
import { agentNames } from "../../../engine/transcripts/agents.ts";
import { describeTurns, type Translate, sessionLabel, sessionName } from "../../editor/describe-editor.ts";
import { inMessage } from "../../editor/outside-text.ts";
import type { Anomaly } from "../../../engine/ledger/ledger-answers.ts";
import { adviceNow } from "../status-colours.ts";

/** Characters. */
const maxNameLength = 40;

/** What happens when, to which session, and why it matters. */
export function warningSentence(session: SessionSnapshot, t: Translate): string {
  const { agent, turnsLeft, headroom, percent: share, goingOn } = session;
  const name = inMessage(sessionName(session), maxNameLength);
  const who = name === "" ? agentNames.of(agent) : t("{0} ({1})", agentNames.of(agent), name);
  if (headroom.value === null)
    return t("{0}: the context is {1} full. Finish or hand over now.", who, percent(share ?? 0));
  const left =
    turnsLeft.value === null
      ? t("~{0} tokens", shortNumber(headroom.value))
      : describeTurns(turnsLeft.value, t);
  const { here, fresh } = goingOn;
  const warning = t("{0} compacts in {1}. Details may be lost.", who, left);
  if (here.value === null || fresh.value === null) return warning;
  const prices = [aboutDollars(here.value), aboutDollars(fresh.value)] as const;
  return `${warning} ${t("10 more turns: {0} here, {1} in a new session.", ...prices)}`;
}

/**
 * Whether a person should be interrupted: the advice is to end the turn. A session that has been idle since before the
 * window opened is not worth it. @param since milliseconds since the epoch
 */
export function isWarningDue(session: SessionSnapshot, since: number): boolean {
  return adviceNow(session) === "END_TURN" && (session.lastActivity ?? 0) >= since;
}

/** Names a session among several: by its title, which distinguishes two in one folder. */
export function warnedSession({ agent, title, cwd, model, branch }: SessionSnapshot): string {
  const label = sessionLabel({ model: title === null ? model : null, cwd, branch });
  return [agentNames.of(agent), title ?? "", label].filter((part) => part !== "").join(" · ");
}

/** A notification's sentence about an anomaly: what it is, and what to do. */
export function anomalySentence(anomaly: Pick<Anomaly, "cause" | "value" | "usual">, t: Translate): string {
  const { cause, value, usual } = anomaly;
  switch (cause) {
    case "costly-run": {
      const todo = t("Check what it did before you start the next one.");
      if (value === null || usual === null || usual <= 0)
        return `${t("A run took far more tokens than its agent's runs usually do.")} ${todo}`;
      const times = decimalNumber(value / usual, 1);
      return `${t("A run took {0} tokens, {1} times what is usual.", wholeNumber(value), times)} ${todo}`;
    }
    case "stall":
      return t("The context grows with almost no output. Stop the agent and check what it reads.");
    case "cache-fall": {
      const todo = t("Each call costs more until the cache is warm again.");
      if (value === null || usual === null)
        return `${t("Less of the context comes from the cache than before.")} ${todo}`;
      const [now, before] = [percent(value * 100), percent(usual * 100)];
      return `${t("Only {0} of the context comes from the cache; before it was {1}.", now, before)} ${todo}`;
    }
  }
}
