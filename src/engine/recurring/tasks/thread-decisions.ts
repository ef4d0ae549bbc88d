import { decisionsIn } from "../../continuity/learning.ts";
import { namesAgent } from "./agent-names.ts";
import { decisionLinesIn, type DecisionLine } from "./decision-lines.ts";
import type { TaskComment } from "./task.ts";

/** Decisions, and characters of one. */
const [maxDecisions, maxLength] = [20, 240];

/** On GitHub, GitLab and similar services. */
const bots = /(?:\[bot\]|\(bot\)|(?:^|[-_ ])bot)$/iu;
/** Accounts of services whose names do not end so. */
const services = new Set(
  "purser github-actions gitlab-ci dependabot renovate greenkeeper jenkins circleci travis-ci codecov mergify netlify vercel".split(
    " ",
  ),
);

/**
 * What people decided, oldest first. If there are too many, those without a word for it in front are left out first, then the oldest. `agents` are
 * recurring agents, who are not people.
 */
export function decisionsOf(comments: readonly TaskComment[], agents: readonly string[]): string[] {
  const found = new Map<string, DecisionLine>();
  for (const { author, text } of comments) {
    if (isProgram(author, agents)) continue;
    for (const each of decisionLinesIn(text, (sentence) => decisionsIn(sentence).length > 0)) {
      const said = cut(`${author}: ${each.text}`);
      if (!found.has(said)) found.set(said, { ...each, text: said });
    }
  }
  const all = [...found.values()];
  const clear = all.filter(({ isClear }) => isClear).slice(-maxDecisions);
  const others = all.filter(({ isClear }) => !isClear).slice(-(maxDecisions - clear.length) || all.length);
  const kept = new Set([...clear, ...others]);
  return all.filter((each) => kept.has(each)).map(({ text }) => text);
}

function isProgram(author: string, agents: readonly string[]): boolean {
  const name = author.trim().toLowerCase();
  return services.has(name) || bots.test(name) || agents.some((agent) => namesAgent(agent, author));
}

function cut(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).trimEnd()}…`;
}
