import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Agent } from "../agent.ts";
import { defaultModel } from "../agent.ts";
import { calls, refuses, says, usageOf } from "../stand-in/reply.ts";
import type { Generation } from "../install.ts";

/** A piece of work for the real agent. Figures differ between replies, so that every mix-up shows. */
export interface Scenario {
  readonly name: string;
  /** The requested model, including any suffix. */
  readonly model: string;
  /** The window that a reader can derive from the transcript and the catalogue, in tokens. */
  readonly windowTokens: (generation: Generation) => number;
  readonly play: (agent: Agent) => Promise<void>;
}

const bash = (word: string) => ({ command: `echo ${word}`, description: `Say ${word}` });
const helper = (prompt: string, more: Readonly<Record<string, unknown>> = {}) => ({
  description: "Look around",
  prompt,
  subagent_type: "general-purpose",
  run_in_background: false,
  ...more,
});
const ordinary = { model: defaultModel, windowTokens: () => 200_000 };

/** Content of the file that the agent reads; nothing may store it. */
export const fileText = "Berth one: the pilot cutter.";

const toolLoop: Scenario = {
  ...ordinary,
  name: "tool-loop",
  play: async (agent) => {
    const file = { file_path: join(agent.scratch.workspace, "berths.txt") };
    await writeFile(file.file_path, `${fileText}\n`);
    await agent.turn({
      prompt: "Count the berths with the shell.",
      lines: {
        main: [
          calls("Bash", bash("one"), usageOf(101, 1009, 20011, 53)),
          calls("Read", file, usageOf(3, 173, 21020, 29)),
          calls("Read", file, usageOf(5, 179, 21193, 31)),
          calls("Bash", bash("two"), usageOf(7, 311, 21020, 61, 257)),
          says("There are two berths.", usageOf(11, 401, 21588, 67)),
        ],
      },
    });
  },
};

const subagents: Scenario = {
  ...ordinary,
  name: "subagents",
  play: async (agent) => {
    await agent.turn({
      prompt: "Ask two helpers about the harbor.",
      lines: {
        main: [
          calls("Agent", helper("Look at the east quay."), usageOf(103, 1013, 20021, 59)),
          calls("Agent", helper("Look at the west quay.", { model: "haiku" }), usageOf(13, 503, 21034, 71)),
          says("Both quays are free.", usageOf(17, 601, 21537, 73)),
        ],
        subagent: [
          calls("Bash", bash("east"), usageOf(107, 907, 9001, 41)),
          says("The east quay is free.", usageOf(19, 211, 9908, 43)),
          says("The west quay is free.", usageOf(109, 919, 8009, 47)),
        ],
      },
    });
  },
};

const background: Scenario = {
  ...ordinary,
  name: "subagent-background",
  play: async (agent) => {
    await agent.turn({
      prompt: "Send a helper ahead.",
      lines: {
        main: [
          calls(
            "Agent",
            helper("Sound the channel.", { run_in_background: true }),
            usageOf(79, 1061, 20089, 181),
          ),
          calls("Bash", { command: "sleep 0.5", description: "Wait" }, usageOf(83, 659, 21150, 191)),
        ],
        // How often the agent asks after the helper's end depends on which of the two is faster.
        otherwise: says("The channel is deep.", usageOf(89, 661, 21809, 193)),
        subagent: [says("Deep enough.", usageOf(97, 673, 7001, 197))],
      },
    });
  },
};

const resume: Scenario = {
  ...ordinary,
  name: "resume",
  play: async (agent) => {
    const id = await agent.turn({
      prompt: "Count the boats.",
      lines: {
        main: [
          calls("Bash", bash("boats"), usageOf(113, 1019, 20023, 79)),
          says("Three boats.", usageOf(23, 613, 21042, 83)),
        ],
      },
    });
    await agent.turn({
      prompt: "And the crews?",
      resume: id,
      lines: { main: [says("Three crews.", usageOf(29, 617, 21655, 89))] },
    });
  },
};

