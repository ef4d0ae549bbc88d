import { dollars, estimatedNumber, wholeNumber } from "../../base/format.ts";
import { plural, sentence, type Sentence, type SentenceValue } from "../../base/language.ts";
import { cleanText, cutMiddle } from "../../base/text.ts";
import { agentNames } from "../../transcripts/agents.ts";
import type { FoundCause, SessionCause } from "./found-causes.ts";
import { largeContext } from "./session-costs.ts";
import type { Why, WhyChange } from "../why-answers.ts";

/** Characters. */
const maxName = 60;

/** All that was found of one cause, of all sessions in question. */
export type Evidence = Pick<FoundCause, "calls" | "tokens" | "labels">;

export function clauseText(cause: SessionCause, { calls, tokens, labels }: Evidence): Sentence {
  const [first = ""] = labels.keys();
  const label = nameOf(first);
  const count = wholeNumber(calls);
  const size = estimatedNumber(tokens);
  const times = [...labels.values()].reduce((sum, each) => sum + each.times, 0);
  switch (cause) {
    case "benchmark":
      return plural(calls, sentence("1 call of a benchmark"), sentence("{0} calls of benchmarks", count));
    case "loop":
      return loopText(label, { loops: times, calls: count, isFailing: tokens * 2 >= calls });
    case "cache-rebuilt":
      return rebuiltText(labels, size);
    case "read-after-compaction":
      return plural(
        labels.size,
        sentence("1 file read again after a compaction: {0}", label),
        sentence("{0} files read again after a compaction", wholeNumber(labels.size)),
      );
    case "read-again":
      return plural(
        labels.size,
        sentence("1 file read again {0} times: {1}", count, label),
        sentence("{0} files read again, {1} times in all", wholeNumber(labels.size), count),
      );
    case "long-output":
      return plural(
        times,
        sentence("An output of {0}, ~{1} tokens long, carried through {2} calls", label, size, count),
        sentence(
          "{0} long outputs; the largest, of ~{1} tokens, carried through {2} calls",
          wholeNumber(times),
          size,
          count,
        ),
      );
    case "large-context":
      return sentence(
        "{0} calls with a large context, of ~{1} tokens on average",
        count,
        estimatedNumber(tokens / Math.max(1, calls)),
      );
    case "subagents":
      return subagentsText(first, { agents: times, types: labels.size });
  }
}

function loopText(
  tool: SentenceValue,
  {
    loops,
    calls,
    isFailing,
  }: { readonly loops: number; readonly calls: string; readonly isFailing: boolean },
): Sentence {
  const count = wholeNumber(loops);
  return isFailing
    ? plural(
        loops,
        sentence("A loop of {0} calls of {1}, most of which failed", calls, tool),
        sentence(
          "{0} loops of {1} calls in all, most of which failed; most of the cost with {2}",
          count,
          calls,
          tool,
        ),
      )
    : plural(
        loops,
        sentence("A loop of {0} calls of {1} that look the same", calls, tool),
        sentence(
          "{0} loops of {1} calls in all that look the same; most of the cost with {2}",
          count,
          calls,
          tool,
        ),
      );
}

function subagentsText(
  type: string,
  { agents, types }: { readonly agents: number; readonly types: number },
): Sentence {
  const count = wholeNumber(agents);
  if (type === "") return plural(agents, sentence("1 subagent"), sentence("{0} subagents", count));
  const name = nameOf(type);
  if (types > 1) return sentence("{0} subagents; those of type {1} cost most", count, name);
  return plural(agents, sentence("1 subagent: {0}", name), sentence("{0} subagents: {1}", count, name));
}

function rebuiltText(labels: Evidence["labels"], size: string): Sentence {
  const [[why, { times }] = ["other", { times: 0 }] as const, ...others] = labels;
  if (others.length > 0) {
    const counts = [...labels].map(([each, { times: count }]) => rebuiltCount(each, count));
    return sentence("The cache was lost, and ~{0} tokens were written to it again: {1}", size, counts);
  }
  const count = wholeNumber(times);
  switch (why) {
    case "model":
      return plural(
        times,
        sentence("Another model was chosen in mid-session, and ~{0} tokens were written to its cache", size),
        sentence(
          "The model changed {0} times in mid-session, and ~{1} tokens were written to the cache again",
          count,
          size,
        ),
      );
    case "pause":
      return plural(
        times,
        sentence("The cache expired in a pause, and ~{0} tokens were written to it again", size),
        sentence("The cache expired in {0} pauses, and ~{1} tokens were written to it again", count, size),
      );
    default:
      return plural(
        times,
        sentence("The cache was lost without a pause, and ~{0} tokens were written to it again", size),
        sentence(
          "The cache was lost {0} times without a pause, and ~{1} tokens were written to it again",
          count,
          size,
        ),
      );
  }
}

function rebuiltCount(why: string, times: number): Sentence {
  const count = wholeNumber(times);
  if (why === "model")
    return plural(times, sentence("1 change of the model"), sentence("{0} changes of the model", count));
  if (why === "pause") return plural(times, sentence("1 pause"), sentence("{0} pauses", count));
  return plural(times, sentence("once without a pause"), sentence("{0} times without a pause", count));
}

export function dearerText(model: string, usual: string): Sentence {
  return sentence("{0} costs more than the usual {1}", nameOf(model), nameOf(usual));
}

/** @param times the multiple of the usual cost, at least 2 */
export function multipleText(group: Sentence, times: number): Sentence {
  return sentence("More of {0} than usual: over {1} times as much", group, wholeNumber(Math.floor(times)));
}

