import { sentenceOf, sentence, t } from "../../base/language.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { type CodedRule, type GuardRule, actionOf, codedRules } from "../../guard/guard-rules.ts";
import { countNotJudged, describeNotJudged, isNotJudged } from "../../guard/unjudged-calls.ts";
import type { RestingFormat } from "../../guard/guard-answers.ts";
import { findRivalHooks } from "../../guard/guard-files.ts";
import type { GuardBook } from "../../ledger/questions.ts";
import { guardFamilies, isRequired, type FamilyMode, type GuardFamily } from "../../settings/guard.ts";
import type { Settings } from "../../settings/shape.ts";
import { answer } from "../answer.ts";
import { choiceIn, flag, folder, oneOf, option, quoted, type ParsedOptions } from "../args.ts";
import { command } from "../command.ts";
import type { CommandInput } from "../declaration.ts";
import { dayForms, dayOption, startIn } from "../day-argument.ts";
import { readLedger } from "../ledger/ledger-access.ts";
import type { CliHost } from "../cli-ports.ts";
import { settingsStore } from "../settings-access.ts";
import { styleFor } from "../style.ts";
import { judgeLines } from "./judge-lines.ts";
import { guardRules, shellContext, type Problems, setTrust } from "./guard-access.ts";
import {
  filesText,
  explainRule,
  listRules,
  modeTable,
  statusText,
  effectTable,
  explainEffect,
} from "./print-guard.ts";
import { effectsSince, netSince, wakeRule } from "./effects.ts";
import { netText } from "./net-text.ts";
import type { GuardJson } from "./guard-schema.ts";
import { asLine } from "../terminal-text.ts";

async function allRules(host: CliHost, onProblem?: Problems): Promise<NonNullable<GuardJson["rules"]>> {
  const onCalls = await guardRules(host, onProblem).all(shellContext(host));
  return [...onCalls.map(ruleJson), ...codedRules.map(codedJson)];
}

export const guardCommand = command({
  name: "guard",
  title: "rules that check agents' tool calls for danger and waste",
  options: {
    since: dayOption("DAY", `${dayForms} (default: 7d; for effects and replay: 30d)`),
    family: oneOf(guardFamilies, "F", guardFamilies.join(", ")),
    effects: flag("what came of rules that told agents something"),
    cwd: folder("folder in which the commands would run (default: the working folder)"),
    file: option("FILE", "a file of commands", "file with commands (default: standard input)", "file"),
    json: flag(
      "print JSON (schema: media/schemas/guard.schema.json; replay: guard-replay.schema.json; test: one line per command, guard-test.schema.json)",
    ),
  },
  subcommands: {
    status: {
      words: "[--since DAY]",
      does: "mode of each family, and rules that fired lately",
      takes: ["since", "json"],
      run: status,
    },
    list: {
      words: "[--family F] [--effects]",
      does: "list rules, or what came of those that told agents something",
      takes: ["family", "effects", "json"],
      run: list,
    },
    effects: {
      words: "[--since DAY]",
      does: "what shorter outputs saved after what followed them, and what came of rules that told agents something",
      takes: ["since", "json"],
      run: effects,
    },
    explain: {
      words: "ID",
      does: "what a rule is about, what it does, and examples",
      argument: { isMissing: sentence("missing ID; purser guard list shows them") },
      takes: ["json"],
      run: explain,
    },
    test: {
      words: "[--cwd DIR] [--file FILE]",
      does: "judge commands, one per line, without running them",
      takes: ["cwd", "file", "json"],
      run: ({ options }, host) => judgeLines(options, host),
    },
    replay: {
      words: "[--since DAY] [--family F]",
      does: "what today's rules would have done in your past sessions, and what smaller outputs would have saved; runs nothing and calls no model",
      takes: ["since", "family", "json"],
      run: replay,
    },
    trust: {
      words: "[DIR]",
      does: "use a project's own .purser/guard.yaml and .claude/hookify.*.local.md",
      argument: { offers: "folder" },
      takes: ["json"],
      run: ({ first }, host) => setTrust(true, first, host),
    },
    untrust: {
      words: "[DIR]",
      does: "stop using them",
      argument: { offers: "folder" },
      takes: ["json"],
      run: ({ first }, host) => setTrust(false, first, host),
    },
    wake: {
      words: "ID",
      does: "reactivate a rule that has fallen silent",
      argument: { isMissing: sentence("missing ID; purser guard list --effects shows them") },
      takes: ["json"],
      run: wake,
    },
    on: {
      words: "[--family F]",
      does: "turn on all rules, or one family",
      takes: ["family", "json"],
      run: (input, host) => setMode("on", input, host),
    },
    off: {
      words: "[--family F]",
      does: "turn them off",
      takes: ["family", "json"],
      run: (input, host) => setMode("off", input, host),
    },
    observe: {
      words: "[--family F]",
      does: "only record what they would have done",
      takes: ["family", "json"],
      run: (input, host) => setMode("observe", input, host),
    },
    require: {
      words: "[--family F]",
      does: "turn on safety, secrets and protect, or one of them, and let no call pass that was not judged",
      takes: ["family", "json"],
      run: (input, host) => setMode("required", input, host),
    },
  },
  notes: `
In mode observe, agents get no message and nothing changes; purser records what a rule would have done. In mode on, most rules on safety and
secrets ask you, or deny the call where nobody can be asked; the others advise the agent, once per session. Advice that does not help falls
silent, unless guard.yaml says what the rule does; questions and denials never do. A family's own mode comes before that of all. A mode set
in your editor takes precedence over settings.json. Put your own rules, exceptions and changed actions in ~/.purser/guard.yaml. The
.purser/guard.yaml of a project that you trust, here or in your editor, can make rules stricter, never laxer.

A required family is on, and a call that purser could not judge is asked about or blocked, even while purser does not run.
purser guard on --family F ends that.
`,
});
/** Hits that are shown, and those among which calls that were not judged are found. */
const [maxHits, maxSearched] = [20, 200];

