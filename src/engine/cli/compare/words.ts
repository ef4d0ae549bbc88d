import { sentence } from "../../base/language.ts";
import type { Result } from "../../base/result.ts";
import type { GoldenAgent } from "../../bench/suite.ts";
import { withValue, type Options, type ParsedOptions } from "../args.ts";
import type { Subcommand } from "../declaration.ts";
import { reportFailure, type Comparing } from "./act.ts";
import {
  modelChange,
  promptChange,
  settingChange,
  settingOptions,
  type ChosenChange,
} from "./compare-change.ts";
import type { CompareJson } from "./compare-schema.ts";
import { compareOptions, setUp, type Setup } from "./setup.ts";
import { goldenSuite } from "../bench/golden/target.ts";

type ChangeOf = (options: ParsedOptions, agent: GoldenAgent, cwd: string) => Promise<Result<ChosenChange>>;

type Act = (
  setup: Setup,
  change: ChosenChange,
  comparing: Comparing & { readonly command: ComparisonCommand },
) => Promise<number>;
type ComparisonCommand = Exclude<CompareJson["command"], "ablate" | "evolve">;

type Word = "model" | "prompt" | "setting";

/** `name` is the command before these words, in messages. */
export function comparisonWords(
  name: "compare" | "plan compare",
  act: Act,
  usage: Readonly<Record<Word, Pick<Subcommand, "does" | "more" | "words">>>,
): Readonly<Record<Word, Subcommand>> {
  const about = { name, act };
  return {
    model: {
      ...usage.model,
      ...comparing(
        "compare model",
        { baseline: { value: "a model's name" } },
        { ...about, changeOf: modelChange },
      ),
    },
    prompt: {
      ...usage.prompt,
      ...comparing(
        "compare prompt",
        { variant: { value: "a file", offers: "file" } },
        { ...about, changeOf: promptChange },
      ),
    },
    setting: {
      ...usage.setting,
      ...comparing(
        "compare setting",
        { ...settingOptions, agent: { value: "an agent's name", offers: "agents" } },
        { ...about, changeOf: (options, _, cwd) => settingChange(options, cwd) },
      ),
    },
  };
}

function comparing(
  command: ComparisonCommand,
  own: Options,
  { name, act, changeOf }: { readonly name: string; readonly act: Act; readonly changeOf: ChangeOf },
): Subcommand {
  const shownAs = command.replace("compare", name);
  return {
    options: { ...compareOptions, ...own },
    argument: { isMissing: sentence("missing AGENT; purser golden list shows them"), offers: "agents" },
    run: async ({ options: given, first: word }, host) => {
      const { options, first } = spelledOut(given, word);
      const invocation = { command, shownAs, options, host };
      const suite = await goldenSuite(options, host);
      if (!suite.ok) return reportFailure(suite, invocation);
      const agent = suite.value.agents.find(({ name }) => name === first);
      // Wrong usage is reported before any agent is searched for.
      const change = agent === undefined ? null : await changeOf(options, agent, host.cwd);
      if (change?.ok === false) return reportFailure(change, invocation);
      const setup = await setUp(suite.value, first, heldConstant(command, options), host);
      if (!setup.ok) return reportFailure(setup, invocation);
      return change === null ? 2 : await act(setup.value, change.value, invocation);
    },
  };
}

/** Takes `NAME=VALUE --agent AGENT` as `AGENT --NAME VALUE`. */
function spelledOut(options: ParsedOptions, first: string): { options: ParsedOptions; first: string } {
  const { name = "", value = "" } = /^(?<name>[\w-]+)=(?<value>.+)$/su.exec(first)?.groups ?? {};
  const agent = options.value("agent");
  if (agent === undefined || !Object.hasOwn(settingOptions, name)) return { options, first };
  return { first: agent, options: withValue(options, name, value) };
}

/** The options for both sides, without the compared one. */
function heldConstant(command: CompareJson["command"], options: ParsedOptions): ParsedOptions {
  return {
    has: (name) => options.has(name),
    values: (name) => options.values(name),
    value: (name) => {
      if (command === "compare model" && name === "model") return options.value("baseline");
      return command === "compare setting" && name === "effort" ? undefined : options.value(name);
    },
  };
}
