import { textsIn } from "./sanitize.ts";

/** Words that only the agent's own prompts, reminders and listings use. */
const agentWords =
  /system-reminder|Claude Code|Anthropic|You are |IMPORTANT|Co-Authored|total_tokens>|local-command|being continued from|This is the Gemini CLI|untrusted_context/;

const maxLength = 200;

/**
 * Finds what a recording must not hold: the agent's own words, long texts of any kind, and words of the recording machine
 * (`hostWords`: paths, host name, kernel), in keys as well. Each finding is a line number and the text.
 */
export function leaksIn(jsonLines: string, hostWords: readonly string[]): string[] {
  return jsonLines.split("\n").flatMap((line, index) => {
    if (line === "") return [];
    const words = hostWords.filter((word) => line.includes(word));
    const texts = textsIn(JSON.parse(line)).filter(
      (text) => agentWords.test(text) || text.length > maxLength,
    );
    return [...words, ...texts].map((text) => `line ${index + 1}: ${text.slice(0, 120)}`);
  });
}