async function status({ options }: CommandInput, host: CliHost): Promise<Result<number>> {
  const since = startIn(options, "7d", host.now());
  const read = await readBook(since, host);
  // Modes and rules need no ledger.
  if (!read.ok) host.stderr.write(`purser guard: ${asLine(read.detail)}\n`);
  // Faults are reported with the files.
  const files = await guardRules(host, () => undefined).files(shellContext(host));
  const sent = read.ok ? await effectsSince(since, host) : succeed([]);
  if (!sent.ok) return sent;
  const net = read.ok ? await netSince(since, host) : succeed(null);
  if (!net.ok) return net;
  const json: GuardJson = {
    schema: 1,
    modes: await modesOf(host, () => undefined),
    files: files.map((file) => ({
      ...file,
      rules: [...file.rules],
      faults: file.faults.map(({ line, message }) => ({ line, message })),
    })),
    outputs: outputsLeftAlone(host, net.value?.resting ?? []),
    net: net.value,
    since: new Date(since).toISOString(),
    ...(read.ok
      ? {
          counts: countsByOutcome(read.value.counts),
          effects: sent.value,
          hits: hitsOf(read.value.hits.slice(0, maxHits)),
          notJudged: notJudgedIn(read.value),
        }
      : {}),
  };
  const style = styleFor(host);
  const text = (shown: GuardJson): string => {
    const status = statusText(shown, { style, now: host.now() });
    return files.length === 0 ? status : `${status}\n${filesText(shown.files ?? [], style)}`;
  };
  return answer<GuardJson>(json, text, { options, host });
}

async function replay({ options }: CommandInput, host: CliHost): Promise<Result<number>> {
  const { playHistory } = await import("./play-history.ts");
  const since = startIn(options, "30d", host.now());
  return await playHistory({ since, family: familyIn(options), isJson: options.has("json") }, host);
}

/** Adds up the counts of a rule and outcome, whatever the rule would do. */
function countsByOutcome(counts: GuardBook["counts"]): NonNullable<GuardJson["counts"]> {
  const sums = new Map<string, NonNullable<GuardJson["counts"]>[number]>();
  for (const { rule, family: of, done, count, lastAt, savedBytes } of counts) {
    const key = JSON.stringify([rule, of, done]);
    const sum = sums.get(key) ?? { rule, family: of, done, count: 0, lastAt: null, savedBytes: 0 };
    sums.set(key, {
      ...sum,
      count: sum.count + count,
      lastAt: lastAt === null ? sum.lastAt : Math.max(lastAt, sum.lastAt ?? lastAt),
      savedBytes: sum.savedBytes + savedBytes,
    });
  }
  return [...sums.values()];
}

function hitsOf(hits: GuardBook["hits"]): NonNullable<GuardJson["hits"]> {
  return hits.map(({ sessionId: session, at, program, tool, rule, done, excerpt }) => ({
    at,
    session,
    program,
    tool,
    rule,
    done,
    excerpt,
  }));
}

function notJudgedIn({
  counts,
  hits,
}: Pick<GuardBook, "counts" | "hits">): NonNullable<GuardJson["notJudged"]> {
  const newest = hits.filter(isNotJudged).slice(0, maxHits);
  return {
    ...countNotJudged(counts),
    newest: newest.map(({ at, sessionId: session, program, tool, done, rule }) => ({
      at,
      session,
      program,
      tool,
      done,
      why: describeNotJudged(rule),
    })),
  };
}

async function readBook(since: number, host: CliHost): Promise<Result<Pick<GuardBook, "counts" | "hits">>> {
  const read = await readLedger(host, (ledger) => ledger.ask("guardBook", { since, most: maxSearched }));
  return read.ok ? succeed(read.value ?? { counts: [], hits: [] }) : read;
}

async function list({ options }: CommandInput, host: CliHost): Promise<Result<number>> {
  const family = familyIn(options);
  const isAsked = (rule: { readonly family: string }) => family === null || rule.family === family;
  const rules = (await allRules(host)).filter(isAsked);
  if (options.has("effects")) {
    const read = await effectsSince(0, host);
    if (!read.ok) return read;
    const effects = read.value.filter(isAsked);
    return answer<GuardJson>({ schema: 1, effects }, () => effectTable(effects, styleFor(host)), {
      options,
      host,
    });
  }
  return answer<GuardJson>(
    { schema: 1, rules },
    ({ rules: shown = [] }) => listRules(shown, styleFor(host)),
    {
      options,
      host,
    },
  );
}

