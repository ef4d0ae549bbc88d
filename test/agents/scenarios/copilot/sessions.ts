import type { CopilotAgent } from "../../copilot.ts";
import { calls, refuses, says, usageOf } from "../../stand-in/reply.ts";

/** A piece of work for the real Copilot CLI. */
export interface CopilotScenario {
  readonly name: string;
  /** The context window that the agent is given. Tokens. */
  readonly window: number;
  readonly play: (agent: CopilotAgent) => Promise<void>;
}

const bash = (command: string) => ({ command, description: "Count." });
/** The window of a model that the agent does not know. Tokens. */
const usualWindow = 128_000;
const smallWindow = 20_000;
const small = { COPILOT_PROVIDER_MAX_PROMPT_TOKENS: String(smallWindow) };

export const copilotScenarios: readonly CopilotScenario[] = [
  {
    name: "tool-loop",
    window: usualWindow,
    play: async (agent) => {
      const id = await agent.turn({
        prompt: "Count the boats.",
        lines: {
          main: [
            calls("bash", bash("echo three"), usageOf(101, 2003, 7001, 51)),
            calls("bash", bash("echo four"), usageOf(103, 211, 9004, 43)),
            says("Seven boats.", usageOf(107, 13, 9215, 17)),
          ],
        },
      });
      await agent.turn({
        prompt: "And the oars?",
        resume: id,
        lines: { main: [says("Fourteen oars.", usageOf(109, 31, 9228, 19))] },
      });
    },
  },
  {
    name: "error",
    window: usualWindow,
    play: async (agent) => {
      const id = await agent.turn({
        prompt: "Read the log.",
        lines: { main: [says("I did.", usageOf(101, 0, 9001, 10))] },
      });
      await agent.turn({
        prompt: "Read it again.",
        resume: id,
        fails: true,
        lines: { main: [], otherwise: refuses(400, "invalid_request_error", "It cannot be read.") },
      });
      await agent.turn({
        prompt: "Only its end.",
        resume: id,
        lines: { main: [says("All is well.", usageOf(103, 7, 9102, 11))] },
      });
    },
  },
  {
    name: "subagent",
    window: usualWindow,
    play: async (agent) => {
      const task = {
        agent_type: "explore",
        description: "Measure the coast",
        prompt: "Measure the coast.",
        name: "measurer",
        mode: "sync",
      };
      await agent.turn({
        prompt: "Have somebody measure the coast.",
        lines: {
          main: [
            calls("task", task, usageOf(101, 1009, 8503, 33)),
            says("Nine miles.", usageOf(103, 41, 9513, 9)),
          ],
          subagent: [
            calls("bash", bash("echo nine"), usageOf(61, 503, 3001, 31)),
            says("Nine miles.", usageOf(67, 29, 3505, 8)),
          ],
        },
      });
    },
  },
  {
    name: "compaction",
    window: smallWindow,
    play: async (agent) => {
      await agent.turn({
        prompt: "Tell the story of the harbor.",
        env: small,
        lines: {
          main: [
            calls("bash", bash("echo once"), usageOf(101, 47, 15_902, 53)),
            calls("bash", bash("echo upon"), usageOf(103, 59, 15_949, 61)),
            says("They sailed home.", usageOf(107, 71, 9011, 23)),
          ],
          summary: [says("The story in short.", usageOf(109, 73, 15_008, 79))],
        },
      });
    },
  },
];

/** Also recorded. The check does without: once in a while the agent does not end after its own command. */
export const askedCompaction: CopilotScenario = {
  name: "compaction-asked",
  window: smallWindow,
  play: async (agent) => {
    const id = await agent.turn({
      prompt: "Tell the story of the pier.",
      env: small,
      lines: { main: [says("A long story.", usageOf(101, 47, 9011, 53))] },
    });
    await agent.turn({
      prompt: "/compact",
      resume: id,
      env: small,
      lines: { summary: [says("The story, shorter.", usageOf(113, 83, 9082, 37))] },
    });
  },
};
