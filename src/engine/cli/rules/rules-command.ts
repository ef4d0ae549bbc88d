import { sentence } from "../../base/language.ts";
import { throughService } from "../service/service-access.ts";
import { ruleStatuses } from "../../rules/rule.ts";
import { flag, oneOf, option, type ParsedOptions } from "../args.ts";
import { command } from "../command.ts";
import type { Subcommand } from "../declaration.ts";
import { withRulesReader } from "./rules-access.ts";
import type { RuleActionRequest } from "../../rules/rules-answers.ts";
import type { RulesReader } from "./on-disk.ts";
import * as actions from "./rules-actions.ts";
import { distil } from "./distil.ts";
import { mainFile } from "./main-file.ts";
import { mainFiles } from "../../rules/main-files.ts";

type RulesInput = Parameters<typeof actions.list>[0];
type Answer = ReturnType<typeof actions.list>;

function running(
  run: (input: RulesInput, rules: Parameters<typeof actions.show>[1]) => Answer,
): Pick<Subcommand, "run"> {
  return { run: (given, host) => throughService(host, (rules) => run({ ...given, host }, rules)) };
}

function reading(run: (input: RulesInput, rules: RulesReader) => Answer): Pick<Subcommand, "run"> {
  return { run: (given, host) => withRulesReader("rules", host, (rules) => run({ ...given, host }, rules)) };
}

function changing(
  change: (options: ParsedOptions) => RuleActionRequest,
): Pick<Subcommand, "argument" | "run"> {
  return {
    argument: ofRule,
    ...running((input, rules) => actions.perform(input, rules, change(input.options))),
  };
}

const ofRule = { isMissing: sentence("missing ID; purser rules list shows them") };
const ofAgent = { isMissing: sentence("missing AGENT"), offers: "agents" } as const;
const rule = { rule: { value: "a sentence of 10 to 200 characters" } };

export const rulesCommand = command({
  name: "rules",
  title: "advice for agents, measured before agents get it and removed when it does not save twice its cost",
  options: {
    agent: option("NAME", "an agent's name", "only rules of this agent", "agents"),
    status: oneOf(ruleStatuses, "S", ruleStatuses.join(", ")),
    use: oneOf([...mainFiles, "none"], "NAME", "the file, or none"),
    preview: flag("print what a model would be asked, without proposing anything"),
    json: flag("list, show and history: print JSON (schema: media/schemas/rules.schema.json)"),
  },
  subcommands: {
    list: {
      words: "[--agent NAME] [--status S]",
      does: "list all rules",
      takes: ["agent", "status", "json"],
      ...reading(actions.list),
    },
    show: {
      words: "ID",
      does: "one rule: origin, cost per session, savings",
      argument: ofRule,
      takes: ["json"],
      ...running(actions.show),
    },
    digest: {
      words: "ID",
      does: "what happened in the run that the rule came from; kept without secrets",
      argument: ofRule,
      ...running(actions.digest),
    },
    history: {
      words: "ID",
      does: "who changed it, when and why",
      argument: ofRule,
      takes: ["json"],
      ...reading(actions.history),
    },
    add: {
      words: 'AGENT --rule "…"',
      does: 'propose a rule: one sentence of 10 to 200 characters, optionally "(when …) …"',
      argument: ofAgent,
      options: rule,
      ...running(actions.add),
    },
    import: {
      words: "AGENT --from FILE",
      does: "propose the lines of a CLAUDE.md, an AGENTS.md or a rule; the file is not changed",
      argument: ofAgent,
      options: { from: { value: "a file", offers: "file" } },
      ...running(actions.importFile),
    },
    distil: {
      words: "[--session ID] [--preview]",
      does: "find what an expensive run could have saved; calls no model",
      more: [
        {
          words: "--ask [--model M]",
          does: "then ask your own Claude Code, once; --preview prints what would be sent",
        },
      ],
      takes: ["preview"],
      options: {
        session: { value: "a session's id", offers: "sessions" },
        model: { value: "a model's name" },
        ask: {},
      },
      ...running(distil),
    },
    approve: {
      words: "ID",
      does: "approve measuring it; if it has passed, add it to its agent's memory",
      ...changing(() => ({ kind: "approve" })),
    },
    reject: {
      words: 'ID [--why "…"]',
      does: "reject it, so that it is not proposed again",
      options: { why: { value: "a reason" } },
      ...changing((options) => ({ kind: "reject", why: options.value("why") ?? "" })),
    },
    edit: {
      words: 'ID --rule "…"',
      does: "propose another sentence in its place",
      options: rule,
      ...changing((options) => ({ kind: "edit", text: options.value("rule") ?? "" })),
    },
    protect: {
      words: "ID [--off]",
      does: "never remove it, only measure its cost",
      options: { off: {} },
      ...changing((options) => ({ kind: "protect", isProtected: !options.has("off") })),
    },
    file: {
      words: "[--use NAME]",
      does: "the file of this project that rules of the main conversation go into; --use none takes them out",
      takes: ["use"],
      ...running(mainFile),
    },
    undo: { words: "ID", does: "undo your last action on it", ...changing(() => ({ kind: "undo" })) },
  },
  notes: `
The start of an ID is enough. A rule's cost per session ("rent") is the tokens it adds to each conversation. purser select measures rules.
They are in the service's ledger; the service is started if needed.
`,
});
