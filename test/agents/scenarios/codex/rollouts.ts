import type { CodexAgent } from "../../codex.ts";
import { answers, callsTool, codexTokens } from "../../stand-in/codex-reply.ts";

/** A piece of work for the real Codex. */
export interface CodexScenario {
  readonly name: string;
  readonly play: (agent: CodexAgent) => Promise<void>;
}

const planHeaders = {
  "x-codex-primary-used-percent": "12.5",
  "x-codex-primary-window-minutes": "300",
  "x-codex-primary-reset-at": "1795310000",
  "x-codex-secondary-used-percent": "40",
  "x-codex-secondary-window-minutes": "10080",
  "x-codex-secondary-reset-at": "1795900000",
};

export const codexScenarios: readonly CodexScenario[] = [
  {
    name: "tool-loop",
    play: async (agent) => {
      const id = await agent.turn({
        prompt: "Count the boats.",
        lines: {
          main: [
            callsTool(
              "exec_command",
              { cmd: "echo three" },
              codexTokens(9001, 0, 51, { cacheWrite: 4096, reasoning: 21 }),
            ),
            callsTool("exec_command", { cmd: "echo four" }, codexTokens(9211, 8960, 43)),
            answers("Seven boats.", codexTokens(9403, 9088, 17, { reasoning: 5 }), planHeaders),
          ],
        },
      });
      await agent.turn({
        prompt: "And the oars?",
        resume: id,
        lines: { main: [answers("Fourteen oars.", codexTokens(9533, 9344, 19))] },
      });
      await agent.archive(id);
    },
  },
  {
    name: "fork",
    play: async (agent) => {
      const id = await agent.turn({
        prompt: "Name the harbor.",
        lines: { main: [answers("Stillwater.", codexTokens(8101, 0, 11))] },
      });
      const branch = await agent.turn({
        prompt: "Name it otherwise.",
        fork: id,
        lines: { main: [answers("Deepwater.", codexTokens(8203, 7936, 13))] },
      });
      await agent.turn({
        prompt: "Name its lighthouse.",
        resume: id,
        lines: { main: [answers("The old lamp.", codexTokens(8307, 8064, 12))] },
      });
      await agent.turn({
        prompt: "Name its pier.",
        fork: branch,
        lines: { main: [answers("The long pier.", codexTokens(8401, 8192, 14))] },
      });
    },
  },
  {
    name: "subagent",
    play: async (agent) => {
      const id = await agent.turn({
        prompt: "Look at the map.",
        lines: { main: [answers("A map of the coast.", codexTokens(8501, 0, 15))] },
      });
      await agent.turn({
        prompt: "Have somebody measure it.",
        resume: id,
        lines: {
          main: [
            callsTool(
              "spawn_agent",
              { message: "Measure the coast.", fork_context: true },
              codexTokens(8603, 8448, 33),
              "multi_agent_v1",
            ),
            callsTool("wait_agent", { targets: ["$AGENT"] }, codexTokens(8707, 8576, 22), "multi_agent_v1"),
            answers("Nine miles.", codexTokens(8809, 8704, 9)),
          ],
          subagent: [
            callsTool("exec_command", { cmd: "echo nine" }, codexTokens(7101, 6400, 31, { reasoning: 3 })),
            answers("Nine miles.", codexTokens(7207, 7040, 8)),
          ],
        },
      });
    },
  },
  {
    name: "compaction",
    play: async (agent) => {
      const id = await agent.turn({
        prompt: "Tell the story of the harbor.",
        lines: { main: [answers("A long story.", codexTokens(19001, 0, 801))] },
      });
      await agent.turn({
        prompt: "Tell its end.",
        resume: id,
        settings: ["model_auto_compact_token_limit=18000"],
        lines: {
          main: [
            answers("The story in short.", codexTokens(19901, 19072, 77, { reasoning: 7 })),
            answers("They sailed home.", codexTokens(5003, 0, 23)),
          ],
        },
      });
    },
  },
  {
    name: "context-full",
    play: async (agent) => {
      const id = await agent.turn({
        prompt: "Read the whole log.",
        lines: { main: [answers("I did.", codexTokens(9000, 0, 10))] },
      });
      await agent.turn({
        prompt: "Read it again.",
        resume: id,
        fails: true,
        lines: { main: [{ kind: "failure", code: "context_length_exceeded", message: "It is too long." }] },
      });
      await agent.turn({
        prompt: "Only its end.",
        resume: id,
        settings: ["model_auto_compact_token_limit=200000"],
        lines: {
          main: [
            answers("The log in short.", codexTokens(10_000, 100, 40)),
            answers("All is well.", codexTokens(11_000, 100, 41)),
          ],
        },
      });
    },
  },
];
