import { t } from "../../base/text/l10n.ts";
import type { Result } from "../../base/result.ts";
import type { GoldenAgent } from "../../bench/suite/suite.ts";
import type { ParsedOptions } from "../args.ts";
import type { Subcommand } from "../subcommands.ts";
import { reportFailure, type Comparing } from "./act.ts";
import {
  modelChange,
  promptChange,
  settingChange,
  settingSpecs,
  type AskedChange,
} from "./compare-change.ts";
import type { CompareJson } from "./compare-schema.ts";
import { compareSpecs, setUp, type Setup } from "./setup.ts";
import { goldenSuite } from "../bench/golden/target.ts";

type ChangeOf = (options: ParsedOptions, agent: GoldenAgent, cwd: string) => Promise<Result<AskedChange>>;

/** Measures or plans two configurations; returns the exit code. */
type Act = (
  setup: Setup,
  change: AskedChange,
  comparing: Comparing & { readonly command: ComparisonCommand },
) => Promise<number>;
type ComparisonCommand = Exclude<CompareJson["command"], "ablate" | "evolve">;

/** The words that name what differs. @param name the command before them, in messages */
export function comparisonWords(name: string, act: Act): Readonly<Record<string, Subcommand>> {
  const about = { name, act };
  return {
    model: comparing(
      "compare model",
      { baseline: { value: "a model's name" }, ...effort() },
      { ...about, changeOf: modelChange },
    ),
    prompt: comparing(
      "compare prompt",
      { variant: { value: "a file" }, ...effort() },
      { ...about, changeOf: promptChange },
    ),
    setting: comparing(
      "compare setting",
      { ...settingSpecs, agent: { value: "an agent's name" } },
      {
        ...about,
        changeOf: (options, _, cwd) => settingChange(options, cwd),
      },
    ),
  };
}

function effort(): Subcommand["specs"] {
  return { effort: settingSpecs.effort };
}

function comparing(
  command: ComparisonCommand,
  specs: Subcommand["specs"],
  { name, act, changeOf }: { readonly name: string; readonly act: Act; readonly changeOf: ChangeOf },
): Subcommand {
  const shownAs = command.replace("compare", name);
  return {
    specs: { ...compareSpecs, ...specs },
    first: { value: "an agent's name", isMissing: t("missing AGENT; purser golden list shows them") },
    run: async ({ options: given, first: word }, host) => {
      const { options, first } = spelledOut(given, word);
      const asking = { command, shownAs, options, host };
      const suite = await goldenSuite(options, host);
      if (!suite.ok) return reportFailure(suite, asking);
      const agent = suite.value.agents.find(({ name }) => name === first);
      // Wrong usage is reported before any agent is searched for.
      const change = agent === undefined ? null : await changeOf(options, agent, host.cwd);
      if (change?.ok === false) return reportFailure(change, asking);
      const setup = await setUp(suite.value, first, heldConstant(command, options), host);
      if (!setup.ok) return reportFailure(setup, asking);
      return change === null ? 2 : await act(setup.value, change.value, asking);
    },
  };
}

/** Takes `NAME=VALUE --agent AGENT` as `AGENT --NAME VALUE`. */
function spelledOut(options: ParsedOptions, first: string): { options: ParsedOptions; first: string } {
  const { name = "", value = "" } = /^(?<name>[\w-]+)=(?<value>.+)$/su.exec(first)?.groups ?? {};
  const agent = options.value("agent");
  if (agent === undefined || !Object.hasOwn(settingSpecs, name)) return { options, first };
  return {
    first: agent,
    options: {
      has: (asked) => asked === name || options.has(asked),
      value: (asked) => (asked === name ? value : options.value(asked)),
      values: (asked) => (asked === name ? [...options.values(asked), value] : options.values(asked)),
    },
  };
}

/** The options that apply to both sides, without the one that is compared. */
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
