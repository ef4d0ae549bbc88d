import type { HandoverWord } from "../../continuity/handover.ts";

/**
 * Settings that a program honours, tested with the real programs (Claude Code 2.1.330, Codex 0.169, Copilot CLI 1.0.102, Gemini CLI 0.61). A resumed
 * session of each starts as before, byte for byte. Gemini CLI is the exception: it starts with a list of the folder's files.
 */
interface Abilities {
  /** Takes a list of commands that need no permission. */
  readonly allow: boolean;
  /** Blocks commands from the network by default. */
  readonly network: boolean;
  /** Lets its user choose how long the prompt cache lives. */
  readonly cache: boolean;
  /** Can be given some MCP servers and not others. */
  readonly mcp: boolean;
  /** Can be given some skills and not others. */
  readonly skills: boolean;
  readonly noSkills: boolean;
  /** Can be offered some tools and not others. */
  readonly tools: boolean;
  /** Can skip instruction files. */
  readonly instructions: boolean;
}

export const abilities: Readonly<Record<HandoverWord, Abilities>> = {
  claude: {
    allow: true,
    network: false,
    cache: true,
    mcp: true,
    skills: true,
    noSkills: true,
    tools: true,
    instructions: true,
  },
  codex: {
    allow: false,
    network: true,
    cache: false,
    mcp: false,
    skills: false,
    noSkills: true,
    tools: false,
    instructions: true,
  },
  copilot: {
    allow: true,
    network: false,
    cache: false,
    mcp: false,
    skills: false,
    noSkills: false,
    tools: false,
    instructions: true,
  },
  gemini: {
    allow: false,
    network: false,
    cache: false,
    mcp: true,
    skills: false,
    noSkills: false,
    tools: false,
    instructions: false,
  },
};
