import type { CodedRule } from "../calls/rule.ts";

const family = "waste";

/** The waste rules that need the session's memory or the disk. */
export const rulesOfWaste = {
  unchangedRead: {
    id: "unchanged-read",
    family,
    message: "A file is read again, although its text has not changed and is still in the context.",
    remedy: "Look further up for the text; the same call once more gives it in full.",
    example: "Read src/cart.ts, twice in one turn, without an edit between.",
  },
  wholeAfterLines: {
    id: "whole-file-after-lines",
    family,
    message: "A large file is read whole, although some of its lines were named or read before.",
    remedy: "Give the first line and a number of lines.",
    example: "Read a log of 2 MB whole after its lines 100-140 were read.",
  },
  failedAgain: {
    id: "failed-before",
    family,
    message: "A command is run that has failed, and nothing was changed since.",
    remedy: "Work from the error that it printed, or change its cause first.",
    example: "npm test fails; npm test again, without an edit between.",
  },
  searchWithDependencies: {
    id: "search-with-dependencies",
    family,
    message: "A recursive search or listing of a project's folder also goes through its dependencies.",
    remedy: "Use a tool that knows what the project ignores, such as `git grep` or `git ls-files`.",
    example: "grep -rn TODO . in a folder with node_modules.",
  },
  agentForSearch: {
    id: "agent-for-one-search",
    family,
    message: "A subagent is started for a single search; its own instructions cost thousands of tokens.",
    remedy: "Run the one search yourself.",
    example: "Agent with the prompt: grep for parseOrder in src.",
  },
  fetchOfFile: {
    id: "fetch-of-local-file",
    family,
    message: "A tool for web pages is used for a file on this machine.",
    remedy: "Read the file with the tool that reads files.",
    example: "WebFetch of file:///home/ann/shop/README.md.",
  },
} as const satisfies Record<string, CodedRule>;

export const wasteRules: readonly CodedRule[] = Object.values(rulesOfWaste);

export const limitRule = {
  id: "limit-added",
  family: "waste",
  message: "An output without bound gets a limit, where the user has chosen so (`guardAddLimits`).",
  remedy: "For more, give a limit of your own.",
  example: "git log, which becomes git log -n 50.",
} as const satisfies CodedRule;
