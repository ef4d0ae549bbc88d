import { ruleStatuses } from "../../rules/rule.ts";
import { oneOf } from "../args.ts";
import type { CliHost, Command } from "../ports.ts";
import { commandWithSubcommands, type Subcommand } from "../subcommands.ts";
import { withRules } from "./access.ts";
import * as actions from "./actions.ts";
import { distil } from "./distil.ts";

const help = `purser rules: advice for agents that is measured, and leaves when it does not save twice its rent

  purser rules list [--agent NAME] [--status S]   all rules
  purser rules show ID                            one of them: where it came from, rent, what it saves
  purser rules digest ID                          what the run did that it came of: kept without secrets, when the transcript is gone
  purser rules history ID                         who did what with it, when and why
  purser rules add AGENT --rule "…"               propose one: one sentence of 10 to 200 characters, also "(when …) …"
  purser rules import AGENT --from FILE           propose the lines of a CLAUDE.md, an AGENTS.md or a rule; the file is not touched
  purser rules distil [--session ID] [--preview]  look at a costly run for what it could have saved; no model is asked
  purser rules distil --ask [--model M]           then ask your own Claude Code, once: what is sent is what --preview prints
  purser rules approve ID                         let it be measured; one that has passed, into its agent's memory
  purser rules reject ID [--why "…"]              evict it; nobody proposes it again
  purser rules edit ID --rule "…"                 propose another sentence in its place
  purser rules protect ID [--off]                 never evict it, only cost it
  purser rules undo ID                            take back what you did with it last

  --status   ${ruleStatuses.join(", ")}
  --preview  print what a model would be told, and propose nothing
  --json     print JSON (list, show, history); its shape is in media/schemas/rules.schema.json
  --help     print this

ID may be the beginning of one. Rules are in the ledger of the service, which is started when it does not run. purser select
measures them.
`;

type Asked = Parameters<typeof actions.list>[0];

function word(
  run: (asked: Asked, rules: Parameters<typeof actions.list>[1]) => ReturnType<typeof actions.list>,
  specs: Subcommand["specs"],
  first?: Subcommand["first"],
): Subcommand {
  return {
    specs: { ...specs, help: {} },
    ...(first === undefined ? {} : { first }),
    run: (given, host: CliHost) => withRules("rules", host, (rules) => run({ ...given, host }, rules)),
  };
}

const id = { isMissing: "an ID is needed; purser rules list tells them" };
const agent = { isMissing: "an AGENT is needed", value: "an agent's name" };
const rule = { rule: { value: "a sentence of 10 to 200 characters" } };

const words: Readonly<Record<string, Subcommand>> = {
  list: word(actions.list, {
    agent: { value: "an agent's name" },
    status: oneOf(ruleStatuses),
    json: {},
  }),
  show: word(actions.show, { json: {} }, id),
  digest: word(actions.digest, {}, id),
  history: word(actions.history, { json: {} }, id),
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