const fork: Scenario = {
  ...ordinary,
  name: "fork",
  play: async (agent) => {
    const id = await agent.turn({
      prompt: "Plan the crossing.",
      lines: {
        main: [
          calls("Bash", bash("tide"), usageOf(127, 1021, 20029, 97)),
          says("By the tide.", usageOf(31, 619, 21050, 101)),
        ],
      },
    });
    await agent.turn({
      prompt: "Plan it another way.",
      resume: id,
      fork: true,
      lines: { main: [says("By the wind.", usageOf(37, 631, 21669, 103))] },
    });
  },
};

const manualCompaction: Scenario = {
  ...ordinary,
  name: "compaction-manual",
  play: async (agent) => {
    const id = await agent.turn({
      prompt: "Write the log.",
      lines: {
        main: [
          calls("Bash", bash("log"), usageOf(131, 30011, 20047, 107)),
          says("The log is written.", usageOf(41, 641, 50058, 109)),
        ],
      },
    });
    await agent.turn({
      prompt: "/compact",
      resume: id,
      lines: { summary: [says("<summary>The log was written.</summary>", usageOf(43, 211, 50699, 307))] },
    });
  },
};

const automaticCompaction: Scenario = {
  ...ordinary,
  name: "compaction-auto",
  play: async (agent) => {
    await agent.turn({
      prompt: "Read all the logs.",
      lines: {
        main: [
          calls("Bash", bash("first"), usageOf(137, 1031, 100003, 113)),
          calls("Bash", bash("second"), usageOf(47, 67003, 101034, 127)),
          calls("Bash", bash("third"), usageOf(53, 9001, 12007, 131)),
          says("All the logs are read.", usageOf(59, 643, 21008, 137)),
        ],
        summary: [says("<summary>Two logs were read.</summary>", usageOf(61, 223, 168037, 311))],
      },
    });
  },
};

const apiError: Scenario = {
  ...ordinary,
  name: "api-error",
  play: async (agent) => {
    const id = await agent.turn({
      prompt: "Call the pilot.",
      lines: { main: [says("The pilot comes.", usageOf(139, 1033, 20051, 139))] },
    });
    await agent.turn({
      prompt: "Call again.",
      resume: id,
      lines: { otherwise: refuses(400, "invalid_request_error", "the stand-in refuses") },
    });
  },
};

const overloaded: Scenario = {
  ...ordinary,
  name: "overloaded",
  play: async (agent) => {
    await agent.turn({
      prompt: "Call the tug.",
      lines: {
        main: [
          refuses(529, "overloaded_error", "Overloaded"),
          says("The tug comes.", usageOf(149, 1039, 20063, 149)),
        ],
      },
    });
  },
};

const oneMillion: Scenario = {
  name: "one-million",
  model: `${defaultModel}[1m]`,
  // 2.1.197 writes the suffix nowhere: nothing distinguishes this session from one of 200k.
  windowTokens: (generation) => (generation === "2.1.197" ? 200_000 : 1_000_000),
  play: async (agent) => {
    await agent.turn({
      prompt: "Chart the coast.",
      model: `${defaultModel}[1m]`,
      lines: {
        main: [
          calls("Bash", bash("chart"), usageOf(151, 1049, 20071, 151)),
          says("The coast is charted.", usageOf(67, 647, 21120, 157)),
        ],
      },
    });
  },
};

const beyondCatalogue: Scenario = {
  name: "beyond-200k",
  model: `${defaultModel}[1m]`,
  // More than 200k in one request proves the larger window in every generation.
  windowTokens: () => 1_000_000,
  play: async (agent) => {
    await agent.turn({
      prompt: "Chart the whole sea.",
      model: `${defaultModel}[1m]`,
      lines: {
        main: [
          calls("Bash", bash("sea"), usageOf(157, 1051, 190027, 163)),
          says("The sea is charted.", usageOf(71, 60013, 191078, 167)),
        ],
      },
    });
  },
};

export const scenarios: readonly Scenario[] = [
  toolLoop,
  subagents,
  background,
  resume,
  fork,
  manualCompaction,
  automaticCompaction,
  apiError,
  overloaded,
  oneMillion,
  beyondCatalogue,
];

/** Features that the oldest version writes differently, and a little of everything else. */
export const oldScenarios: readonly Scenario[] = [toolLoop, subagents, fork, automaticCompaction, oneMillion];
