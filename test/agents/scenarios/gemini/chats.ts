import type { GeminiAgent } from "../../gemini.ts";
import { calls, geminiTokens, says } from "../../stand-in/gemini-reply.ts";

/** A piece of work for the real Gemini CLI. */
export interface GeminiScenario {
  readonly name: string;
  /** Compressions that its session's file shows. */
  readonly compressions: number;
  readonly play: (agent: GeminiAgent) => Promise<void>;
}

const shell = (command: string) => ({ command, description: "Count." });

export const geminiScenarios: readonly GeminiScenario[] = [
  {
    name: "tool-loop",
    compressions: 0,
    play: async (agent) => {
      const id = await agent.turn({
        prompt: "Count the boats.",
        lines: {
          main: [
            calls("run_shell_command", shell("echo three"), geminiTokens(9001, 0, 51, 21)),
            calls("run_shell_command", shell("echo four"), geminiTokens(9211, 8960, 43)),
            says("Seven boats.", geminiTokens(9403, 9088, 17, 5)),
          ],
        },
      });
      await agent.turn({
        prompt: "And the nets?",
        resume: id,
        fails: true,
        lines: { main: [{ kind: "failure", message: "It is too long." }] },
      });
      await agent.turn({
        prompt: "And the oars?",
        resume: id,
        lines: { main: [says("Fourteen oars.", geminiTokens(9533, 9344, 19))] },
      });
    },
  },
  {
    name: "subagent",
    compressions: 0,
    play: async (agent) => {
      await agent.turn({
        prompt: "Have somebody measure the coast.",
        lines: {
          main: [
            calls(
              "invoke_agent",
              { agent_name: "generalist", prompt: "Measure the coast." },
              geminiTokens(8603, 8448, 33),
            ),
            says("Nine miles.", geminiTokens(8809, 8704, 9)),
          ],
          subagent: [
            calls("list_directory", { dir_path: "." }, geminiTokens(7101, 6400, 31, 3)),
            calls("complete_task", { result: { response: "Nine miles." } }, geminiTokens(7207, 7040, 8)),
          ],
        },
      });
    },
  },
  {
    name: "compression",
    compressions: 1,
    play: async (agent) => {
      const id = await agent.turn({
        prompt: "Tell the story of the harbor.",
        lines: { main: [says("A long story.", geminiTokens(19_001, 0, 801))] },
      });
      await agent.turn({
        prompt: "Tell its end.",
        resume: id,
        lines: {
          // It cuts at a person's prompt only, and so only where one is finished.
          main: [
            calls("run_shell_command", shell("echo end"), geminiTokens(600_000, 19_000, 33)),
            says("They sailed home.", geminiTokens(5003, 0, 23)),
          ],
          compressor: [
            says("<state_snapshot>They sailed.</state_snapshot>", geminiTokens(600_101, 0, 77)),
            says("<state_snapshot>They sailed home.</state_snapshot>", geminiTokens(600_203, 0, 78)),
          ],
        },
      });
      await agent.turn({
        prompt: "And then?",
        resume: id,
        lines: { main: [says("They slept.", geminiTokens(5107, 4900, 21))] },
      });
    },
  },
];