/** @param times the multiple of the usual cost of a session, at least 2 */
export function largerText(calls: number, times: number): Sentence {
  const whole = wholeNumber(Math.floor(times));
  return sentence(
    "A larger session than usual: {0} calls, over {1} times the cost",
    wholeNumber(calls),
    whole,
  );
}

/** @param times the multiple of the median day, at least 2 */
export function spikeText(day: string, times: number): Sentence {
  return sentence("{0} cost over {1} times as much as a usual day", day, wholeNumber(Math.floor(times)));
}

export function newText(of: Sentence): Sentence {
  return sentence("{0}, new in these weeks", of);
}

export function groupName({
  program,
  project,
}: {
  readonly program: string | null;
  readonly project: string | null;
}): Sentence {
  const agent = program === null ? sentence("an agent") : nameOf(agentNames.of(program));
  return project === null
    ? sentence("{0} outside of any project", agent)
    : sentence("{0} in the project {1}", agent, folderName(project));
}

/** How the rest compares with what is usual; null where that is unknown. */
export type RestIs = "usual" | "more" | null;

export function restText(isAll: boolean, is: RestIs): Sentence {
  switch (is) {
    case "usual":
      return isAll ? sentence("Nothing stands out: all of it is as usual") : sentence("The rest, as usual");
    case "more":
      return isAll
        ? sentence("More than usual, without a single cause")
        : sentence("The rest, more than usual without a single cause");
    case null:
      return isAll
        ? sentence("Nothing stands out; there is too little before it to say what is usual")
        : sentence("The rest, without a single cause");
  }
}

export function usualText({ usd, of, count, days }: Omit<NonNullable<Why["usual"]>, "text">): Sentence {
  const [cost, units] = [dollars(usd), wholeNumber(count)];
  if (of === "weekday") return sentence("Usual for this weekday: {0}, the median of {1}", cost, units);
  if (of === "sessions") return sentence("Usual for a session: {0}, the median of {1}", cost, units);
  return days === 1
    ? sentence("Usual for a day: {0}, the median of {1}", cost, units)
    : sentence("Usual for {0} days with usage: {1}, by the median of {2}", wholeNumber(days), cost, units);
}

/** The change that would have prevented a cause; null if none is known. */
export function changeText(
  cause: SessionCause,
  label: string,
): Pick<WhyChange, "kind" | "text" | "basis"> | null {
  switch (cause) {
    case "loop":
      return {
        kind: "guard",
        text: sentence("Let the guard family {0} report a loop at its third call", "loops"),
        basis: sentence("The price of the calls after the third"),
      };
    case "cache-rebuilt":
      if (label === "model")
        return {
          kind: "handover",
          text: sentence("Begin a new session with a handover to change the model"),
          basis: sentence("What writing the whole context again cost, less what a new session needs"),
        };
      return label === "pause"
        ? {
            kind: "handover",
            text: sentence("After a long pause, begin a new session with a handover"),
            basis: sentence("What writing the whole context again cost, less what a new session needs"),
          }
        : null;
    case "read-after-compaction":
      return {
        kind: "handover",
        text: sentence("Hand over to a new session before the context is compacted"),
        basis: sentence("The price of those reads, and of carrying them"),
      };
    case "read-again":
      return {
        kind: "guard",
        text: sentence("Let the guard family {0} answer a repeated read with the place of the text", "waste"),
        basis: sentence("The price of the repeated reads, and of carrying them"),
      };
    case "long-output":
      return label === "Read"
        ? {
            kind: "rule",
            text: sentence("Add a rule: read only the needed lines of a large file"),
            basis: sentence("The price of carrying all but 2,000 tokens of it"),
          }
        : {
            kind: "guard",
            text: sentence("Let the guard family {0} shorten long outputs", "output"),
            basis: sentence("The price of carrying all but 2,000 tokens of it"),
          };
    case "large-context":
      return {
        kind: "handover",
        text: sentence("Hand over to a new session at ~{0} tokens", estimatedNumber(largeContext)),
        basis: sentence("The price of carrying what is above that size, less what new sessions need"),
      };
    case "benchmark":
    case "subagents":
      return null;
  }
}

export function modelChange(usual: string): Pick<WhyChange, "kind" | "text" | "basis"> {
  return {
    kind: "model",
    text: sentence("Use {0} for this work", nameOf(usual)),
    basis: sentence("The same tokens at its list prices"),
  };
}

/** @param of the group; null for a session */
export function budgetChange(
  of: Sentence | null,
  {
    usd,
    count,
  }: { /** The budget. */ readonly usd: number; /** Days or sessions before. */ readonly count: number },
): Pick<WhyChange, "kind" | "text" | "basis"> {
  return {
    kind: "budget",
    text:
      of === null
        ? sentence("Set a budget of {0} for a session", dollars(usd))
        : sentence("Set a budget of {0} a day for {1}", dollars(usd), of),
    basis:
      of === null
        ? sentence("What is above one and a half times the median of {0} sessions", wholeNumber(count))
        : sentence("What is above one and a half times the median of {0} days", wholeNumber(count)),
  };
}

/** The last folder of a path. */
function folderName(path: string): SentenceValue {
  return nameOf(path.split(/[/\\]/u).findLast((part) => part !== "") ?? path);
}

function nameOf(text: string): SentenceValue {
  const name = cutMiddle(cleanText(text), maxName);
  return name === "" ? sentence("unknown") : name;
}
