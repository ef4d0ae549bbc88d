import { t } from "../../base/text/l10n.ts";
import { ruleStatuses } from "../../rules/rule.ts";
import { oneOf } from "../args.ts";
import type { CliHost, Command } from "../cli-ports.ts";
import { commandWithSubcommands, type Subcommand } from "../subcommands.ts";
import { withRules, withRulesReader } from "./rules-access.ts";
import type { RulesReader } from "./reader.ts";
import * as actions from "./rules-actions.ts";
import { distil } from "./distil.ts";

const help = `purser rules: advice for agents, measured before agents get it and removed when it does not save twice its cost

  purser rules list [--agent NAME] [--status S]   list all rules
  purser rules show ID                            one rule: origin, cost per session, savings
  purser rules digest ID                          what happened in the run that the rule came from; kept without secrets
  purser rules history ID                         who changed it, when and why
  purser rules add AGENT --rule "…"               propose a rule: one sentence of 10 to 200 characters, optionally "(when …) …"
  purser rules import AGENT --from FILE           propose the lines of a CLAUDE.md, an AGENTS.md or a rule; the file is not changed
  purser rules distil [--session ID] [--preview]  find what an expensive run could have saved; calls no model
  purser rules distil --ask [--model M]           then ask your own Claude Code, once; --preview prints what would be sent
  purser rules approve ID                         approve measuring it; if it has passed, add it to its agent's memory
  purser rules reject ID [--why "…"]              reject it, so that it is not proposed again
  purser rules edit ID --rule "…"                 propose another sentence in its place
  purser rules protect ID [--off]                 never remove it, only measure its cost
  purser rules undo ID                            undo your last action on it

  --agent NAME  only rules of this agent
  --status S    ${ruleStatuses.join(", ")}
  --preview     print what a model would be asked, without proposing anything
  --json        list, show and history: print JSON (schema: media/schemas/rules.schema.json)
  --help        print this help

The start of an ID is enough. A rule's cost per session ("rent") is the tokens it adds to each conversation. purser select measures rules.
They are in the service's ledger; the service is started if needed.
`;

type Asked = Parameters<typeof actions.list>[0];

function word(
  run: (asked: Asked, rules: Parameters<typeof actions.show>[1]) => ReturnType<typeof actions.list>,
  specs: Subcommand["specs"],
  first?: Subcommand["first"],
): Subcommand {
  return {
    specs: { ...specs, help: {} },
    ...(first === undefined ? {} : { first }),
    run: (given, host: CliHost) => withRules("rules", host, (rules) => run({ ...given, host }, rules)),
  };
}

/** A word that only reads. */
function readingWord(
  run: (asked: Asked, rules: RulesReader) => ReturnType<typeof actions.list>,
  specs: Subcommand["specs"],
  first?: Subcommand["first"],
): Subcommand {
  return {
    specs: { ...specs, help: {} },
    ...(first === undefined ? {} : { first }),
    run: (given, host: CliHost) => withRulesReader("rules", host, (rules) => run({ ...given, host }, rules)),
  };
}

const id = { isMissing: t("missing ID; purser rules list shows them") };
const agent = { isMissing: t("missing AGENT"), value: "an agent's name" };
const rule = { rule: { value: "a sentence of 10 to 200 characters" } };

const words: Readonly<Record<string, Subcommand>> = {
  list: readingWord(actions.list, {
    agent: { value: "an agent's name" },
    status: oneOf(ruleStatuses),
    json: {},
  }),
  show: word(actions.show, { json: {} }, id),
  digest: word(actions.digest, {}, id),
  history: readingWord(actions.history, { json: {} }, id),
  add: word(actions.add, rule, agent),
  import: word(actions.importFile, { from: { value: "a file" } }, agent),
  distil: word(distil, {
    session: { value: "a session's id" },
    model: { value: "a model's name" },
    preview: {},
    ask: {},
  }),
  approve: word((asked, rules) => actions.perform(asked, rules, { kind: "approve" }), {}, id),
  reject: word(
    (asked, rules) =>
      actions.perform(asked, rules, { kind: "reject", why: asked.options.value("why") ?? "" }),
    { why: { value: "a reason" } },
    id,
  ),
  edit: word(
    (asked, rules) =>
      actions.perform(asked, rules, { kind: "edit", text: asked.options.value("rule") ?? "" }),
    rule,
    id,
  ),
  protect: word(
    (asked, rules) =>
      actions.perform(asked, rules, { kind: "protect", isProtected: !asked.options.has("off") }),
    { off: {} },
    id,
  ),
  undo: word((asked, rules) => actions.perform(asked, rules, { kind: "undo" }), {}, id),
};

export const rulesCommand: Command = commandWithSubcommands("rules", help, words);