async function explain({ options, first: id }: CommandInput, host: CliHost): Promise<Result<number>> {
  const rule = (await allRules(host)).find((each) => each.id === id);
  if (rule === undefined)
    return fail("no_rule", sentence("there is no rule {0}; purser guard list shows them", quoted(id)));
  const read = await effectsSince(0, host);
  if (!read.ok) return read;
  const effects = read.value.filter((effect) => effect.rule === id);
  const style = styleFor(host);
  return answer<GuardJson>(
    { schema: 1, rules: [rule], effects },
    () => [explainRule(rule, style), ...effects.map((effect) => explainEffect(effect, style))].join("\n"),
    { options, host },
  );
}

async function wake({ options, first: id }: CommandInput, host: CliHost): Promise<Result<number>> {
  if (!(await allRules(host)).some((rule) => rule.id === id))
    return fail("no_rule", sentence("there is no rule {0}; purser guard list shows them", quoted(id)));
  const woken = await wakeRule(id, host);
  if (!woken.ok) return woken;
  const read = await effectsSince(0, host);
  if (!read.ok) return read;
  const effects = read.value.filter((effect) => effect.rule === id);
  return answer<GuardJson>(
    { schema: 1, effects },
    () => `${t("{0} is active again; its earlier results no longer count.", id)}\n`,
    {
      options,
      host,
    },
  );
}

async function setMode(mode: FamilyMode, { options }: CommandInput, host: CliHost): Promise<Result<number>> {
  const family = familyIn(options);
  const { ownModesText, requireFamily, setGuardMode } = await import("./set-mode.ts");
  const before = isRequired(settingsOf(host));
  const done = mode === "required" ? requireFamily(family, host) : setGuardMode(mode, family, host);
  if (!done.ok) return done;
  const others =
    family === null && mode !== "required" ? ownModesText(mode, settingsOf(host).guardFamilies) : "";
  const { rewriteHooks } = await import("../hooks/repair-hooks.ts");
  const rewritten = isRequired(settingsOf(host)) === before ? [] : await rewriteHooks(host);
  return answer<GuardJson>(
    { schema: 1, modes: await modesOf(host) },
    ({ modes = [] }) =>
      [modeTable(modes, styleFor(host)), others, ...rewritten.map((line) => `${line}\n`)].join(""),
    {
      options,
      host,
    },
  );
}

function familyIn(options: ParsedOptions): GuardFamily | null {
  return choiceIn(options, "family", guardFamilies) ?? null;
}

async function modesOf(host: CliHost, onProblem?: Problems): Promise<NonNullable<GuardJson["modes"]>> {
  const all = await allRules(host, onProblem);
  const { guardMode, guardFamilies: own } = settingsOf(host);
  return guardFamilies.map((each) => ({
    family: each,
    mode: own[each] ?? guardMode,
    rules: all.filter((rule) => rule.family === each).length,
  }));
}

function settingsOf(host: CliHost): Settings {
  const store = settingsStore(host, (problem) => host.stderr.write(`purser guard: ${asLine(problem)}\n`));
  try {
    return store.now();
  } finally {
    store.dispose();
  }
}

function outputsLeftAlone(
  host: CliHost,
  resting: readonly RestingFormat[],
): NonNullable<GuardJson["outputs"]> {
  return {
    besides: settingsOf(host).guardOutputsBesideHooks,
    rivals: findRivalHooks(host.cwd, host),
    resting: resting.map(({ id, rule, command: of, net }) => ({ id, rule, command: of, net })),
  };
}

async function effects({ options }: CommandInput, host: CliHost): Promise<Result<number>> {
  const since = startIn(options, "30d", host.now());
  const net = await netSince(since, host);
  if (!net.ok) return net;
  const sent = await effectsSince(since, host);
  if (!sent.ok) return sent;
  const json: GuardJson = {
    schema: 1,
    since: new Date(since).toISOString(),
    net: net.value,
    effects: sent.value,
  };
  const style = styleFor(host);
  const saved = net.value === null ? `${t("No ledger has been kept yet.")}\n` : netText(net.value, style);
  return answer<GuardJson>(json, () => [saved, effectTable(sent.value, style)].join("\n"), {
    options,
    host,
  });
}

function ruleJson(rule: GuardRule): NonNullable<GuardJson["rules"]>[number] {
  const { id, message, remedy, fires, passes } = rule;
  return {
    id,
    family: rule.family,
    action: actionOf(rule),
    message: sentenceOf(message),
    remedy: sentenceOf(remedy),
    fires: [...fires],
    passes: [...passes],
  };
}

function codedJson({
  id,
  family: of,
  message,
  remedy,
  example,
}: CodedRule): NonNullable<GuardJson["rules"]>[number] {
  return {
    id,
    family: of,
    action: "advise",
    message: sentenceOf(message),
    remedy: sentenceOf(remedy),
    fires: [example],
    passes: [],
  };
}
